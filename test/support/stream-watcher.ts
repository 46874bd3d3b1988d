import { isDeepStrictEqual } from 'node:util'
import type { Socket } from 'socket.io-client'
import type { Accepted, Acknowledgement, Delta, Hello, LogEvent, Refusal, Up } from '../../worker/wire/messages.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { admission, passage } from './credentials.ts'
import { type ClientOptions, connectClient } from './socket-client.ts'
import type { WorkerServer } from './worker-server.ts'

/** What a client was shown of one attempt, put together by offset. */
export interface Shown {
  readonly turn: number
  readonly attempt: number
  readonly text: string
}

/** A promise that a server broke, seen from a client. */
export interface Breach {
  readonly kind: 'lost' | 'doubled' | 'stuck' | 'shown' | 'order' | 'foreign' | 'unpaid' | 'walked'
  readonly what: string
}

type Message = { [N in 'say' | 'choose' | 'retry']: { name: N; body: Up[N] } }['say' | 'choose' | 'retry']

interface Outgoing {
  readonly message: Message
  readonly answered: (answer: Acknowledgement) => void
}

/** How long an answer may take on a line that stands. In milliseconds. */
const ANSWER_MS = 10_000
/** A service that asks for patience is given at most this much, so that a run does not wait for it. In milliseconds. */
const PATIENCE_MS = 500

export interface WatcherOptions {
  /** Called after everything that comes, with the type of an event or the name of anything else. */
  readonly told?: (what: string) => void
  /** How the official client is to be set up. */
  readonly line?: ClientOptions
}

/**
 * A learner at the official client who reconnects by cursor, sends a message under one `cid` until it is acknowledged,
 * keeps everything that was ever shown, and notes whatever was not as `docs/reference/protocol.md` promises.
 */
export class StreamWatcher {
  readonly breaches: Breach[] = []
  readonly events: LogEvent[] = []
  readonly acknowledged = new Map<string, Accepted>()
  /** The ids of the commands that were carried out, in order. */
  readonly commands: string[] = []
  hellos = 0
  deltas = 0
  /** Answers that asked for patience. */
  refusals = 0
  isLinked = false
  isLeft = false
  readonly #shown = new Map<string, Shown>()
  readonly #waiting = new Map<string, Outgoing>()
  readonly #socket: Socket
  readonly #told: (what: string) => void
  #epoch = ''
  #refusal = ''
  #wakes: (() => void)[] = []

  constructor(
    server: Pick<WorkerServer, 'url'>,
    session: string,
    clientId: string,
    { told = () => {}, line = {} }: WatcherOptions = {},
  ) {
    this.#told = told
    this.#socket = connectClient(new URL('socket.io/', server.url), {
      ...line,
      query: { ...passage(session), hb: '1' },
      auth: (give: (auth: object) => void) =>
        give({ v: WIRE_VERSION, clientId, ...admission(session), ...this.#position() }),
    }).socket
    this.#socket.on('hello', (hello: Hello) => this.#hear('hello', () => this.#greet(hello)))
    this.#socket.on('event', (event: LogEvent) => this.#hear(event.type, () => this.#take(event)))
    this.#socket.on('delta', (delta: Delta) => this.#hear('delta', () => this.#show(delta)))
    this.#socket.on('disconnect', () => this.#hear('down', () => (this.isLinked = false)))
    this.#socket.on('connect_error', (error: Error & { data?: unknown }) =>
      this.#hear('down', () => this.#refused(error)),
    )
  }

  get shown(): readonly Shown[] {
    return [...this.#shown.values()]
  }

  /** The reply that is on the screen and goes on, if one does. */
  get running(): Shown | null {
    const last = this.#lastStart()
    if (!last || this.#endOf(last.turn, last.attempt)) return null
    return this.#shown.get(keyOf(last)) ?? { turn: last.turn, attempt: last.attempt, text: '' }
  }

  get last(): LogEvent | undefined {
    return this.events.at(-1)
  }

  /** Sends until it is answered with anything but a request for patience, over as many connections as it takes. */
  ask(message: Message): Promise<Acknowledgement> {
    return new Promise((answered) => {
      const outgoing = { message, answered }
      this.#waiting.set(message.body.cid, outgoing)
      if (this.isLinked) this.#transmit(outgoing)
    })
  }

  /** Asks for the running reply to be stopped, once, and expects nothing. */
  cancel(turn: number): void {
    if (this.isLinked) this.#socket.emit('cancel', { turn } satisfies Up['cancel'])
  }

  /** The first thing `look` finds, now or after something else has come. @throws when it was refused for good. */
  async until<T>(look: () => T | undefined | false | null): Promise<T> {
    for (;;) {
      const found = look()
      if (found) return found
      if (this.#refusal) throw new Error(this.#refusal)
      await new Promise<void>((resolve) => this.#wakes.push(resolve))
    }
  }

  /** Drops the line as a network does; the client comes back. */
  drop(): void {
    this.#socket.io.engine.close()
  }

  leave(): void {
    this.isLeft = true
    this.#socket.disconnect()
  }

  #hear(what: string, act: () => void): void {
    act()
    this.#told(what)
    for (const wake of this.#wakes.splice(0)) wake()
  }

  #greet(hello: Hello): void {
    const knew = this.#epoch !== ''
    if (knew && hello.epoch !== this.#epoch) this.#note('lost', `the log became another one`)
    if (knew && hello.mode === 'snapshot') this.#note('lost', `sent back to the start at ${this.events.length}`)
    if (hello.head < this.events.length) this.#note('lost', `the log ends at ${hello.head}, ${this.events.length} seen`)
    this.#epoch = hello.epoch
    for (const event of hello.events) this.#take(event)
    if (hello.running) this.#show(hello.running, true)
    this.hellos += 1
    this.isLinked = true
    for (const outgoing of this.#waiting.values()) this.#transmit(outgoing)
  }

  #take(event: LogEvent): void {
    const before = this.events[event.seq - 1]
    if (before) {
      if (!isDeepStrictEqual(before, event)) this.#note('lost', `event ${event.seq} became another one`)
      return
    }
    if (event.seq !== this.events.length + 1) return this.#note('lost', `${event.seq} came after ${this.events.length}`)
    if (event.type === 'turn' && this.#endOf(event.turn, event.attempt))
      this.#note('doubled', `turn ${keyOf(event)} ended twice`)
    if (event.type === 'command') this.#carryOut(event.id)
    this.events.push(event)
  }

  #carryOut(id: string): void {
    if (this.commands.includes(id)) this.#note('doubled', `command ${id} was given twice`)
    else this.commands.push(id)
  }

  #show({ turn, attempt, offset, text }: Delta, isRest = false): void {
    const start = this.#lastStart()
    const key = keyOf({ turn, attempt })
    const have = this.#shown.get(key)?.text ?? ''
    this.deltas += 1
    if (start?.turn !== turn || start.attempt !== attempt) return this.#note('order', `a piece of ${key}, unannounced`)
    if (this.#endOf(turn, attempt)) return this.#note('order', `a piece of ${key} after its end`)
    if (offset > have.length) return this.#note('shown', `${key} misses ${have.length} to ${offset}`)
    // On one connection nothing is said twice; a resumed one may begin anywhere in what is known.
    if (!isRest && offset !== have.length) this.#note('doubled', `${key} was at ${have.length}, told from ${offset}`)
    if (!text.startsWith(have.slice(offset, offset + text.length)))
      this.#note('shown', `${key} changed after ${offset}`)
    this.#shown.set(key, { turn, attempt, text: have.slice(0, offset) + longer(have.slice(offset), text) })
  }

  #transmit(outgoing: Outgoing): void {
    const { name, body } = outgoing.message
    this.#socket.timeout(ANSWER_MS).emit(name, body, (error: Error | null, answer: Acknowledgement) => {
      // Whatever became of it: the next `hello` sends it again, and if the line still stands, this does.
      if (error) return void (this.isLinked && this.#again(outgoing))
      this.#hear('answer', () => this.#answered(outgoing, answer))
    })
  }

  #answered(outgoing: Outgoing, answer: Acknowledgement): void {
    const { cid } = outgoing.message.body
    if (!answer.ok && answer.next === 'retry-after') return this.#later(outgoing, answer)
    this.#waiting.delete(cid)
    if (answer.ok) {
      const before = this.acknowledged.get(cid)
      if (before && !isDeepStrictEqual(before, answer)) this.#note('doubled', `${cid} was acknowledged in two ways`)
      this.acknowledged.set(cid, answer)
    }
    outgoing.answered(answer)
  }

  #later(outgoing: Outgoing, { retryAfterMs = 0 }: Refusal): void {
    this.refusals += 1
    setTimeout(() => this.#again(outgoing), Math.min(retryAfterMs, PATIENCE_MS))
  }

  #again(outgoing: Outgoing): void {
    if (this.isLinked && this.#waiting.get(outgoing.message.body.cid) === outgoing) this.#transmit(outgoing)
  }

  #refused(error: Error & { data?: unknown }): void {
    // The official client goes on trying unless it was refused for good.
    if (this.#socket.active) return
    this.#refusal = `refused for good: ${error.message} ${JSON.stringify(error.data)}`
    this.#note('lost', this.#refusal)
  }

  /** Where this client stands, as [message-3] and [message-22] ask for it. */
  #position(): object {
    if (this.#epoch === '') return {}
    const cursor = { epoch: this.#epoch, seq: this.events.length }
    const { running } = this
    if (!running) return { cursor }
    return { cursor, have: { turn: running.turn, attempt: running.attempt, offset: running.text.length } }
  }

  #lastStart() {
    return this.events.findLast((event) => event.type === 'turn-start')
  }

  #endOf(turn: number, attempt: number) {
    return this.events.findLast((event) => event.type === 'turn' && event.turn === turn && event.attempt === attempt)
  }

  #note(kind: Breach['kind'], what: string): void {
    this.breaches.push({ kind, what })
  }
}

export function keyOf({ turn, attempt }: { readonly turn: number; readonly attempt: number }): string {
  return `${turn}.${attempt}`
}

function longer(a: string, b: string): string {
  return a.length > b.length ? a : b
}
