// The least that a Worker can do: it passes the model's stream through.

interface Env {
  readonly MODEL: string
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.method !== 'POST') return new Response('here')
    const { body, headers, status } = await fetch(`${env.MODEL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
      body: request.body,
    })
    return new Response(body, { status, headers: { 'content-type': headers.get('content-type') ?? 'text/plain' } })
  },
}
