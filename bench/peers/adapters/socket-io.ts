import type { WebSocket } from 'ws'
import { Ear, openSocket, type Talk } from '../peer.ts'

export interface SocketIoOptions {
  readonly url: URL
  /** The object in the client's CONNECT packet. */
  readonly auth?: object
  /** Whether a frame shows that the server takes messages now. */
  readonly isReady: (frame: string) => boolean
  /** Whether a frame ends the turn. */
  readonly isEnd: (frame: string) => boolean
  readonly body: (text: string) => object
}

/** A client of Socket.IO that does only what the measurements need, with one WebSocket. */
export class SocketIoTalk implements Talk {
  readonly ear = new Ear()
  readonly #options: SocketIoOptions
  #socket: WebSocket | null = null
  #asked = 0

  constructor(options: SocketIoOptions) {
    this.#options = options
  }

  async connect(): Promise<void> {
    const { url, auth, isReady, isEnd } = this.#options
    const ready = Promise.withResolvers<void>()
    // An unheard rejection must not end the process before somebody awaits it.
    ready.promise.catch(() => {})
    const hear = (frame: string, bytes: number) => {
      if (frame === '2') return this.#socket?.send('3')
      this.ear.hear(frame, bytes)
      if (frame.startsWith('0'))
        hello.then(
          (socket) => socket.send(`40${auth ? JSON.stringify(auth) : ''}`),
          () => {},
        )
      if (frame.startsWith('44')) ready.reject(new Error(`refused: ${frame}`))
      if (/^43\d+\[\{"ok":false/.test(frame)) this.ear.fail(`refused: ${frame}`)
      if (isReady(frame)) ready.resolve()
      if (isEnd(frame)) this.ear.end()
    }
    const hello = openSocket(url, hear)
    this.#socket = await hello
    this.#socket.on('close', () => {
      ready.reject(new Error('closed'))
      this.ear.fail('closed')
    })
    this.#socket.on('error', () => {})
    await ready.promise
  }

  say(text: string): void {
    this.#socket?.send(`42${this.#asked++}${JSON.stringify(['say', this.#options.body(text)])}`)
  }

  close(): void {
    this.ear.stop()
    this.#socket?.terminate()
  }
}
