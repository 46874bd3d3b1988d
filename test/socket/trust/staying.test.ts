import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../worker/env.ts'
import { createGate, type Visitor } from '../../../worker/session/admission.ts'
import type { Renewed } from '../../../worker/wire/messages.ts'
import { WIRE_VERSION } from '../../../worker/wire/version.ts'
import { admission, credentialsOf, keepCredentials, passage, renewCredentials } from '../../support/credentials.ts'
import { newCid, openSession, Player } from '../../support/player.ts'
import { type RawAsk, rawRequest, UPGRADE } from '../../support/raw-request.ts'
import { DEVELOPMENT } from '../../support/sign-session.ts'
import { sign } from '../../../worker/trust/credential.ts'
import { connectClient } from '../../support/socket-client.ts'
import { startWorkerServer, type WorkerServer } from '../../support/worker-server.ts'
import { base64url, drawn, STRONG } from './secrets.ts'
import { IS_LONG } from '../../support/runs.ts'

const CONFIG = 'test/socket/trust/wrangler.toml'

/** Timeout of a test that starts its own servers, in milliseconds. Starting takes seconds on a busy machine. */
const STARTS_SERVERS_MS = 120_000

let server: WorkerServer
beforeAll(async () => {
  server = await startWorkerServer({
    configPath: CONFIG,
    vars: { WALKON_ADMIN_SECRET: STRONG, WALKON_REHEARSAL_PACE_MS: '0' },
  })
})
afterAll(() => server.stop())

const seconds = () => Math.floor(Date.now() / 1000)
const NOT_ADMITTED = { ok: false, next: 'sign-in', code: 'not-admitted', message: expect.any(String) }

/**
 * Signs a token of the session as the server would have signed it a minute ago. The token expires at `ends` and can be
 * renewed until `life`.
 */
function tokenOf(session: string, { ends, life, ep = 0 }: { ends: number; life: number; ep?: number }) {
  const now = Date.now() - 60_000
  return sign(DEVELOPMENT, 'token', { session, claims: { ori: null, ep, life }, now, until: ends })
}

const renew = (player: Player) => player.emit('renew', {}) as Promise<unknown> as Promise<Renewed>

function poll(
  of: ReturnType<typeof passage>,
  more: Record<string, string> = {},
  asked: RawAsk = {},
): ReturnType<typeof rawRequest> {
  const query = new URLSearchParams({ EIO: '4', transport: 'polling', ...of, ...more })
  return rawRequest(new URL(`socket.io/?${query}`, server.url), asked)
}

const sidIn = (open: string) => (JSON.parse(open.slice(1)) as { sid: string }).sid

async function askedOf(session: string): Promise<number> {
  return Number(await (await server.fetch(`doors/${session}/asked`)).text())
}

async function revoke(session: string) {
  const { body } = await rawRequest(new URL(`api/admin/sessions/${session}/revoke`, server.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${STRONG}` },
  })
  return JSON.parse(body) as { session: string; epoch: number; key: string }
}

describe('a connected client', () => {
  it('[trust-8] renews its credentials over the open socket', async () => {
    const session = await openSession(server, {})
    const player = await Player.join(server, session)
    const renewed = await renew(player)
    expect(renewed).toEqual({ ok: true, token: expect.any(String), ticket: expect.any(String), lastsMs: 900_000 })
    if (!renewed.ok) return
    const again = await Player.join(server, session, { token: renewed.token })
    expect((await again.say('Hello.')).outcome).toBe('complete')
    for (const each of [player, again]) each.leave()
  })

  it('[trust-8] may only renew after its token has expired', async () => {
    const session = await openSession(server, {})
    // The token has just expired. Because clocks may differ, the server accepts the token for a few seconds more.
    const life = seconds() + 600
    const token = await tokenOf(session, { ends: seconds(), life })
    const player = await Player.join(server, session, { token })
    expect(await player.emit('say', { cid: newCid(), text: 'Hello.' })).toEqual(NOT_ADMITTED)
    const renewed = await renew(player)
    expect(renewed.ok && renewed.lastsMs).toBeGreaterThan((life - seconds() - 2) * 1_000)
    expect((await player.say('Hello.')).outcome).toBe('complete')
    player.leave()
  })

  it('[trust-8] stays connected while the object sleeps, and can renew afterwards', async () => {
    const session = await openSession(server, {})
    const player = await Player.join(server, session)
    await server.evict({ className: 'ConversationObject', id: session })
    expect((await renew(player)).ok).toBe(true)
    player.leave()
  })

  it('[trust-8] needs the session key again after half a day, however often it renewed', async () => {
    const session = await openSession(server, {})
    const token = await tokenOf(session, { ends: seconds() + 60, life: seconds() - 1 })
    const player = await Player.join(server, session, { token })
    expect(await renew(player)).toEqual(NOT_ADMITTED)
    await renewCredentials(server.url, session)
    const again = await Player.join(server, session)
    expect((await renew(again)).ok).toBe(true)
    for (const each of [player, again]) each.leave()
  })

  it('[trust-8] gets no credentials that can be renewed longer than its current ones', async () => {
    const session = await openSession(server, {})
    const life = seconds() + 120
    const player = await Player.join(server, session, { token: await tokenOf(session, { ends: seconds() + 60, life }) })
    const renewed = await renew(player)
    expect(renewed.ok && renewed.lastsMs).toBeLessThanOrEqual(120_000)
    player.leave()
  })
})

describe('a revocation', () => {
  it('[trust-20] invalidates all earlier credentials at once', async () => {
    const session = await openSession(server, {})
    const players = [await Player.join(server, session), await Player.join(server, session)]
    const before = credentialsOf(session)
    const gone = players.map((player) => player.client.next('disconnect'))
    const { epoch } = await revoke(session)
    expect(epoch).toBe(1)
    await Promise.all(gone)
    for (const player of players) player.leave()

    await expect(refusalOf(session)).resolves.toEqual(NOT_ADMITTED)
    // The server exchanges the key without waking the conversation. The conversation then refuses the new credentials.
    await renewCredentials(server.url, session)
    expect(credentialsOf(session).token).not.toBe(before.token)
    await expect(refusalOf(session)).resolves.toEqual(NOT_ADMITTED)
  })

  it('[trust-20] returns a key that opens the conversation after the revocation', async () => {
    const session = await openSession(server, {})
    const player = await Player.join(server, session)
    await player.say('Hello.')
    player.leave()
    await revoke(session)
    const { key, epoch } = await revoke(session)
    expect(epoch).toBe(2)
    keepCredentials({ ...credentialsOf(session), session, key })
    await renewCredentials(server.url, session)
    const again = await Player.join(server, session)
    expect(again.hello.events.length).toBeGreaterThan(1)
    expect((await again.say('Hello again.')).outcome).toBe('complete')
    again.leave()
  })

  it('[trust-20] is not undone by a sleep, and no token of a future epoch is accepted', async () => {
    const session = await openSession(server, {})
    const { key } = await revoke(session)
    await server.evict({ className: 'ConversationObject', id: session })
    await expect(refusalOf(session)).resolves.toEqual(NOT_ADMITTED)
    const before = credentialsOf(session)
    keepCredentials({ ...before, session, key })
    await renewCredentials(server.url, session)
    // The ticket has the current epoch, so the token is the only credential that the server can refuse here.
    await expect(refusalOf(session, before.token)).resolves.toEqual(NOT_ADMITTED)
    const token = await tokenOf(session, { ends: seconds() + 60, life: seconds() + 60, ep: 2 })
    await expect(refusalOf(session, token)).resolves.toEqual(NOT_ADMITTED)
    const now = await tokenOf(session, { ends: seconds() + 60, life: seconds() + 60, ep: 1 })
    const player = await Player.join(server, session, { token: now })
    player.leave()
  })

  it('[trust-20] gives a client with old credentials no place, so it cannot keep others out', async () => {
    const session = await openSession(server, {})
    const old = passage(session)
    const { key } = await revoke(session)
    keepCredentials({ ...credentialsOf(session), session, key })
    await renewCredentials(server.url, session)
    const mine = await poll(passage(session))
    const sid = sidIn(mine.body)
    // The test opens more connections than a conversation has places: if the server accepted these connections, they
    // would take all places. The test opens them all at once, because the session's own connection must show its token
    // within ten seconds.
    const knock = async () => {
      const [refused, told, upgraded] = await Promise.all([
        poll(old),
        poll(old, {}, { headers: { 'Walkon-Epoch': '1' } }),
        poll(old, { transport: 'websocket' }, { headers: UPGRADE }),
      ])
      expect([refused.status, JSON.parse(refused.body)]).toEqual([
        401,
        { code: 4, message: expect.any(String), data: NOT_ADMITTED },
      ])
      expect(told.status).toBe(401)
      expect(upgraded.status).toBe(101)
    }
    await Promise.all(Array.from({ length: 10 }, knock))
    const body = `40${JSON.stringify({ v: WIRE_VERSION, ...admission(session) })}`
    expect((await poll(old, { sid }, { method: 'POST', body })).status).toBe(401)
    expect((await poll(passage(session), { sid }, { method: 'POST', body })).body).toBe('ok')
    expect((await poll(passage(session), { sid })).body).toMatch(/^40{/)
  })

  it('[trust-20] closes a polling connection in the middle of its poll', async () => {
    const session = await openSession(server, {})
    const sid = sidIn((await poll(passage(session))).body)
    const body = `40${JSON.stringify({ v: WIRE_VERSION, ...admission(session) })}`
    await poll(passage(session), { sid }, { method: 'POST', body })
    expect((await poll(passage(session), { sid })).body).toContain('"hello"')
    const before = await askedOf(session)
    const waiting = poll(passage(session), { sid })
    // Waits until the object has the poll: the poll and the revocation use separate connections, so either could arrive
    // first.
    await expect.poll(() => askedOf(session)).toBe(before + 1)
    await revoke(session)
    expect((await waiting).body).toBe('1')
    const say = '420["say",{"cid":"an-id-of-its-own","text":"Hello."}]'
    expect((await poll(passage(session), { sid }, { method: 'POST', body: say })).status).toBe(401)
    expect((await poll(passage(session), { sid })).status).toBe(401)
  })

  it('[trust-20] does not affect other conversations', async () => {
    const [session, other] = [await openSession(server, {}), await openSession(server, {})]
    const player = await Player.join(server, other)
    await revoke(session)
    expect((await player.say('Hello.')).outcome).toBe('complete')
    player.leave()
  })
})

describe('a revocation during', () => {
  const session = '7'.repeat(64)
  /**
   * Creates the gate that admits clients, a visitor who asks for admission, and a function with which the test revokes
   * the session's credentials whenever it wants.
   */
  async function atGate() {
    const { trust } = readConfig({})
    let now = 0
    const gate = createGate({ trust, session, epoch: () => now, now: () => Date.now() })
    const token = await tokenOf(session, { ends: seconds() + 60, life: seconds() + 600 })
    const admitted: unknown[] = []
    const visitor: Visitor = {
      origin: null,
      get admission() {
        return admitted.at(-1)
      },
      admit: (_until, admission) => void admitted.push(admission),
    }
    return { gate, token, visitor, admitted, revokeNow: () => void (now += 1) }
  }

  it('[trust-20] an admission leaves the client outside', async () => {
    const { gate, token, visitor, admitted, revokeNow } = await atGate()
    const admission = gate.admit(visitor, { v: WIRE_VERSION, token })
    revokeNow()
    expect(await admission).toBe(false)
    expect(admitted).toEqual([])
  })

  it('[trust-20] the time between admission and hello is noticed', async () => {
    const { gate, token, visitor, revokeNow } = await atGate()
    expect(await gate.admit(visitor, { v: WIRE_VERSION, token })).toBe(true)
    expect(gate.isCurrent(visitor)).toBe(true)
    revokeNow()
    expect(gate.isCurrent(visitor)).toBe(false)
  })

  it('[trust-20] a renewal gives no credentials', async () => {
    const { gate, token, visitor, admitted, revokeNow } = await atGate()
    await gate.admit(visitor, { v: WIRE_VERSION, token })
    const renewal = gate.renew(visitor)
    revokeNow()
    expect(await renewal).toEqual(NOT_ADMITTED)
    expect(admitted).toHaveLength(1)
  })
})

describe('signing keys', () => {
  const secrets = [1, 2, 3].map((seed) => base64url(drawn(32, seed)))
  const [first = '', second = '', third = ''] = secrets
  const LEARNERS = { WALKON_LEARNER_SECRET: STRONG }

  it.runIf(IS_LONG)(
    '[trust-10] are rotated: credentials of the previous key stay valid, those of an older key do not',
    async () => {
      const vars = (...keys: string[]) => ({
        ...LEARNERS,
        WALKON_TOKEN_KEYS: keys.join(' '),
        WALKON_REHEARSAL_PACE_MS: '0',
      })
      const kept = await startWorkerServer({ configPath: CONFIG, vars: vars(`a:${first}`) })
      try {
        const session = await openSession(kept, {})
        const header = (text: string) =>
          JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()) as unknown
        expect(header(credentialsOf(session).token)).toEqual({ alg: 'HS256', typ: 'walkon-token+jwt', kid: 'a' })

        await kept.redeploy(vars(`b:${second}`, `a:${first}`))
        const given = await renewCredentials(kept.url, session)
        expect(header(given.token)).toMatchObject({ kid: 'b' })
        const player = await Player.join(kept, session)
        expect((await player.say('Hello.')).outcome).toBe('complete')
        player.leave()

        await kept.redeploy(vars(`c:${third}`, `b:${second}`))
        // The second key, which still exists, signed the token. The first key, which is gone, signed the session key.
        const last = await Player.join(kept, session)
        last.leave()
        await expect(renewCredentials(kept.url, session)).rejects.toThrow('401')

        // A different secret with the same key id is a different key.
        await kept.redeploy(vars(`b:${third}`))
        await expect(refusalOf(session, undefined, kept)).resolves.toEqual(NOT_ADMITTED)
      } finally {
        await kept.stop()
      }
    },
    STARTS_SERVERS_MS,
  )

  it.runIf(IS_LONG)(
    '[trust-9] of development work for this machine only, under its own host names',
    async () => {
      const ask = (at: WorkerServer, Host: string) =>
        rawRequest(new URL('api/sessions', at.url), { method: 'POST', body: '{}', headers: { Host } })
      const own = await startWorkerServer({
        configPath: CONFIG,
        vars: { ...LEARNERS, WALKON_TOKEN_KEYS: `a:${first}` },
      })
      try {
        for (const host of ['localhost:1', '127.0.0.1', '[::1]:8787', '192.168.1.20', 'my-mac.local'])
          expect((await ask(server, host)).status).toBe(201)
        for (const host of ['walkon.example', 'localhost.evil.example', '203.0.113.7', '127.0.0.1.nip.io']) {
          const refused = await ask(server, host)
          expect([refused.status, JSON.parse(refused.body)]).toMatchObject([500, { error: { code: 'unavailable' } }])
          expect((await ask(own, host)).status).toBe(201)
        }
        const refusal = '{"event":"not-serving","missing":"WALKON_TOKEN_KEYS"}'
        await expect.poll(() => server.logs().join('\n')).toContain(refusal)
        // Many proxies replace the host name by the name under which the proxy knows the server, often localhost.
        for (const name of ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP']) {
          const sent = { method: 'POST', body: '{}', headers: { Host: 'localhost', [name]: '203.0.113.7' } }
          expect((await rawRequest(new URL('api/sessions', server.url), sent)).status).toBe(500)
          expect((await rawRequest(new URL('api/sessions', own.url), sent)).status).toBe(201)
        }
      } finally {
        await own.stop()
      }
    },
    STARTS_SERVERS_MS,
  )
})

async function refusalOf(session: string, token?: string, at = server): Promise<unknown> {
  const client = connectClient(new URL('socket.io/', at.url), {
    query: { ...passage(session), hb: '1' },
    auth: { v: WIRE_VERSION, ...admission(session), ...(token !== undefined && { token }) },
  })
  const error = (await client.next('connect_error')) as Error & { data: unknown }
  client.stop()
  return error.data
}
