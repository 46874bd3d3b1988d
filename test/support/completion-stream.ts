import { close, encode, head, send } from './model-steps.ts'
import type { Step } from './model-steps.ts'

export interface SseOptions {
  /** The `finish_reason` of the last chunk. With null, there is no such chunk. */
  readonly finish?: string | null
  /** Whether the stream ends with `[DONE]`. */
  readonly done?: boolean
  readonly lineEnd?: '\n' | '\r\n' | '\r'
}

/**
 * Returns a well-formed stream of chat completion chunks, as OpenAI sends them: the role, the text, the finish reason,
 * and `[DONE]`.
 */
export function sse(
  pieces: readonly string[],
  { finish = 'stop', done = true, lineEnd = '\n' }: SseOptions = {},
): Uint8Array {
  const events = [
    chunkData({ role: 'assistant', content: '', refusal: null }),
    ...pieces.map((content) => chunkData({ content })),
    ...(finish === null ? [] : [chunkData({}, finish)]),
    ...(done ? ['[DONE]'] : []),
  ]
  return encode(events.map((data) => `data: ${data}${lineEnd}${lineEnd}`).join(''))
}

/** Returns the server-sent event of one chunk. */
export function event(delta: unknown, finish: string | null = null): string {
  return `data: ${chunkData(delta, finish)}\n\n`
}

function chunkData(delta: unknown, finish: string | null = null): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'scripted',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })
}

/** Returns the steps of a complete, well-formed response: the head, the whole stream in one write, and the close. */
export function streamed(pieces: readonly string[], options?: SseOptions): Step[] {
  return [head(), send(sse(pieces, options)), close]
}

/** Returns the steps of a response with exactly this body, which the server sends in one write. */
export function streamOf(body: string | Uint8Array): Step[] {
  return [head(), send(body), close]
}
