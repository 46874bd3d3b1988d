import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { AIChatAgent } from '@cloudflare/ai-chat'
import { routeAgentRequest } from 'agents'
import { convertToModelMessages, streamText } from 'ai'

// Cloudflare's AIChatAgent, as its documentation shows it. It keeps the messages and the pieces of each reply in the
// SQLite of the conversation's Durable Object.

interface Env {
  readonly MODEL: string
}

export class Talk extends AIChatAgent<Env> {
  override async onChatMessage(): Promise<Response> {
    const model = createOpenAICompatible({ name: 'fake', baseURL: this.env.MODEL, apiKey: 'none' })
    const result = streamText({ model: model('m'), messages: await convertToModelMessages(this.messages) })
    return result.toUIMessageStreamResponse()
  }
}

export default {
  fetch: async (request: Request, env: Env): Promise<Response> =>
    (await routeAgentRequest(request, env)) ?? new Response('here'),
}
