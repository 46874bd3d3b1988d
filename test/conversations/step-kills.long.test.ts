import { afterAll, beforeAll, describe, expect, it, onTestFailed, vi } from 'vitest'
import { STEPS, type StepName } from '../../worker/steps.ts'
import { messageIdOf } from '../../worker/outbox/event-body.ts'
import { audit } from '../support/audit.ts'
import { door } from '../support/doors.ts'
import { KillableServer } from '../support/killable-server.ts'
import { noorPath, SENDING_TURN } from '../support/noor-path.ts'
import { openSession } from '../support/player.ts'
import { StreamWatcher } from '../support/stream-watcher.ts'
import { WebhookReceiver, webhookSecret } from '../support/webhook-receiver.ts'

const CONFIG = 'test/conversations/fault-worker.toml'
const SECRET = webhookSecret(11)
/** The model's pace, in milliseconds: slow enough to stop a reply in the middle. */
const PACE_MS = 4
/** Timeout of a delivery attempt, in milliseconds, which is long enough for a busy machine. */
const DELIVERY_MS = 5_000

interface Armed {
  readonly step: StepName
  readonly when: 'before' | 'after'
  readonly nth: number
  readonly fault: 'spin' | 'die'
}

const PLACES = STEPS.flatMap(({ number, name }) =>
  (['before', 'after'] as const).map((when) => [when, number, name] as const),
)

let receiver: WebhookReceiver
let server: KillableServer
/**
 * For each place at which a test kills the process, a learner. The next message of each learner makes the conversation
 * run every step of a turn.
 */
const waiting = new Map<string, Learner>()

describe.skipIf(process.platform !== 'linux')('the process is killed exactly at a step of a turn', () => {
  beforeAll(async () => {
    receiver = await WebhookReceiver.start(SECRET)
    server = await KillableServer.start(CONFIG, {
      WALKON_REHEARSAL_PACE_MS: String(PACE_MS),
      WALKON_TURN_LEASE_MS: '4000',
      WALKON_WEBHOOK_URL: receiver.url,
      WALKON_WEBHOOK_SECRET: SECRET,
      WALKON_WEBHOOK_INSECURE: 'true',
      WALKON_DELIVERY_TIMEOUT_MS: String(DELIVERY_MS),
      WALKON_EMAIL_FROM: 'walkon@example.com',
      WALKON_EMAIL_TO: 'desk@example.com',
    })
    await Promise.all(
      PLACES.map(async ([when, , step]) =>
        waiting.set(`${step} ${when}`, await Learner.beforeTheLast(`${step}-${when}`)),
      ),
    )
  }, 300_000)
  afterAll(async () => {
    for (const learner of waiting.values()) learner.leave()
    await server.stop()
    await receiver.stop()
  })

  it.each(PLACES)('[turn-38] %s step %i, %s', { timeout: 180_000 }, async (when, _, step) => {
    const learner = waiting.get(`${step} ${when}`)
    if (!learner) throw new Error('nobody is waiting')
    // If the test fails, the process may still stand still in the fault `spin`, and all later tests would fail.
    onTestFailed(() => server.crash())
    const spin: Armed = { step, when, nth: 1, fault: 'spin' }
    // Only another instance of the object recovers a turn, so the first instance has to die.
    await learner.arm(step === 'recover' ? [{ step: 'speak', when: 'before', nth: 1, fault: 'die' }, spin] : [spin])
    const reached = server.printed('fault-reached')
    const said = learner.sayTheLast(step === 'cancel')
    await reached
    await server.crash()
    await said
    expect(await learner.breaches()).toEqual([])
  })

  it(
    '[turn-38] [outbox-19] after all kills, every committed message was sent exactly once',
    { timeout: 240_000 },
    async () => {
      for (const { session } of waiting.values()) {
        const outbox = await door(server, session, 'outbox')
        const events = outbox.filter(({ effect }) => effect.includes('"emit-event"'))
        const committed = await Promise.all(events.map(({ id }) => messageIdOf(session, id)))
        expect(committed).toHaveLength(1)
        const taken = () => [...receiver.taken].filter(([, { data }]) => data['session'] === session).map(([id]) => id)
        // If an attempt died with the process, the lease of that attempt lasts twice the timeout.
        await vi.waitFor(() => expect(taken()).toEqual(committed), { timeout: 12 * DELIVERY_MS, interval: 50 })
      }
      expect(receiver.unverified).toEqual([])
    },
  )

  it(
    '[turn-38] [run-9] [memory-14] after all kills, every event is in the chain once',
    { timeout: 240_000 },
    async () => {
      for (const { session } of waiting.values()) {
        const body = `SELECT c.space, c.status, c.version, c.data ->> '$.earned' AS earned,
          json_array_length(c.data, '$.annotations') AS notes,
          (SELECT count(*) FROM memories WHERE context_id = c.id AND kind = 'annotation') AS remembered,
          (SELECT count(*) > 0 AND count(*) = count(DISTINCT content) FROM memories
            WHERE context_id = c.id AND kind IN ('event', 'said')) AS isKnown
        FROM contexts c JOIN sessions s ON s.run_id = c.root_id WHERE s.session = '${session}' ORDER BY c.depth`
        // If the process dies during a delivery to the chain, the new process does not know the delivery's lease. The
        // new process retries at the time of the stored alarm: when that lease would have ended, twenty seconds after
        // the delivery began.
        const inTheChain = async () => (await server.fetch('doors/db', { method: 'POST', body })).json()
        await vi.waitFor(async () => expect(await inTheChain()).toEqual(IN_THE_CHAIN), {
          timeout: 120_000,
          interval: 100,
        })
      }
    },
  )
})

/**
 * What the chain has stored when the whole conversation with Noor is over: three annotations, the learner's objective,
 * and the end of the conversation and of the run.
 */
const IN_THE_CHAIN = [
  { space: 'run', status: 'completed', version: 2, earned: null, notes: null, remembered: 0, isKnown: 0 },
  { space: 'noor', status: 'completed', version: 7, earned: '["ask-for-it"]', notes: 3, remembered: 3, isKnown: 1 },
]

/**
 * A learner who talks with Noor. In the learner's last turn, the colleague thinks, recalls, speaks, decides and sends.
 */
class Learner {
  readonly session: string
  readonly #tab: StreamWatcher
  readonly #written = new Map<string, string>()

  private constructor(session: string, tab: StreamWatcher) {
    this.session = session
    this.#tab = tab
  }

  static async beforeTheLast(name: string): Promise<Learner> {
    const session = await openSession(server, { scenario: 'week-three', npc: 'noor' })
    const tab = new StreamWatcher(server, session, name)
    const learner = new Learner(session, tab)
    await tab.until(() => tab.isLinked)
    for (const line of noorPath.slice(0, SENDING_TURN - 1)) await learner.#say(line)
    return learner
  }

  async arm(faults: readonly Armed[]): Promise<void> {
    const response = await server.fetch(`doors/${this.session}/arm`, { method: 'POST', body: JSON.stringify(faults) })
    expect(response.status).toBe(200)
  }

  /**
   * Sends the last message, stops the reply if `stops` is true, and sends again or retries until the turn is complete.
   */
  async sayTheLast(stops: boolean): Promise<void> {
    const line = noorPath[SENDING_TURN - 1] ?? ''
    const first = this.#say(line)
    if (stops) {
      await this.#tab.until(() => this.#tab.running?.text)
      this.#tab.cancel(this.#tab.running?.turn ?? 0)
    }
    let outcome = await first
    for (let tries = 0; outcome !== 'complete' && tries < 3; tries++) {
      outcome = await (outcome === 'failed' ? this.#retry() : this.#say(line))
    }
    expect(outcome).toBe('complete')
  }

  /** Returns every breach of the server's promises that this client or a newly connected client can see. */
  async breaches() {
    const fresh = new StreamWatcher(server, this.session, 'fresh')
    await fresh.until(() => fresh.isLinked)
    await this.#tab.until(() => this.#tab.isLinked && this.#tab.events.length >= fresh.events.length)
    fresh.leave()
    return audit({ clients: [this.#tab], written: this.#written, stored: fresh.events, said: null })
  }

  leave(): void {
    this.#tab.leave()
  }

  #say(text: string): Promise<string> {
    const cid = `c${this.#written.size + 1}`
    this.#written.set(cid, text)
    return this.#ask({ name: 'say', body: { cid, text } })
  }

  #retry(): Promise<string> {
    const turn = this.#tab.last?.turn ?? 0
    return this.#ask({ name: 'retry', body: { cid: `r${this.#tab.events.length}`, turn } })
  }

  async #ask(message: Parameters<StreamWatcher['ask']>[0]): Promise<string> {
    const answer = await this.#tab.ask(message)
    if (!answer.ok) throw new Error(`refused: ${answer.code}`)
    return this.#tab.until(() => {
      const last = this.#tab.events.findLast(({ type }) => type === 'turn' || type === 'turn-start')
      return last?.type === 'turn' && last.turn === answer.turn && last.seq > answer.seq && last.outcome
    })
  }
}
