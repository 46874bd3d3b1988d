import { Arrivals } from './arrivals.ts'

/** A WebSocket over TCP whose frames are read one by one, with nothing of Engine.IO in between. */
export class FrameSocket {
  readonly ws: WebSocket
  readonly #arrivals = new Arrivals()

  constructor(url: URL) {
    this.ws = new WebSocket(url.href.replace('http', 'ws'))
    this.ws.binaryType = 'arraybuffer'
    this.ws.addEventListener('open', () => this.#arrivals.push('open', null))
    this.ws.addEventListener('error', () => this.#arrivals.push('error', null))
    this.ws.addEventListener('message', ({ data }) => {
      this.#arrivals.push('frame', data instanceof ArrayBuffer ? new Uint8Array(data) : data)
    })
    this.ws.addEventListener('close', ({ code, reason }) => this.#arrivals.push('close', { code, reason }))
  }

  async opened(): Promise<void> {
    await this.#arrivals.next('open')
  }

  send(frame: string | Uint8Array<ArrayBuffer>): void {
    this.ws.send(frame)
  }

  /** The oldest frame that was not read yet, or the next to come; text, or bytes. */
  next(): Promise<unknown> {
    return this.#arrivals.next('frame')
  }

  /** As `next`, but pings are passed over. */
  async nextButPing(): Promise<unknown> {
    for (;;) {
      const frame = await this.next()
      if (frame !== '2') return frame
    }
  }

  /** Code and reason of the close frame, when the connection has ended. */
  async closed(): Promise<{ code: number; reason: string }> {
    return (await this.#arrivals.next('close')) as { code: number; reason: string }
  }

  close(): void {
    this.ws.close()
  }
}
