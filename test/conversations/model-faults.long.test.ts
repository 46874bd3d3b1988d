import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { streamed } from '../support/completion-stream.ts'
import { type Fault, FAULTS, middleOf, type Place, placeIn, POSITIONS } from '../support/model-faults.ts'
import { type ModelRequest, type ModelServer, refusedUrl, startModelServer } from '../support/model-server.ts'
import type { Step } from '../support/model-steps.ts'
import { NoorModel } from '../support/noor-model.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

/** The idle limit in milliseconds. It is long enough for a busy machine, because it also applies to valid responses. */
const IDLE_MS = 8_000
const DRIP_MS = IDLE_MS / 4
const LIMITS = {
  OPENAI_MODEL: 'walkon-test',
  OPENAI_API_KEY: 'sk-canary-91c',
  WALKON_MODEL_IDLE_MS: '120000',
  WALKON_MODEL_OVERALL_MS: '120000',
  WALKON_TURN_LEASE_MS: '120000',
  WALKON_MODEL_MAX_CHARACTERS: '600',
}
/**
 * Limits for the cases in which the server waits until a limit ends the call. The limits cannot be shorter: all these
 * cases run at once, which loads the machine more than any other test.
 */
const SHORT_LIMITS = {
  ...LIMITS,
  WALKON_MODEL_IDLE_MS: String(IDLE_MS),
  WALKON_MODEL_OVERALL_MS: String(IDLE_MS * 2.5),
}
/** Multiples of this number reach every case, because the number is coprime to the number of cases. */
const STRIDE = 101
const AT_ONCE = 32

const ANSWER = {
  speech: 'Hi, so you’re the one who says yes or no on Thursday 👋. I run the testing here, très tôt, every day.',
  report: JSON.stringify({ ...EMPTY_REPORT, node_satisfied: true, internal_thought: 'canary-thought' }),
}
const REPLY = `${ANSWER.speech}\n---END---\n${ANSWER.report}`
const SELECTION = '{"action": 0, "exit": null}'

interface Case {
  readonly fault: Fault
  readonly place: Place
  /** The work that the fault strikes: a colleague's reply, or a selection in a context graph before the reply. */
  readonly work: 'reply' | 'selection'
}

const cases: readonly Case[] = [
  ...FAULTS.flatMap((fault) =>
    POSITIONS.map((position): Case => ({ fault, place: placeIn(ANSWER, position, DRIP_MS), work: 'reply' })),
  ),
  ...FAULTS.map((fault): Case => ({ fault, place: middleOf(SELECTION, DRIP_MS), work: 'selection' })),
]
const numbers = (work: Case['work']) =>
  cases.flatMap((each, at) => (each.work === work ? [[each.fault.name, each.place.position, at] as const] : []))

/**
 * A model that answers the first request for the faulty kind of work in a conversation with the conversation's fault.
 * It answers all other requests correctly.
 */
class FaultyModel {
  readonly #noor = new NoorModel()
  readonly #asked = new Map<number, number>()

  readonly answer = (request: ModelRequest): Iterable<Step> => {
    const body = JSON.stringify(request.body)
    const at = Number(/Case (\d+)\./.exec(body)?.[1])
    const { fault, place, work } = cases[at]!
    if (work === 'selection' && !body.includes('"name":"selection"')) return this.#noor.answer(request)
    const times = this.asked(at) + 1
    this.#asked.set(at, times)
    if (times === 1) return fault.steps(place)
    return work === 'reply' ? streamed([REPLY]) : this.#noor.answer(request)
  }

  asked(at: number): number {
    return this.#asked.get(at) ?? 0
  }
}

/** What a learner saw of one case. */
interface Seen {
  readonly session: string
  readonly text: string
  readonly outcome: string
  readonly streamed: string
  readonly next: { readonly text: string; readonly outcome: string }
  readonly packets: string
  /** The numbers of the turns, in the order in which they ended. A turn that ended twice is in the list twice. */
  readonly ends: readonly number[]
  readonly isAsStored: boolean
}

async function live(server: WorkerServer, { work }: Case, at: number): Promise<Seen> {
  const scenario = work === 'reply' ? { scenario: 'launch-decision', npc: 'maya' } : { scenario: 'week-three' }
  const session = await openSession(server, scenario)
  const player = await Player.join(server, session)
  try {
    const { text, outcome } = await player.say(`Case ${at}. What is going on?`)
    const next = await player.say('And now?')
    player.client.emit('sync', {})
    const stored = (await player.client.next('hello')) as Player['hello']
    return {
      session,
      text,
      outcome,
      streamed: player.streamed(1),
      next,
      packets: player.client.packets.join('\n'),
      ends: player.events.filter(({ type }) => type === 'turn').map(({ turn }) => turn),
      isAsStored: JSON.stringify(stored.events) === JSON.stringify(player.events),
    }
  } finally {
    player.leave()
  }
}

/**
 * Runs all cases and returns their results in order. The cases that wait for a limit run first, all together. The other
 * cases follow, `AT_ONCE` at a time, in an order that spreads the cases with much traffic.
 */
async function someAtATime<R>(run: (each: Case, at: number, isSlow: boolean) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const isSlow = ({ fault, place }: Case) => ['idle', 'timeout'].includes(fault.comes(place))
  const spread = cases.map((_, at) => (at * STRIDE) % cases.length)
  for (const slow of [true, false]) {
    const queue = spread.filter((at) => isSlow(cases[at]!) === slow).values()
    const work = async () => {
      for (const at of queue) results[at] = await run(cases[at]!, at, slow)
    }
    await Promise.all(Array.from({ length: slow ? cases.length : AT_ONCE }, work))
  }
  return results
}

/** Returns from the log how each session's first turn ended: the failure's name, or the quality of the report. */
function firstTurns(logs: readonly string[]): Map<string, string> {
  const turns = new Map<string, string>()
  for (const line of logs.flatMap((message) => message.split('\n'))) {
    if (!line.startsWith('{')) continue
    const { event, session, turn, failure, quality } = JSON.parse(line) as Record<string, string | number>
    const isEnd = (event === 'turn-done' || event === 'turn-failed') && turn === 1
    if (isEnd) turns.set(String(session), String(failure ?? `read ${quality}`))
  }
  return turns
}

let model: ModelServer
let server: WorkerServer
let hasty: WorkerServer
let seen: readonly (Seen | Error)[]
let logged: Map<string, string>
const faulty = new FaultyModel()
const logs = () => [...server.logs(), ...hasty.logs()]

beforeAll(async () => {
  model = await startModelServer(faulty.answer)
  const at = { OPENAI_BASE_URL: model.url }
  server = await startWorkerServer({ configPath: 'wrangler.toml', vars: { ...at, ...LIMITS } })
  hasty = await startWorkerServer({ configPath: 'wrangler.toml', vars: { ...at, ...SHORT_LIMITS } })
  seen = await someAtATime((each, number, isSlow) =>
    live(isSlow ? hasty : server, each, number).catch((error: Error) => error),
  )
  // Log lines arrive independently of what a client gets. If the log has no line for a session, the tests below report
  // that.
  const isLogged = () => expect((logged = firstTurns(logs())).size).toBe(cases.length)
  await vi.waitFor(isLogged, { timeout: 30_000 }).catch(() => undefined)
}, 1_800_000)
afterAll(async () => {
  await server.stop()
  await hasty.stop()
  await model.close()
})

/** Parts of a separator, a report, inner work, a provider, a key or a stack trace, which a page must never get. */
const HIDDEN = /---END|END---|node_satisfied|engagement_score|internal_thought|\\?"exit|canary|\.[jt]s:\d+/

/**
 * Returns what a learner saw of a case. First checks what must hold for all cases: each turn ended once, and the server
 * answered the next message.
 */
function cameOf(at: number): Seen & { readonly log: string | undefined } {
  const came = seen[at]
  if (came === undefined || came instanceof Error) throw came ?? new Error('it was not run')
  expect(came.ends).toEqual([1, 2])
  expect(came.packets).not.toMatch(HIDDEN)
  expect(came.isAsStored).toBe(true)
  expect(came.next.outcome).toBe('complete')
  return { ...came, log: logged.get(came.session) }
}

const A_LINE_IN_CHARACTER = /^\w.*[.?]$/

describe('a model that fails', { timeout: 120_000 }, () => {
  it('[model-32] is tested with more than sixty faults at five places', () => {
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
    expect(FAULTS.length).toBeGreaterThan(60)
    expect(cases).toHaveLength(FAULTS.length * 6)
    expect(seen.flat()).toHaveLength(cases.length)
  })

  it.each(numbers('reply'))(
    '[model-32] %s, %s: the turn ends once, shows nothing hidden, and the conversation goes on',
    (_, position, at) => {
      const { fault, place } = cases[at]!
      const comes = fault.comes(place)
      const came = cameOf(at)
      const said = ANSWER.speech.slice(0, place.before.length).trimEnd()
      expect(came.next.text).toBe(ANSWER.speech)
      expect(faulty.asked(at)).toBe(2)
      if (comes === 'whole') {
        expect(came).toMatchObject({ outcome: 'complete', log: 'read clean', text: ANSWER.speech })
        expect(came.streamed).toBe(came.text)
      } else if (comes === 'part') {
        expect(came.outcome).toBe('complete')
        expect(came.log).toMatch(position === 'in the report' ? /^read/ : /^read missing$/)
        expect(came.text.slice(0, said.length)).toBe(said)
        expect(came.streamed).toBe(came.text)
      } else {
        const isSilent = comes === 'silent'
        expect(came).toMatchObject({
          outcome: isSilent ? 'complete' : 'failed',
          log: isSilent ? 'read missing' : comes,
          text: expect.stringMatching(A_LINE_IN_CHARACTER) as string,
        })
        expect(came.text).not.toContain(ANSWER.speech.slice(0, 10))
        expect(ANSWER.speech.slice(0, came.streamed.length)).toBe(came.streamed)
      }
    },
  )

  it.each(numbers('selection'))(
    '[model-32] %s, in inner work: the turn ends once, shows nothing hidden, and the conversation goes on',
    (_, __, at) => {
      const { fault, place } = cases[at]!
      const comes = fault.comes(place)
      const came = cameOf(at)
      if (comes === 'whole' || comes === 'part') {
        expect(came).toMatchObject({ outcome: 'complete', text: 'I hear you, and we go on.' })
        // If the model's selection is unreadable, the server requests the selection a second time.
        expect(faulty.asked(at)).toBe(comes === 'whole' ? 2 : 3)
      } else {
        expect(came).toMatchObject({
          outcome: 'failed',
          log: comes === 'silent' ? 'empty' : comes,
          text: expect.stringMatching(A_LINE_IN_CHARACTER) as string,
        })
        expect(came.streamed).toBe('')
      }
    },
  )

  it('[model-32] [model-9] leaves no text of a provider or a key in a log, and no open request', async () => {
    expect(logged.size).toBe(cases.length)
    expect(logs().join('\n')).not.toMatch(/canary/)
    await Promise.all(model.requests.all.map(({ gone }) => gone))
  })

  it('[model-32] is unreachable at first and works later', async () => {
    const url = await refusedUrl()
    const vars = { OPENAI_BASE_URL: url, ...LIMITS }
    const alone = await startWorkerServer({ configPath: 'wrangler.toml', vars })
    const player = await Player.join(alone, await openSession(alone, { scenario: 'launch-decision', npc: 'maya' }))
    expect(await player.say('Hello?')).toMatchObject({ outcome: 'failed' })
    await expect.poll(() => [...firstTurns(alone.logs()).values()]).toEqual(['unreachable'])
    const back = await startModelServer(() => streamed([REPLY]), { port: Number(new URL(url).port) })
    expect(await player.emit('retry', { cid: newCid(), turn: 1 })).toMatchObject({ ok: true })
    expect(await player.turn(1, 2)).toMatchObject({ outcome: 'complete', text: ANSWER.speech })
    player.leave()
    await alone.stop()
    await back.close()
  })
})
