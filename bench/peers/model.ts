import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { now } from './numbers.ts'

// The fake model: a process of its own, which streams as OpenAI does. Each token contains its number, and the model keeps
// the time at which it sent each token. Under `/walkon/v1`, Walkon's report follows the speech; under `/v1` it does not.

const { went_on: _, pivot_choice: __, learner_leaving: ___, document_given: ____, ...REPORT } = EMPTY_REPORT
/** The number of tokens that five digits can count. */
const MOST_TOKENS = 100_000

let plan = { tokens: 60, paceMs: 25 }
let sent: number[] = []

const server = createServer(async (request, response) => {
  const body = []
  for await (const piece of request) body.push(piece)
  if (request.url === '/plan') {
    plan = JSON.parse(Buffer.concat(body).toString())
    sent = []
    return response.end()
  }
  if (request.url === '/sent') return response.end(JSON.stringify(sent))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const write = (content: string, end: string | null = null) => response.write(event(content, end))
  const { tokens, paceMs } = plan
  const from = now()
  for (let at = 0; at < tokens; at++) {
    if (paceMs > 0) await until(from + at * paceMs)
    if (response.destroyed) return
    const number = sent.length % MOST_TOKENS
    sent.push(now())
    write(`${at === 0 ? '' : ' '}k${String(number).padStart(5, '0')}`)
  }
  if (request.url?.startsWith('/walkon')) {
    write('\n---END---\n')
    write(JSON.stringify(REPORT))
  }
  write('', 'stop')
  response.end('data: [DONE]\n\n')
})
// A connection that a client wants to use again must not be closed just then.
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })))

/** Without its parent, the model has nothing to do. */
process.stdin.on('end', () => process.exit()).resume()

function until(time: number): Promise<void> {
  const ms = time - now()
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms))
}

function event(content: string, end: string | null): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: end }]
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`
}
