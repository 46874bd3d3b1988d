import path from 'node:path'
import type { WebSocket } from 'ws'
import { Ear, openSocket, type Peer, type Talk } from '../peer.ts'
import { type Bundle, bundleWorker, startWorker } from '../workerd.ts'

let bundle: Bundle

/** partyserver on workerd. */
export const partyserver: Peer = {
  id: 'partyserver',
  name: 'partyserver',
  modelPath: '/v1',
  opens: 'connections',
  async prepare(folder) {
    bundle = await bundleWorker(path.join(import.meta.dirname, '../servers/partyserver.ts'), folder)
    return bundle
  },
  async start(model) {
    const server = await startWorker({ bundle, objects: { Talk: 'Talk' }, vars: { MODEL: model }, hasDatabase: false })
    const begin = () => Promise.resolve(new PartyTalk(new URL(`parties/talk/${crypto.randomUUID()}`, server.url)))
    return { ...server, begin, beginLong: begin }
  },
}

class PartyTalk implements Talk {
  readonly ear = new Ear()
  readonly #url: URL
  #socket: WebSocket | null = null

  constructor(url: URL) {
    this.#url = url
  }

  async connect(): Promise<void> {
    this.#socket = await openSocket(this.#url, (frame, bytes) => {
      this.ear.hear(frame, bytes)
      if (frame.startsWith('{"type":"turn"')) this.ear.end()
    })
    this.#socket.on('close', () => this.ear.fail('closed'))
    this.#socket.on('error', () => {})
  }

  say(text: string): void {
    this.#socket?.send(JSON.stringify({ type: 'say', text }))
  }

  close(): void {
    this.ear.stop()
    this.#socket?.terminate()
  }
}
