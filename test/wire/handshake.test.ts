import { describe, expect, it } from 'vitest'
import { readHandshake, refusalResponse } from '../../worker/socket/handshake.ts'

describe('the handshake', () => {
  it('[protocol-1] reads who asks for what', () => {
    const websocket = { transport: 'websocket', sid: null, hb: false, recovers: true }
    expect(readHandshake(request('EIO=4&transport=websocket'))).toEqual({ ok: true, handshake: websocket })
    expect(readHandshake(request('EIO=4&transport=websocket&hb=1'))).toEqual({
      ok: true,
      handshake: { ...websocket, hb: true, recovers: false },
    })
    expect(readHandshake(request('EIO=4&transport=websocket&hb=yes&t=x1'))).toEqual({ ok: true, handshake: websocket })
    expect(readHandshake(request('EIO=4&transport=websocket&recovery=0'))).toMatchObject({
      handshake: { hb: false, recovers: false },
    })
  })

  it.each([
    ['EIO=4&transport=polling', { method: 'GET', upgrade: null }, { transport: 'polling', sid: null }],
    ['EIO=4&transport=polling&sid=abc', { method: 'GET', upgrade: null }, { transport: 'polling', sid: 'abc' }],
    ['EIO=4&transport=polling&sid=abc', { method: 'POST', upgrade: null }, { transport: 'polling', sid: 'abc' }],
    ['EIO=4&transport=websocket&sid=abc', {}, { transport: 'websocket', sid: 'abc' }],
  ])('[protocol-1] [protocol-25] reads ?%s with %j', (query, shape, handshake) => {
    expect(readHandshake(request(query, shape))).toMatchObject({ ok: true, handshake })
  })

  it('[protocol-1] takes the header in any case', () => {
    expect(readHandshake(request('EIO=4&transport=websocket', { upgrade: 'WebSocket' }))).toMatchObject({ ok: true })
  })

  it.each([
    ['', 400, 0],
    ['EIO=4', 400, 0],
    ['EIO=4&transport=__proto__', 400, 0],
    ['transport=websocket', 400, 5],
    ['EIO=3&transport=websocket', 400, 5],
    ['EIO=5&transport=websocket', 400, 5],
    ['EIO=04&transport=websocket', 400, 5],
  ])('[protocol-2] refuses ?%s with %i, code %i', async (query, status, code) => {
    await expectRefusal(request(query), status, code)
  })

  it.each([
    ['EIO=4&transport=websocket', 'POST', 2],
    ['EIO=4&transport=polling', 'POST', 2],
    ['EIO=4&transport=polling', 'PUT', 2],
    ['EIO=4&transport=polling&sid=abc', 'PUT', 3],
    ['EIO=4&transport=polling&sid=abc', 'HEAD', 3],
    ['EIO=4&transport=websocket&sid=abc', 'POST', 3],
  ])('[protocol-2] refuses ?%s with the method %s', async (query, method, code) => {
    await expectRefusal(request(query, { method }), 400, code)
  })

  it('[protocol-2] asks a plain GET to upgrade', async () => {
    const response = await expectRefusal(request('EIO=4&transport=websocket', { upgrade: null }), 426, 3)
    expect(response.headers.get('Upgrade')).toBe('websocket')
  })
})

function request(query: string, { upgrade = 'websocket', method = 'GET' }: RequestShape = {}): Request {
  const headers = new Headers(upgrade === null ? {} : { Upgrade: upgrade })
  return new Request(`http://localhost/socket.io/?${query}`, { method, headers })
}

interface RequestShape {
  upgrade?: string | null
  method?: string
}

async function expectRefusal(asked: Request, status: number, code: number): Promise<Response> {
  const result = readHandshake(asked)
  if (result.ok) throw new Error('was not refused')
  const response = refusalResponse(result.refusal)
  expect(response.status).toBe(status)
  expect(response.headers.get('Content-Type')).toContain('application/json')
  expect(await response.json()).toEqual({ code, message: result.refusal.message })
  return response
}
