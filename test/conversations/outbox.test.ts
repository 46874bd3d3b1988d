import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SideEffect } from '../../worker/core/graph/graph.ts'
import type { SendEffect } from '../../worker/core/walk/event.ts'
import { linkedGraph } from '../support/outbox-graph.ts'
import { WebhookReceiver, webhookSecret } from '../support/webhook-receiver.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

const CONFIG = 'test/conversations/outbox-worker.toml'
const [OLD, NEW] = [webhookSecret(4), webhookSecret(5)]
/**
 * Timeout of a delivery attempt, in milliseconds; the attempt's lease is twice as long. The timeout is long enough for
 * a busy machine, because the server waits five minutes to retry a delivery that has failed twice.
 */
const TIMEOUT_MS = 5_000
/** Time limit of a test for anything that takes a timeout, a lease, the delay before a retry, or several of these. */
const PATIENCE_MS = 60_000
const MAIL = { WALKON_EMAIL_FROM: 'walkon@example.com', WALKON_EMAIL_TO: 'lead@example.com' }

let receiver: WebhookReceiver
let server: WorkerServer

beforeAll(async () => {
  receiver = await WebhookReceiver.start(OLD)
  server = await startWorkerServer({
    configPath: CONFIG,
    vars: {
      WALKON_WEBHOOK_URL: receiver.url,
      WALKON_WEBHOOK_SECRET: `${NEW} ${OLD}`,
      WALKON_WEBHOOK_INSECURE: 'true',
      WALKON_DELIVERY_TIMEOUT_MS: String(TIMEOUT_MS),
      ...MAIL,
    },
  })
})
beforeEach(() => {
  receiver.deliveries.length = 0
  receiver.taken.clear()
  receiver.answer = () => ({ status: 204 })
})
afterEach(() => {
  receiver.letGo()
  expect(receiver.unverified).toEqual([])
})
afterAll(async () => {
  await server.stop()
  await receiver.stop()
})

describe('a message that a conversation sends', { timeout: 2 * PATIENCE_MS }, () => {
  it('[outbox-2] [outbox-5] [outbox-6] is sent with a signature as soon as its turn is complete, and marked as delivered', async () => {
    const session = await open()
    await ask(session, 'endTurn', { sends: [notify('send:1'), notify('send:2')] })
    await receiver.arrivals(2)
    expect([...receiver.taken.values()]).toMatchObject([sentBy(session), sentBy(session)])
    expect(receiver.taken.size).toBe(2)
    await rowsBecome(session, ['send:1 delivered 1', 'send:2 delivered 1'])
    await quiet(session)
  })

  it('[outbox-2] is also sent after a choice, which is not a turn and has no lease', async () => {
    const session = await open()
    await ask(session, 'choose', { sends: [notify('send:1')] })
    await receiver.arrivals(1)
    await rowsBecome(session, ['send:1 delivered 1'])
  })

  it('[outbox-1] is never sent for an attempt that does not own its turn', async () => {
    const session = await open()
    await ask(session, 'endTurn', { sends: [notify('send:lost')], attempt: 2 })
    await ask(session, 'endTurn', { sends: [notify('send:kept')] })
    await receiver.arrivals(1)
    await rowsBecome(session, ['send:kept delivered 1'])
    expect(receiver.deliveries).toHaveLength(1)
  })

  it('[outbox-2] does not delay the conversation when its receiver is slow', async () => {
    const session = await open()
    receiver.answer = atFirst(({ body }) => (body.data['state'] === 'notify' ? 'hang' : { status: 204 }))
    await ask(session, 'endTurn', { sends: [notify('send:1')] })
    await receiver.arrivals(1)
    await ask(session, 'endTurn', { sends: [{ ...notify('send:2'), node: 'breathing@4/done' }] })
    await receiver.arrivals(2)
    await rowsBecome(session, ['send:1 pending', 'send:2 delivered 1'])
    receiver.answer = () => ({ status: 204 })
    receiver.letGo()
    await rowsBecome(session, ['send:1 delivered', 'send:2 delivered 1'])
  })

  it.runIf(IS_LONG)(
    '[outbox-8] is retried five seconds after a failure, under the same id, with a new signature',
    async () => {
      const session = await open()
      receiver.answer = () => ({ status: receiver.deliveries.length === 0 ? 503 : 204 })
      await ask(session, 'endTurn', { sends: [notify('send:1')] })
      const [first, second] = await receiver.arrivals(2)
      if (!first || !second) throw new Error('nothing came')
      expect(second.at - first.at).toBeGreaterThan(4_500)
      // The second delivery is the first retry, even on a busy machine: a second retry would come only after five
      // minutes.
      expect(second.at - first.at).toBeLessThan(PATIENCE_MS)
      expect(second).toMatchObject({ id: first.id, raw: first.raw })
      expect(second.headers['webhook-timestamp']).not.toBe(first.headers['webhook-timestamp'])
      await rowsBecome(session, ['send:1 delivered 2'])
    },
  )

  it.runIf(IS_LONG)('[outbox-7] follows no redirect, and times out when its receiver is silent', async () => {
    const [redirected, silent] = [await open(), await open()]
    receiver.answer = atFirst(({ body }) =>
      body.data['session'] === silent ? 'hang' : { status: 302, headers: { location: `${receiver.url}/elsewhere` } },
    )
    for (const session of [redirected, silent]) await ask(session, 'endTurn', { sends: [notify('send:1')] })
    for (const session of [redirected, silent]) await rowsBecome(session, ['send:1 delivered 2'])
    // The test server's outbound proxy answers 500 for a redirect that may not be followed. A test in test/session
    // checks the 302 itself.
    await resultsBecome(redirected, ['status-(302|500)', 'delivered'])
    await resultsBecome(silent, ['timeout', 'delivered'])
    expect(receiver.deliveries.map(({ path }) => path)).toEqual(['/hooks', '/hooks', '/hooks', '/hooks'])
  })

  it('[outbox-10] is the last from this conversation if its receiver answers that it is gone', async () => {
    const session = await open()
    receiver.answer = () => ({ status: 410 })
    await ask(session, 'endTurn', { sends: [notify('send:1')] })
    await rowsBecome(session, ['send:1 gone 1 status-410'])
    receiver.answer = () => ({ status: 204 })
    await ask(session, 'endTurn', { sends: [notify('send:2')] })
    await rowsBecome(session, ['send:1 gone 1', 'send:2 gone 1'])
    expect(receiver.deliveries).toHaveLength(1)
    await quiet(session)
  })

  it('[outbox-16] [outbox-17] is an email through the platform, from and to the configured addresses', async () => {
    const session = await open()
    const mail = { type: 'send-email', subject: 'Ready\r\nBcc: canary-7@example.com', text: 'Done.' } as const
    await ask(session, 'endTurn', { sends: [send('send:1', mail)] })
    await rowsBecome(session, ['send:1 delivered 1'])
    expect(await ask(session, 'mails', {})).toEqual([
      {
        from: MAIL.WALKON_EMAIL_FROM,
        to: MAIL.WALKON_EMAIL_TO,
        subject: 'Ready Bcc: canary-7@example.com',
        text: 'Done.',
        headers: { 'X-Walkon-Id': expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string },
      },
    ])
  })
})

describe('an object that dies', { timeout: 2 * PATIENCE_MS }, () => {
  it('[outbox-19] [outbox-2] between commit and send: every committed message arrives once', async () => {
    const session = await open()
    const sends = ['send:1', 'send:2', 'send:3'].map((id) => notify(id))
    await ask(session, 'endTurn', { sends, diesAtAlarm: true })
    await receiver.arrivals(3)
    await rowsBecome(session, ['send:1 delivered 1', 'send:2 delivered 1', 'send:3 delivered 1'])
    expect(receiver.taken.size).toBe(3)
    expect(receiver.deliveries).toHaveLength(3)
  })

  it.runIf(IS_LONG)(
    '[outbox-19] [outbox-3] between send and mark: the message is sent again under the same id and counts once',
    async () => {
      const session = await open()
      receiver.answer = () => 'hang'
      await ask(session, 'endTurn', { sends: [notify('send:1'), notify('send:2')] })
      await receiver.arrivals(2)
      receiver.answer = () => ({ status: 204 })
      expect(await ask(session, 'die', {})).toMatchObject({ died: expect.stringContaining('on purpose') as string })
      const deliveries = await receiver.arrivals(4)
      await rowsBecome(session, ['send:1 delivered 2', 'send:2 delivered 2'])
      expect(new Set(deliveries.map(({ id }) => id)).size).toBe(2)
      expect(receiver.taken.size).toBe(2)
    },
  )

  it.runIf(IS_LONG)(
    '[outbox-19] [outbox-4] again and again: the receiver gets exactly the committed messages',
    async () => {
      const sessions = await Promise.all([open(), open(), open()])
      let requests = 0
      receiver.answer = atFirst(() => (++requests % 3 === 0 ? 'reset' : requests % 3 === 1 ? 'hang' : { status: 204 }))
      for (const round of [1, 2, 3]) {
        for (const session of sessions) {
          const sends = [notify(`send:${round}:a`), notify(`send:${round}:b`)]
          await ask(session, 'endTurn', { sends, diesAtAlarm: round === 2 })
          if (round !== 2) await ask(session, 'die', {})
        }
      }
      receiver.answer = () => ({ status: 204 })
      for (const session of sessions) {
        const ids = [1, 2, 3].flatMap((round) => [`send:${round}:a delivered`, `send:${round}:b delivered`])
        await rowsBecome(session, ids)
      }
      expect(receiver.taken.size).toBe(18)
      const bySession = [...receiver.taken.values()].map(({ data }) => data['session'])
      for (const session of sessions) expect(bySession.filter((each) => each === session)).toHaveLength(6)
    },
  )
})

describe('a deployment', { timeout: 2 * PATIENCE_MS }, () => {
  it.runIf(IS_LONG)(
    '[outbox-9] [outbox-19] between two attempts: the retry comes when it was due, and goes to the newly configured address',
    async () => {
      const session = await open()
      receiver.answer = () => ({ status: 503, headers: { 'retry-after': '15' } })
      await ask(session, 'endTurn', { sends: [notify('send:1')] })
      await rowsBecome(session, ['send:1 pending 1 status-503'])
      const next = await WebhookReceiver.start(NEW)
      await server.redeploy({ WALKON_WEBHOOK_URL: next.url })
      const [second] = await next.arrivals(1)
      expect((second?.at ?? 0) - (receiver.deliveries[0]?.at ?? 0)).toBeGreaterThan(14_500)
      await rowsBecome(session, ['send:1 delivered 2'])
      expect([...next.taken.keys()]).toEqual(receiver.deliveries.map(({ id }) => id))
      await server.redeploy({ WALKON_WEBHOOK_URL: receiver.url })
      await next.stop()
    },
  )

  it('[outbox-12] without a configured receiver: the message is stored as undeliverable at once', async () => {
    await server.redeploy({
      WALKON_WEBHOOK_URL: '',
      WALKON_WEBHOOK_SECRET: '',
      WALKON_EMAIL_FROM: '',
      WALKON_EMAIL_TO: '',
    })
    const session = await open()
    const mail = { type: 'send-email', subject: 'Ready', text: 'Done.' } as const
    await ask(session, 'endTurn', { sends: [notify('send:1'), send('send:2', mail)] })
    await rowsBecome(session, ['send:1 undeliverable 1', 'send:2 undeliverable 1'])
    await quiet(session)
    expect(receiver.deliveries).toEqual([])
  })

  it('[outbox-18] logs ids, numbers and result names only', async () => {
    const session = await open()
    await ask(session, 'endTurn', { sends: [notify('send:1')] })
    await rowsBecome(session, ['send:1 \\w+ 1'])
    const lines = await vi.waitFor(() => {
      const found = logged()
      if (!found.some((line) => line.includes(session))) throw new Error('not logged yet')
      return found
    }, WAITING)
    for (const line of lines) {
      expect(JSON.parse(line)).toEqual({
        event: expect.stringMatching(/^outbox-(delivered|pending|gone|undeliverable)$/) as string,
        session: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        message: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string,
        attempt: expect.any(Number) as number,
        result: expect.stringMatching(/^(delivered|gone|undeliverable|timeout|unreachable|status-\d{3})$/) as string,
      })
    }
  })
})

function send(id: string, sideEffect: SideEffect): SendEffect {
  return { type: 'send', id, node: 'notify', sideEffect }
}

function notify(id: string): SendEffect {
  return send(id, { type: 'emit-event', event: 'check_in.finished', data: { mood: 'good' } })
}

function sentBy(session: string): object {
  return {
    type: 'check_in.finished',
    data: {
      session,
      scenario: { id: 'launch', version: 3 },
      npc: 'maya',
      graph: { id: 'check-in', version: 2 },
      state: 'notify',
      fields: { mood: 'good' },
    },
  }
}

async function open(): Promise<string> {
  const scenario = { id: 'launch', version: 3, npcs: [] }
  const info = { epoch: 'e', scenario, npc: 'maya', graph: linkedGraph, createdAt: 0 }
  const { session } = (await post('open', info)) as { session: string }
  return session
}

function ask(
  session: string,
  method: 'endTurn' | 'choose' | 'die' | 'alarmAt' | 'mails',
  body: object,
): Promise<unknown> {
  return post(`${session}/${method}`, body)
}

async function post(path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  return (await server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

/**
 * Waits until the outbox has these rows. A row is the id, optionally followed by the status, the number of attempts and
 * the result.
 */
async function rowsBecome(session: string, expected: readonly string[]): Promise<void> {
  const object = { className: 'ConversationObject', id: session }
  await vi.waitFor(async () => {
    const rows = (await server.sql(object, 'SELECT id, status, attempts, result FROM outbox ORDER BY id')) as Row[]
    const read = rows.map(({ id, status, attempts, result }) => `${id} ${status} ${attempts} ${result}`)
    expect(read).toEqual(expected.map((row) => expect.stringMatching(new RegExp(`^${row}\\b`)) as string))
  }, WAITING)
}

const WAITING = { timeout: PATIENCE_MS, interval: 50 }

/**
 * Returns a handler that gives `answer` to the first delivery of an id and accepts every later delivery, however soon.
 */
function atFirst(answer: WebhookReceiver['answer']): WebhookReceiver['answer'] {
  return (delivery) => {
    const isAgain = receiver.deliveries.some(({ id }) => id === delivery.id)
    return isAgain ? { status: 204 } : answer(delivery)
  }
}

/** Waits until the log has these results of a conversation's attempts, in order. */
async function resultsBecome(session: string, expected: readonly string[]): Promise<void> {
  await vi.waitFor(() => {
    const lines = logged().filter((line) => line.includes(session))
    const results = lines.map((line) => (JSON.parse(line) as { result: string }).result)
    expect(results).toEqual(expected.map((result) => expect.stringMatching(new RegExp(`^${result}$`)) as string))
  }, WAITING)
}

function logged(): readonly string[] {
  return server.logs().filter((line) => line.includes('"event":"outbox-'))
}

interface Row {
  id: string
  status: string
  attempts: number
  result: string | null
}

/** Waits until no alarm of the object is set. */
async function quiet(session: string): Promise<void> {
  await vi.waitFor(async () => expect(await ask(session, 'alarmAt', {})).toBeNull(), WAITING)
}
