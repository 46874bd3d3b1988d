/** Asks the model, and yields the text of each piece of its answer, in the simplest way that works. */
export async function* streamTokens(model: string, text: string): AsyncGenerator<string> {
  const response = await fetch(`${model}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: text }] }),
  })
  if (!response.ok || !response.body) throw new Error(`the model answered ${response.status}`)
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue
      const token = JSON.parse(line.slice(6)).choices[0]?.delta?.content
      if (token) yield token
    }
  }
}
