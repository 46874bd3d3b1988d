import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** One WebSocket frame that the proxy receives. The direction `down` is towards the client. */
export interface Frame {
  readonly direction: 'up' | 'down'
  readonly connection: number
  /** The frame's number on this connection in this direction, counting from 1. */
  readonly number: number
  /** The frame's text; empty for a frame that is not a text frame. */
  readonly text: string
}

/**
 * What the proxy does with a frame: `pass` sends it on, `twice` sends it on twice, and `swallow` drops it. `break`
 * breaks the connection (RST) before the frame, and `break-after` after it. A promise holds back the frame, and all
 * later frames of its direction, until the promise settles.
 */
export type Fate = 'pass' | 'twice' | 'swallow' | 'break' | 'break-after' | Promise<unknown>

/**
 * A proxy between WebSocket clients and a server. For each frame, `rule` says what the proxy does with the frame. The
 * proxy passes on everything else unchanged.
 */
export class ChaosProxy {
  readonly url: URL
  /** How many connections have become a WebSocket so far. */
  connections = 0
  rule: (frame: Frame) => Fate = () => 'pass'
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server
    this.#sockets = sockets
    this.url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  }

  static async start(target: URL): Promise<ChaosProxy> {
    const later = Promise.withResolvers<ChaosProxy>()
    const sockets = new Set<Socket>()
    const server = createServer({ noDelay: true }, (client) => {
      const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
      }
      void later.promise.then((proxy) => proxy.#join(client, upstream))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const proxy = new ChaosProxy(server, sockets)
    later.resolve(proxy)
    return proxy
  }

  fetch(where: string, init?: RequestInit): Promise<Response> {
    return fetch(new URL(where, this.url), init)
  }

  /** Resets all open connections, as a failing network does. */
  breakAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.breakAll()
    await closed
  }

  #join(client: Socket, upstream: Socket): void {
    let connection = 0
    const up = new FrameReader(() => connection > 0)
    const down = new FrameReader((head) => {
      // Only the head of the server's response shows whether the connection becomes a WebSocket. From then on, frames
      // follow in each direction.
      if (head.startsWith('HTTP/1.1 101')) connection = ++this.connections
      return connection > 0
    })
    const pass = (reader: FrameReader, direction: Frame['direction'], to: Socket) => {
      let number = 0
      let turn: Promise<unknown> = Promise.resolve()
      return (bytes: Buffer) => {
        for (const part of reader.feed(bytes)) {
          turn = turn.then(async () => {
            if (part.text === null) return void to.write(part.bytes)
            const fate = this.rule({ direction, connection, number: ++number, text: part.text })
            if (fate instanceof Promise) await fate
            if (fate === 'break') return breakBoth(client, upstream)
            if (fate === 'swallow' || to.destroyed) return
            to.write(part.bytes)
            if (fate === 'twice') to.write(part.bytes)
            if (fate === 'break-after') to.end(() => breakBoth(client, upstream))
          })
        }
      }
    }
    client.on('data', pass(up, 'up', upstream))
    upstream.on('data', pass(down, 'down', client))
  }
}

function breakBoth(...sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.resetAndDestroy()
}

/** A part of the stream. If the part is one complete frame, `text` is the frame's text. Otherwise `text` is null. */
interface Part {
  readonly bytes: Buffer
  readonly text: string | null
}

const END_OF_HEAD = '\r\n\r\n'
/**
 * Matches the header with which client and server agree on compression. The proxy cannot read compressed frames, so it
 * removes this header from every head that it passes on.
 */
const PACKING = /^sec-websocket-extensions:.*\r\n/im

/**
 * Splits a stream into HTTP heads and the frames that follow them. `becomes` is called with each head and returns
 * whether frames follow this head.
 */
class FrameReader {
  readonly #becomes: (head: string) => boolean
  #isFrames = false
  #rest: Buffer = Buffer.alloc(0)

  constructor(becomes: (head: string) => boolean) {
    this.#becomes = becomes
  }

  feed(bytes: Buffer): Part[] {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const parts: Part[] = []
    if (!this.#isFrames && !this.#readHead(parts)) return parts
    for (let frame = this.#frame(); frame; frame = this.#frame()) parts.push(frame)
    return parts
  }

  #readHead(parts: Part[]): boolean {
    // The response in the other direction may have turned the connection into a WebSocket. Otherwise these bytes are a
    // head, the body of a request, or a later request.
    this.#isFrames = this.#becomes('')
    if (this.#isFrames) return true
    const end = this.#rest.indexOf(END_OF_HEAD)
    const head = end < 0 ? '' : this.#rest.toString('latin1', 0, end + END_OF_HEAD.length)
    if (head === '' && /^(GET|POST|HTTP)/.test(this.#rest.toString('latin1', 0, 4))) return false
    const length = end < 0 ? this.#rest.length : end + END_OF_HEAD.length
    const bytes = end < 0 ? this.#rest : Buffer.from(head.replace(PACKING, ''), 'latin1')
    parts.push({ bytes, text: null })
    this.#rest = this.#rest.subarray(length)
    this.#isFrames = head !== '' && this.#becomes(head)
    if (this.#isFrames) return true
    if (this.#rest.length > 0) parts.push({ bytes: this.#rest, text: null })
    this.#rest = Buffer.alloc(0)
    return false
  }

  /** Returns the next frame of the stream, as RFC 6455 defines it. Returns null as long as the frame is incomplete. */
  #frame(): Part | null {
    const [first = 0, second = 0] = this.#rest
    if (this.#rest.length < 2) return null
    const short = second & 0x7f
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
    const maskAt = 2 + lengthBytes
    const dataAt = maskAt + (second & 0x80 ? 4 : 0)
    if (this.#rest.length < dataAt) return null
    const length =
      lengthBytes === 0 ? short : lengthBytes === 2 ? this.#rest.readUInt16BE(2) : Number(this.#rest.readBigUInt64BE(2))
    if (this.#rest.length < dataAt + length) return null
    const bytes = this.#rest.subarray(0, dataAt + length)
    const mask = this.#rest.subarray(maskAt, dataAt)
    const data = this.#rest.subarray(dataAt, dataAt + length)
    this.#rest = this.#rest.subarray(dataAt + length)
    const isText = (first & 0x0f) === 1
    const plain = mask.length ? data.map((byte, at) => byte ^ (mask[at % 4] ?? 0)) : data
    return { bytes, text: isText ? Buffer.from(plain).toString() : '' }
  }
}
