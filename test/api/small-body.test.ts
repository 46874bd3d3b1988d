import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { smallBody, unreadBodies } from '../../worker/http/small-body.ts'

const PIECE = 1_024
const app = new Hono()
  .use('*', unreadBodies)
  .post('/small', smallBody, async (c) => c.text(await c.req.text()))
  .post('/unread', (c) => c.text('refused', 403))

/**
 * Posts a body in `pieces` pieces. Returns how many pieces the server had read when it responded, and whether it
 * cancelled the rest of the body.
 */
async function post(path: string, pieces: number) {
  const sent = { read: 0, isCalledOff: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent.read === pieces) return controller.close()
        sent.read += 1
        controller.enqueue(new Uint8Array(PIECE).fill(0x78))
      },
      cancel() {
        sent.isCalledOff = true
      },
    },
    { highWaterMark: 0 },
  )
  const request = new Request(`http://localhost${path}`, { method: 'POST', body, duplex: 'half' } as RequestInit)
  const answer = await app.request(request)
  return { ...sent, status: answer.status, length: (await answer.text()).length }
}

describe('a body', () => {
  it('[trust-22] of 4 KiB reaches its route whole', async () => {
    expect(await post('/small', 4)).toEqual({ read: 4, isCalledOff: false, status: 200, length: 4 * PIECE })
  })

  it.each([
    ['/small', 413],
    ['/unread', 403],
  ])('[trust-22] that is too long is read to its end before %s answers', async (path, status) => {
    expect(await post(path, 1_000)).toMatchObject({ read: 1_000, isCalledOff: false, status })
  })

  it.each([
    ['/small', 413],
    ['/unread', 403],
  ])('[trust-22] of more than a megabyte is called off by %s', async (path, status) => {
    expect(await post(path, 5_000)).toMatchObject({ read: 1_025, isCalledOff: true, status })
  })
})
