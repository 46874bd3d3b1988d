import path from 'node:path'
import type { WebSocket } from 'ws'
import { Ear, openSocket, type Peer, type Talk } from '../peer.ts'
import { type Bundle, bundleWorker, startWorker } from '../workerd.ts'

let bundle: Bundle

/** Cloudflare's AIChatAgent on workerd. */
export const agents: Peer = {
  id: 'agents',
  name: 'AIChatAgent',
  modelPath: '/v1',
  opens: 'connections',
  async prepare(folder) {
    bundle = await bundleWorker(path.join(import.meta.dirname, '../servers/agents.ts'), folder)
    return bundle
  },
  async start(model) {
    const server = await startWorker({ bundle, objects: { Talk: 'Talk' }, vars: { MODEL: model }, hasDatabase: false })
    const begin = () => Promise.resolve(new AgentTalk(new URL(`agents/talk/${crypto.randomUUID()}`, server.url)))
    return { ...server, begin, beginLong: begin }
  },
}

interface Message {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly { readonly type: 'text'; readonly text: string }[]
}

/** Speaks as `useAgentChat` does: each request brings all messages of the conversation. */
class AgentTalk implements Talk {
  readonly ear = new Ear()
  readonly #url: URL
  readonly #messages: Message[] = []
  #reply = { id: '', text: '' }
  #socket: WebSocket | null = null

  constructor(url: URL) {
    this.#url = url
  }

  async connect(): Promise<void> {
    this.#socket = await openSocket(this.#url, (frame, bytes) => {
      this.ear.hear(frame, bytes)
      if (frame.includes('"cf_agent_use_chat_response"')) this.#take(JSON.parse(frame))
    })
    this.#socket.on('close', () => this.ear.fail('closed'))
    this.#socket.on('error', () => {})
  }

  say(text: string): void {
    this.#messages.push({ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] })
    this.#reply = { id: crypto.randomUUID(), text: '' }
    const body = JSON.stringify({ messages: this.#messages, trigger: 'submit-message' })
    const init = { method: 'POST', body }
    this.#socket?.send(JSON.stringify({ id: crypto.randomUUID(), init, type: 'cf_agent_use_chat_request' }))
  }

  close(): void {
    this.ear.stop()
    this.#socket?.terminate()
  }

  #take({ body, done, error }: { body?: string; done?: boolean; error?: boolean }): void {
    if (error) return this.ear.fail(`refused: ${body}`)
    const chunk = body?.trim() ? (JSON.parse(body) as { type: string; messageId?: string; delta?: string }) : null
    if (chunk?.type === 'start' && chunk.messageId) this.#reply.id = chunk.messageId
    if (chunk?.type === 'text-delta') this.#reply.text += chunk.delta
    if (!done) return
    const { id, text } = this.#reply
    this.#messages.push({ id, role: 'assistant', parts: [{ type: 'text', text }] })
    this.ear.end()
  }
}
