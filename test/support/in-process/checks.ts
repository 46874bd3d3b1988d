import { apply, EMPTY_TRANSCRIPT, runningSpeech, type TranscriptState } from '../../../widget/apply.ts'
import { decode } from '../../../worker/wire/decode.ts'
import type { SessionStore } from '../../../worker/session/session-store.ts'
import type { Acknowledgement, Delta, Hello, LogEvent } from '../../../worker/wire/messages.ts'
import type { Tab, TabListener } from './tab.ts'

/** The error for a broken invariant. Its message begins with the invariant's number. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

/** The part of a client's message that the checks must find in the log. */
export interface Sent {
  readonly name: string
  readonly text: string
  readonly turn?: number
}

/**
 * How many attempts a turn may have if the learner never retries. The server begins a second attempt only if the runner
 * of the first one has died. Each retry by the learner allows one attempt more.
 */
const MAX_ATTEMPTS = 2

/**
 * Checks the invariants that hold in every history: I1 to I5, I7, I9 and I11 of `reference-model.ts`. Some are checked
 * while the history runs, the others at its end. The class reads the log as clients do, so it does not depend on how
 * the log is stored.
 */
export class Checks implements TabListener {
  /** All events that the checks have read from the log. They are durable, so this list never gets shorter. */
  readonly log: LogEvent[] = []
  readonly #logged: string[] = []
  readonly #accepted = new Map<string, Acknowledgement>()
  readonly #sent = new Map<string, Sent>()
  readonly #shown = new Map<string, string>()
  readonly #streamed = new Map<string, number>()
  readonly #left = new Set<string>()
  readonly #asked = new Map<string, number>()

  /**
   * Reads the log's new events. Call this only when they are durable, which means that a crash cannot lose them any
   * more.
   */
  read(store: SessionStore): void {
    for (const event of store.eventsAfter(this.log.length)) {
      if (event.seq !== this.log.length + 1)
        throw new Violation(`I4 the log goes from ${this.log.length} to ${event.seq}`)
      this.log.push(event)
      this.#logged.push(JSON.stringify(event))
    }
  }

  sent(cid: string, sent: Sent): void {
    this.#sent.set(cid, sent)
  }

  asked(turn: number, attempt: number): void {
    const key = `${turn}.${attempt}`
    const times = (this.#asked.get(key) ?? 0) + 1
    this.#asked.set(key, times)
    if (times > 1) throw new Violation(`I9 a reply was asked for ${times} times in attempt ${key}`)
  }

  /** Checks an event that the object sends to the clients. `read` must run right before this method. */
  eventLeaves(event: LogEvent): void {
    if (this.#logged[event.seq - 1] !== JSON.stringify(event))
      throw new Violation(`I5 event ${event.seq} left and is not stored`)
    if (event.type === 'turn-start') this.#left.add(`start ${event.turn}.${event.attempt}`)
    if (event.type === 'turn') this.#left.add(`end ${event.turn}.${event.attempt}`)
  }

  /** Checks a piece of a reply that the object sends to the clients. */
  deltaLeaves({ turn, attempt, offset, text }: Delta): void {
    const key = `${turn}.${attempt}`
    const isBegun = this.log.some(
      (event) => event.type === 'turn-start' && event.turn === turn && event.attempt === attempt,
    )
    if (!isBegun) throw new Violation(`I5 a piece of ${key}, which has not begun`)
    if (this.#left.has(`end ${key}`)) throw new Violation(`I4 a piece of ${key} after its end`)
    if (this.#left.has(`start ${turn}.${attempt + 1}`)) throw new Violation(`I5 a piece of ${key}, which is void`)
    const expected = this.#streamed.get(key) ?? 0
    if (offset !== expected) throw new Violation(`I4 a piece of ${key} at ${offset}, not at ${expected}`)
    this.#streamed.set(key, offset + text.length)
  }

  news(_: Tab, event: LogEvent): void {
    const stored = this.#logged[event.seq - 1]
    if (stored === undefined || JSON.stringify(JSON.parse(stored)) !== JSON.stringify(pick(event, stored)))
      throw new Violation(`I5 a client applied event ${event.seq}, which is not what is stored`)
  }

  shown({ state }: Tab): void {
    const speech = runningSpeech(state)
    if (!speech || speech.text === '') return
    const key = `${speech.turn}.${speech.attempt}`
    const before = this.#shown.get(key) ?? ''
    const [short, long] = before.length < speech.text.length ? [before, speech.text] : [speech.text, before]
    if (!long.startsWith(short)) throw new Violation(`I4 two texts were shown of ${key}: ${short} | ${long}`)
    this.#shown.set(key, long)
  }

  acknowledged(_: Tab, cid: string, answer: Acknowledgement): void {
    if (!answer.ok) return
    const before = this.#accepted.get(cid)
    if (before && JSON.stringify(before) !== JSON.stringify(answer)) throw new Violation(`I2 two answers for ${cid}`)
    this.#accepted.set(cid, answer)
  }

  /** The number of attempts whose text a screen showed before the attempt ended. */
  get shownAttempts(): number {
    return this.#shown.size
  }

  /** Checks the store and the tabs at the end of a history. */
  atRest(store: SessionStore, tabs: readonly Tab[], hello: Hello): void {
    this.read(store)
    if (JSON.stringify(store.eventsAfter(0)) !== JSON.stringify(this.log))
      throw new Violation('I5 what left is not stored')
    this.#everyMessageOnce()
    this.#everyTurnEnded(store)
    this.#everyShownAccountedFor()
    this.#everyCommandOnce(tabs)
    const screen = screenOf(apply(EMPTY_TRANSCRIPT, inputOf(hello)).state)
    for (const tab of tabs) {
      const stuck = tab.entries.find(({ state }) => state === 'queued' || state === 'sending')
      if (stuck) throw new Violation(`I11 ${tab.clientId} never got rid of ${stuck.cid}`)
      if (screenOf(tab.state) !== screen)
        throw new Violation(`I4 ${tab.clientId} shows ${screenOf(tab.state)}, stored is ${screen}`)
    }
  }

  #everyMessageOnce(): void {
    const places = new Map<string, number>()
    for (const event of this.log) {
      const cid =
        event.type === 'turn-start' && event.attempt === 1
          ? event.cid
          : event.type === 'pivot-end'
            ? event.choice?.cid
            : null
      if (cid) places.set(cid, (places.get(cid) ?? 0) + 1)
    }
    for (const [cid, times] of places) if (times > 1) throw new Violation(`I2 ${cid} is in the log ${times} times`)
    for (const [cid, answer] of this.#accepted) {
      const sent = this.#sent.get(cid)
      if (!answer.ok || sent?.name === 'retry') continue
      if (!places.has(cid)) throw new Violation(`I1 ${cid} was accepted and is not in the log`)
      const said = this.log.find((event) => event.type === 'turn-start' && event.cid === cid)
      if (said?.type === 'turn-start' && said.text !== sent?.text)
        throw new Violation(`I1 ${cid} is in the log in other words`)
    }
  }

  #everyTurnEnded(store: SessionStore): void {
    const ends = new Map<string, number>()
    for (const event of this.log) {
      const key = event.type === 'turn' || event.type === 'turn-start' ? `${event.turn}.${event.attempt}` : ''
      if (event.type === 'turn-start' && ends.has(key)) throw new Violation(`I3 attempt ${key} began twice`)
      if (event.type === 'turn-start') ends.set(key, 0)
      if (event.type === 'turn') ends.set(key, (ends.get(key) ?? 9) + 1)
    }
    for (const [key, times] of ends) {
      const [turn, attempt] = key.split('.').map(Number) as [number, number]
      const isLast = !ends.has(`${turn}.${attempt + 1}`)
      if (times > 1 || (isLast && times !== 1)) throw new Violation(`I3 attempt ${key} has ${times} ends`)
    }
    for (const event of this.log) {
      if (event.type !== 'turn-start') continue
      const retries = [...this.#sent.values()].filter(({ turn }) => turn === event.turn).length
      if (event.attempt > MAX_ATTEMPTS + retries)
        throw new Violation(`I9 turn ${event.turn} began ${event.attempt} times`)
    }
    const last = store.lastTurn()
    if (last && (last.status === 'running' || !last.isTold))
      throw new Violation(`I11 turn ${last.id} is ${last.status}`)
    if (store.walk().open) throw new Violation('I11 the walk stands open')
  }

  /**
   * Checks every text of an attempt that a screen showed. The stored reply must begin with the text. The exception: the
   * attempt failed, or another attempt followed.
   */
  #everyShownAccountedFor(): void {
    for (const [key, text] of this.#shown) {
      const [turn, attempt] = key.split('.').map(Number)
      const end = this.log.find((event) => event.type === 'turn' && event.turn === turn && event.attempt === attempt)
      const isVoid =
        (end?.type === 'turn' && end.outcome === 'failed') ||
        this.log.some((event) => event.type === 'turn-start' && event.turn === turn && event.attempt > (attempt ?? 0))
      if (!isVoid && !(end?.type === 'turn' && end.text.startsWith(text)))
        throw new Violation(`I5 ${key} was shown as ${text} and is stored as ${JSON.stringify(end)}`)
    }
  }

  #everyCommandOnce(tabs: readonly Tab[]): void {
    const ids = this.log.flatMap((event) => (event.type === 'command' ? [event.id] : []))
    if (new Set(ids).size !== ids.length) throw new Violation(`I7 a command was given twice: ${ids.join(' ')}`)
    for (const { done, clientId, seen } of tabs) {
      if (new Set(done).size !== done.length) throw new Violation(`I7 ${clientId} carried a command out twice`)
      if (seen < this.log.length)
        throw new Violation(`I7 ${clientId} has acted on ${seen} of ${this.log.length} events`)
      if (done.some((id) => !ids.includes(id))) throw new Violation(`I7 ${clientId} carried out what was never stored`)
    }
  }
}

function screenOf({ items, pivot, ended, level, seq, gap }: TranscriptState): string {
  return JSON.stringify({ items, pivot, ended, level, seq, gap })
}

function inputOf(hello: Hello) {
  const read = decode('hello', JSON.parse(JSON.stringify(hello)))
  if (read?.name !== 'hello') throw new Violation('I4 the widget cannot read a hello')
  return { type: 'hello', hello: { ...read.body, mode: 'snapshot' } } as const
}

/**
 * Returns an event with its fields in the order in which they are stored. The decoder has put them into another order.
 */
function pick(event: LogEvent, stored: string): unknown {
  return ordered(event, JSON.parse(stored) as unknown)
}

function ordered(value: unknown, like: unknown): unknown {
  if (typeof like !== 'object' || like === null || Array.isArray(like)) return value
  return Object.fromEntries(
    Object.entries(like).map(([name, part]) => [name, ordered(Reflect.get(Object(value) as object, name), part)]),
  )
}
