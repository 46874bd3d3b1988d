import { isDeepStrictEqual } from 'node:util'
import type { Socket } from 'socket.io-client'
import type { Accepted, Acknowledgement, Delta, Hello, LogEvent, Refusal, Up } from '../../worker/wire/messages.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { admission, passage } from './credentials.ts'
import { type ClientOptions, connectClient } from './socket-client.ts'
import type { WorkerServer } from './worker-server.ts'

/** What a client was shown of one attempt. The offsets of the pieces say where each piece belongs. */
export interface Shown {
  readonly turn: number
  readonly attempt: number
  readonly text: string
}

/** A promise that the server broke, as a client sees it. */
export interface Breach {
  readonly kind: 'lost' | 'doubled' | 'stuck' | 'shown' | 'order' | 'foreign' | 'unpaid' | 'walked'
  readonly what: string
}

type Message = { [N in 'say' | 'choose' | 'retry']: { name: N; body: Up[N] } }['say' | 'choose' | 'retry']

interface Outgoing {
  readonly message: Message
  readonly answered: (answer: Acknowledgement) => void
}

/** Time limit of an answer on a working connection, in milliseconds. */
const ANSWER_MS = 10_000
/**
 * How long the watcher waits at most before it tries again, in milliseconds. The server may ask for more time, but a
 * test should be short.
 */
const PATIENCE_MS = 500

export interface WatcherOptions {
  /** Called after everything that the client receives, with the type of an event or the name of any other message. */
  readonly told?: (what: string) => void
  readonly line?: ClientOptions
}

/**
 * A learner with the official client. It reconnects with its position in the log (the cursor), and sends a message
 * again under the same `cid` until the server acknowledges it. It keeps every text that it was shown, and records every
 * violation of `docs/reference/protocol.md`.
 */
export class StreamWatcher {
  readonly breaches: Breach[] = []
  readonly events: LogEvent[] = []
  readonly acknowledged = new Map<string, Accepted>()
  /** The ids of the commands that the client has carried out, in order. */
  readonly commands: string[] = []
  hellos = 0
  deltas = 0
  /** The number of answers that told the client to retry later. */
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

  /** The reply that is not finished yet, as far as the screen shows it. Null if there is none. */
  get running(): Shown | null {
    const last = this.#lastStart()
    if (!last || this.#endOf(last.turn, last.attempt)) return null
    return this.#shown.get(keyOf(last)) ?? { turn: last.turn, attempt: last.attempt, text: '' }
  }

  get last(): LogEvent | undefined {
    return this.events.at(-1)
  }

  /**
   * Sends a message, if necessary several times and on new connections, until the server gives an answer other than
   * "retry later". Returns this answer.
   */
  ask(message: Message): Promise<Acknowledgement> {
    return new Promise((answered) => {
      const outgoing = { message, answered }
      this.#waiting.set(message.body.cid, outgoing)
      if (this.isLinked) this.#transmit(outgoing)
    })
  }

  /** Asks the server once to stop the running reply, and waits for no answer. */
  cancel(turn: number): void {
    if (this.isLinked) this.#socket.emit('cancel', { turn } satisfies Up['cancel'])
  }

  /**
   * Returns the first truthy value of `look`, which is called after each arrival. @throws Error when the server has
   * refused the client and the client must not try again
   */
  async until<T>(look: () => T | undefined | false | null): Promise<T> {
    for (;;) {
      const found = look()
      if (found) return found
      if (this.#refusal) throw new Error(this.#refusal)
      await new Promise<void>((resolve) => this.#wakes.push(resolve))
    }
  }

  /** Closes the connection as a failing network does. The client then reconnects. */
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
    // On one connection, the server must not send any text twice. After a new connection, the first piece of an attempt
    // may begin anywhere in the text that the client already has.
    if (!isRest && offset !== have.length) this.#note('doubled', `${key} was at ${have.length}, told from ${offset}`)
    if (!text.startsWith(have.slice(offset, offset + text.length)))
      this.#note('shown', `${key} changed after ${offset}`)
    this.#shown.set(key, { turn, attempt, text: have.slice(0, offset) + longer(have.slice(offset), text) })
  }

  #transmit(outgoing: Outgoing): void {
    const { name, body } = outgoing.message
    this.#socket.timeout(ANSWER_MS).emit(name, body, (error: Error | null, answer: Acknowledgement) => {
      // Nobody knows whether the server has stored the message. If the connection still works, the message is sent
      // again now. Otherwise it is sent again after the next `hello`.
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
    // While `active` is true, the official client will connect again by itself. After a refused CONNECT, it is false.
    if (this.#socket.active) return
    this.#refusal = `refused for good: ${error.message} ${JSON.stringify(error.data)}`
    this.#note('lost', this.#refusal)
  }

  /** Returns the client's position in the log, as [message-3] and [message-22] require. */
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
