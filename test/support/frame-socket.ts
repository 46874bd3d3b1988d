import { Arrivals } from './arrivals.ts'

/** A raw WebSocket client without Engine.IO. A test reads its frames one by one. */
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

  /** Returns the oldest frame that was not read yet, or waits for the next frame. A frame is a string or bytes. */
  next(): Promise<unknown> {
    return this.#arrivals.next('frame')
  }

  /** Returns the next frame as `next` does, but skips pings. */
  async nextButPing(): Promise<unknown> {
    for (;;) {
      const frame = await this.next()
      if (frame !== '2') return frame
    }
  }

  /** Waits until the connection has ended, and returns the code and reason of the close frame. */
  async closed(): Promise<{ code: number; reason: string }> {
    return (await this.#arrivals.next('close')) as { code: number; reason: string }
  }

  close(): void {
    this.ws.close()
  }
}
