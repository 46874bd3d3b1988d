/**
 * A client that its author wrote from docs/reference/protocol.md alone, with only Node's fetch and WebSocket. It takes
 * no type and no code from the worker or the widget. So if this client works, the document says enough. The client
 * keeps the events that it has received. It reconnects only when a test calls `open` again; [protocol-23] says when a
 * real client should.
 */

import { admission, type Given, keepCredentials, passage } from './credentials.ts'

export interface Entry {
  seq: number
  at: number
  type: string
  [field: string]: unknown
}

export interface Running {
  turn: number
  attempt: number
  text: string
}

export interface Hello {
  mode: 'snapshot' | 'resume'
  epoch: string
  events: Entry[]
  running: (Running & { offset: number }) | null
}

export type Answer = { ok: true; turn: number; seq: number } | Refusal

export interface Refusal {
  ok: false
  next: string
  code: string
  message: string
  retryAfterMs?: number
}

export interface Ending {
  code: number
  reason: string
}

/**
 * Sends `POST /api/sessions` ([message-1]) and returns the session's id. @throws Error with the status when the server
 * refuses
 */
export async function beginSession(server: URL, body: { scenario?: string; npc?: string } = {}): Promise<string> {
  const response = await fetch(new URL('/api/sessions', server), { method: 'POST', body: JSON.stringify(body) })
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  return keepCredentials((await response.json()) as Given & { session: string })
}

export class PlainClient {
  /** The events of the conversation's log so far, from all sockets. */
  entries: Entry[] = []
  /** The reply that is being sent at the moment, as far as the client has received it. Null if there is none. */
  running: Running | null = null
  /** The last `hello` of the current socket. */
  hello: Hello | undefined
  /** The CONNECT_ERROR of the current socket ([protocol-8]). */
  refused: { message: string; data?: { code: string; next: string } } | undefined
  /** How the current socket was closed, or undefined while the socket is open. */
  ended: Ending | undefined
  /** Every frame that the client has received, in order. */
  readonly frames: string[] = []
  /** The number of heartbeats that the server has answered. */
  beats = 0

  readonly #address: URL
  readonly #session: string
  readonly #beatMs: number
  #socket: WebSocket | undefined
  #epoch: string | undefined
  #nextAck = 0
  #nextCid = 0
  readonly #asked = new Map<number, PromiseWithResolvers<Answer>>()
  #changed = Promise.withResolvers<void>()

  constructor(server: URL, session: string, beatMs = 25_000) {
    const query = new URLSearchParams({ EIO: '4', transport: 'websocket', hb: '1', ...passage(session) })
    this.#session = session
    this.#address = new URL(`/socket.io/?${query}`, server)
    this.#address.protocol = server.protocol === 'https:' ? 'wss:' : 'ws:'
    this.#beatMs = beatMs
  }

  /**
   * Opens a socket and resumes where the previous socket ended. Resolves at `hello`, at a refusal, or when the socket
   * closes.
   */
  async open(): Promise<void> {
    this.hello = this.refused = this.ended = undefined
    const socket = new WebSocket(this.#address)
    this.#socket = socket
    const beating = setInterval(() => socket.readyState === WebSocket.OPEN && socket.send('42["hb"]'), this.#beatMs)
    socket.addEventListener('message', ({ data }) => {
      this.#hear(String(data))
      this.#change()
    })
    socket.addEventListener('close', ({ code, reason }) => {
      clearInterval(beating)
      this.ended = { code, reason }
      for (const { reject } of this.#asked.values()) reject(new Error(`closed (${code}) before the answer came`))
      this.#asked.clear()
      this.#change()
    })
    await this.until(() => this.hello !== undefined || this.refused !== undefined || this.ended !== undefined)
  }

  /** Waits until `holds` returns true. Calls `holds` after every frame. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.#changed.promise
  }

  /** Closes the socket without a protocol message, as when a page is closed. */
  async drop(): Promise<void> {
    this.#socket?.close()
    await this.until(() => this.ended !== undefined)
  }

  frame(data: string | Uint8Array<ArrayBuffer>): void {
    this.#socket?.send(data)
  }

  say(text: string, cid = this.#cid()): Promise<Answer> {
    return this.#ask('say', { cid, text })
  }

  choose(pivot: string, choice: string, cid = this.#cid()): Promise<Answer> {
    return this.#ask('choose', { cid, pivot, choice })
  }

  retry(turn: number, cid = this.#cid()): Promise<Answer> {
    return this.#ask('retry', { cid, turn })
  }

  sync(): void {
    this.#emit('', ['sync', this.#position()])
  }

  of(type: string): Entry[] {
    return this.entries.filter((entry) => entry.type === type)
  }

  #hear(frame: string): void {
    this.frames.push(frame)
    if (frame.startsWith('0')) this.frame(`40${JSON.stringify(this.#greeting())}`)
    else if (frame.startsWith('2')) this.frame(`3${frame.slice(1)}`)
    else if (frame.startsWith('44')) this.refused = JSON.parse(frame.slice(2))
    else if (frame.startsWith('43')) this.#hearAnswer(frame)
    else if (frame.startsWith('42')) this.#hearEvent(JSON.parse(frame.slice(2)))
  }

  #hearAnswer(frame: string): void {
    const at = frame.indexOf('[')
    const id = Number(frame.slice(2, at))
    this.#asked.get(id)?.resolve(JSON.parse(frame.slice(at))[0])
    this.#asked.delete(id)
  }

  #hearEvent([name, body]: [string, unknown]): void {
    if (name === 'hb') this.beats += 1
    if (name === 'hello') this.#applyHello(body as Hello)
    if (name === 'event') this.#applyEntry(body as Entry)
    if (name === 'delta') this.#applyDelta(body as Running & { offset: number })
  }

  #applyHello(hello: Hello): void {
    this.hello = hello
    this.#epoch = hello.epoch
    if (hello.mode === 'snapshot') this.entries = []
    if (hello.mode === 'snapshot') this.running = null
    for (const entry of hello.events) this.#applyEntry(entry)
    if (hello.running === null) this.running = null
    else this.#applyDelta(hello.running)
  }

  #applyEntry(entry: Entry): void {
    const head = this.entries.at(-1)?.seq ?? 0
    if (entry.seq <= head) return
    if (entry.seq > head + 1) return this.sync()
    this.entries.push(entry)
    if (entry.type === 'turn') this.running = null
  }

  #applyDelta({ turn, attempt, offset, text }: Running & { offset: number }): void {
    const now = this.running
    const isOlder = now !== null && (turn < now.turn || (turn === now.turn && attempt < now.attempt))
    if (isOlder) return
    const heard = now !== null && now.turn === turn && now.attempt === attempt ? now.text : ''
    if (offset > heard.length) return this.sync()
    this.running = { turn, attempt, text: heard + text.slice(heard.length - offset) }
  }

  #greeting() {
    return { v: 3, ...admission(this.#session), ...this.#position() }
  }

  /** Returns the client's position in the log, for CONNECT ([message-3]) and `sync` ([message-16]). */
  #position() {
    const seq = this.entries.at(-1)?.seq ?? 0
    const cursor = this.#epoch === undefined ? {} : { cursor: { epoch: this.#epoch, seq } }
    if (this.running === null) return cursor
    const { turn, attempt, text } = this.running
    return { ...cursor, have: { turn, attempt, offset: text.length } }
  }

  #ask(name: string, body: object): Promise<Answer> {
    const id = this.#nextAck++
    const asked = Promise.withResolvers<Answer>()
    this.#asked.set(id, asked)
    this.#emit(String(id), [name, body])
    return asked.promise
  }

  #emit(id: string, packet: [string, object]): void {
    this.frame(`42${id}${JSON.stringify(packet)}`)
  }

  #cid(): string {
    return `plain-${++this.#nextCid}`
  }

  #change(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
