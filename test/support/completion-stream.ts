import { close, encode, head, send } from './model-steps.ts'
import type { Step } from './model-steps.ts'

export interface SseOptions {
  /** The `finish_reason` of the last piece; null leaves that piece out. */
  readonly finish?: string | null
  /** Whether `[DONE]` is said. */
  readonly done?: boolean
  readonly lineEnd?: '\n' | '\r\n' | '\r'
}

/** A well-formed stream of chat completion pieces, as OpenAI sends it: the role, the text, the finish, `[DONE]`. */
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

/** The event of one piece. */
export function event(delta: unknown, finish: string | null = null): string {
  return `data: ${chunkData(delta, finish)}\n\n`
}

/** The JSON of one piece. */
function chunkData(delta: unknown, finish: string | null = null): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'scripted',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })
}

/** A whole good answer in one write a part. */
export function streamed(pieces: readonly string[], options?: SseOptions): Step[] {
  return [head(), send(sse(pieces, options)), close]
}

/** A stream of exactly this body, sent at once. */
export function streamOf(body: string | Uint8Array): Step[] {
  return [head(), send(body), close]
}
