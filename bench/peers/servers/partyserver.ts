import { type Connection, routePartykitRequest, Server } from 'partyserver'
import { streamTokens } from './stream-tokens.ts'

// partyserver: one Durable Object for each conversation, which hibernates. It streams the model's answer to whoever says
// something, and keeps nothing.

interface Env extends Record<string, unknown> {
  readonly MODEL: string
}

export class Talk extends Server<Env> {
  static override options = { hibernate: true }

  override async onMessage(connection: Connection, message: string): Promise<void> {
    const { text } = JSON.parse(message)
    let reply = ''
    for await (const token of streamTokens(this.env.MODEL, text)) {
      reply += token
      connection.send(JSON.stringify({ type: 'delta', text: token }))
    }
    connection.send(JSON.stringify({ type: 'turn', text: reply }))
  }
}

export default {
  fetch: async (request: Request, env: Env): Promise<Response> =>
    (await routePartykitRequest(request, env)) ?? new Response('here'),
}
