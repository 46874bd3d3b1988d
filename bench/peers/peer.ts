import { WebSocket } from 'ws'
import type { Child } from './child.ts'
import { now } from './numbers.ts'
import type { Bundle } from './workerd.ts'

/** One of the servers that are compared. */
export interface Peer {
  readonly id: string
  readonly name: string
  /** The path of the model's API that the server uses. */
  readonly modelPath: '/v1' | '/walkon/v1'
  /**
   * What the row of new sessions counts: requests that begin a session, or connections. Null if the server has neither,
   * as a proxy.
   */
  readonly opens: 'sessions' | 'connections' | null
  /** Makes what has to be made only once. The folder is empty, and is removed at the end. */
  prepare(folder: string): Promise<Bundle | null>
  start(model: string): Promise<Served>
}

export interface Served extends Child {
  /** The folder in which the server stores; null if it stores nothing. */
  readonly data: string | null
  begin(): Promise<Talk>
  /** Begins a conversation that lasts longer than any test. */
  beginLong?(): Promise<Talk>
}

/** The client's side of one conversation. */
export interface Talk {
  readonly ear: Ear
  /** Connects. Resolves when the server would take a message. */
  connect(): Promise<void>
  say(text: string): void
  close(): void
}

const TOKEN = /k(\d{5})/g

/** What a client hears of one turn. */
export class Ear {
  /** The number of each token, and when it first arrived. Whatever the frame is, a token is found by its form. */
  readonly arrived = new Map<number, number>()
  bytes = 0
  frames = 0
  #isListening = false
  #end: PromiseWithResolvers<void> | null = null

  /** Begins to listen. Resolves at the end of the turn. */
  listen(): Promise<void> {
    this.arrived.clear()
    this.bytes = this.frames = 0
    this.#isListening = true
    this.#end = Promise.withResolvers()
    return this.#end.promise
  }

  stop(): void {
    this.#isListening = false
  }

  hear(frame: string, bytes: number): void {
    if (!this.#isListening) return
    const at = now()
    this.bytes += bytes
    this.frames++
    for (const [, number] of frame.matchAll(TOKEN))
      if (!this.arrived.has(Number(number))) this.arrived.set(Number(number), at)
  }

  end(): void {
    this.#end?.resolve()
  }

  fail(why: string): void {
    this.#end?.reject(new Error(why))
  }
}

/** Opens a WebSocket without compression, so that all servers send what they say. */
export function openSocket(url: URL | string, hear: (frame: string, bytes: number) => void): Promise<WebSocket> {
  const socket = new WebSocket(String(url).replace(/^http/, 'ws'), { perMessageDeflate: false })
  socket.on('message', (data: Buffer) => hear(data.toString(), data.length))
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}
