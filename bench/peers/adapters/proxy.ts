import { Agent, request } from 'node:http'
import path from 'node:path'
import { Ear, type Peer, type Talk } from '../peer.ts'
import { type Bundle, bundleWorker, startWorker } from '../workerd.ts'

let bundle: Bundle

/** A Worker that passes the model's stream through. */
export const proxy: Peer = {
  id: 'proxy',
  name: 'raw proxy',
  modelPath: '/v1',
  opens: null,
  async prepare(folder) {
    bundle = await bundleWorker(path.join(import.meta.dirname, '../servers/proxy.ts'), folder)
    return bundle
  },
  async start(model) {
    const server = await startWorker({ bundle, objects: {}, vars: { MODEL: model }, hasDatabase: false })
    return { ...server, data: null, begin: () => Promise.resolve(new ProxyTalk(server.url)) }
  },
}

/** Connections stay open between turns, as a browser keeps them. */
const agent = new Agent({ keepAlive: true })

class ProxyTalk implements Talk {
  readonly ear = new Ear()
  readonly #url: URL

  constructor(url: URL) {
    this.#url = url
  }

  connect(): Promise<void> {
    return Promise.resolve()
  }

  say(text: string): void {
    const asked = request(this.#url, { method: 'POST', agent }, (response) => {
      response.on('data', (bytes: Buffer) => this.ear.hear(bytes.toString(), bytes.length))
      response.on('end', () => this.ear.end())
      response.on('error', (error) => this.ear.fail(error.message))
    })
    asked.on('error', (error) => this.ear.fail(error.message))
    asked.end(JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: text }] }))
  }

  close(): void {
    this.ear.stop()
  }
}
