import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import type { Task } from '../core/briefing/task.ts'
import { ActorError, type Actor, type Usage } from './actor.ts'
import { systemClock, type Clock } from '../clock.ts'
import { readCompletionPiece } from './completion-chunk.ts'
import { startDeadline, type ReplyDeadline } from './deadline.ts'
import { EventReader } from './event-reader.ts'
import { ReplyMeter } from './reply-meter.ts'
import { UsageMeter } from './usage-meter.ts'
import { readRetryAfter } from '../retry-after.ts'

/**
 * The request parameter that limits the tokens of a reply. OpenAI renamed `max_tokens` to `max_completion_tokens`; most
 * compatible servers know only the old name.
 */
export type TokenParameter = 'max_completion_tokens' | 'max_tokens'

/** How a server can enforce the form of an answer: by a schema, as JSON of any form, or not at all. */
export type StructuredOutput = 'json_schema' | 'json_object' | 'none'

export interface OpenAiActorOptions {
  readonly baseURL: string
  readonly model: string
  readonly apiKey: string
  /** Defaults to `max_completion_tokens` at OpenAI's own hosts and `max_tokens` elsewhere. */
  readonly tokenParameter?: TokenParameter
  /** The structured output that the server supports; `json_schema` by default. Only tasks use structured output. */
  readonly structured?: StructuredOutput
  /**
   * Whether the request asks the server to count tokens. Some servers refuse such a request; the default is `asked`.
   */
  readonly usage?: 'asked' | 'none'
  /** The longest wait for each piece of a reply, the first piece included, in milliseconds. */
  readonly idleTimeoutMs: number
  /** The longest time of a reply from the request to its last piece, in milliseconds. */
  readonly overallTimeoutMs: number
  /** The token limit of a reply, which the request sends to the server. */
  readonly maxOutputTokens: number
  /** The maximum length of a reply in UTF-16 code units. The actor itself enforces this limit. */
  readonly maxOutputCharacters: number
  readonly clock?: Clock
}

/**
 * The maximum size of a stream event, in UTF-16 code units, because an event is kept until it is complete. A usual event
 * is one token in JSON, about 300 bytes.
 */
const MAX_EVENT = 1_048_576
/**
 * The number of stream bytes allowed for each token of `maxOutputTokens` and for each character of
 * `maxOutputCharacters`, because a server may send every token or character in an event of its own.
 */
const BYTES_A_TOKEN = 512
/**
 * The longest wait for each piece after `finish_reason`, in milliseconds. Only a usage piece and `[DONE]` can follow
 * `finish_reason`, and a learner should not wait for either.
 */
const AFTER_FINISH_MS = 1_000

/**
 * Makes an actor for any server with OpenAI's streaming chat completions. Each reply is one request, which the actor
 * never retries: the turn decides about a retry. `docs/reference/models.md` lists the failure for each fault.
 */
export function createOpenAiActor(options: OpenAiActorOptions): Actor {
  return {
    kind: 'model',
    label: options.model,
    speak: ({ system, user }, signal, tell) => complete(options, { system, user, format: {} }, signal, tell),
    think: (task, signal, tell) => askModel(options, task, signal, tell),
  }
}

/**
 * Asks the model for an answer of a given form, such as a selected exit. The answer is streamed under the same limits
 * as a reply, and returned when it is complete.
 */
export async function askModel(
  options: OpenAiActorOptions,
  { system, user, answer }: Pick<Task, 'system' | 'user' | 'answer'>,
  signal: AbortSignal,
  tell?: Tell,
): Promise<string> {
  let text = ''
  for await (const piece of complete(options, { system, user, format: formatOf(options, answer) }, signal, tell))
    text += piece
  return text
}

type Tell = (usage: Usage) => void

interface Prompt {
  readonly system: string
  readonly user: string
  readonly format: Pick<ChatCompletionCreateParamsStreaming, 'response_format'>
}

function formatOf(
  { structured = 'json_schema' }: OpenAiActorOptions,
  { name, schema }: Task['answer'],
): Prompt['format'] {
  if (structured === 'none') return {}
  if (structured === 'json_object') return { response_format: { type: 'json_object' } }
  return { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema: { ...schema } } } }
}

async function* complete(
  options: OpenAiActorOptions,
  prompt: Prompt,
  caller: AbortSignal,
  tell?: Tell,
): AsyncGenerator<string, void, undefined> {
  const account = new UsageMeter()
  if (caller.aborted) {
    account.free()
    tell?.(account.usage(false))
    throw new ActorError('aborted')
  }

  const clock = options.clock ?? systemClock
  const deadline = startDeadline({ ...options, caller, clock })
  const reader = new EventReader({ eventSize: MAX_EVENT, totalBytes: maxStreamBytes(options) })
  const meter = new ReplyMeter(options.maxOutputCharacters)
  let isEnded = false
  let isCut = false
  let isWhole = false

  try {
    const bytes = (await ask(options, prompt, { deadline, clock, account }))?.getReader({ mode: 'byob' })
    // One buffer is used for all reads: in workerd, a buffer for each read costs more than all else that is done with a
    // piece.
    let buffer: ArrayBufferLike = new ArrayBuffer(READ_BYTES)
    let isOver = bytes === undefined
    while (bytes && !isOver && !reader.isDone) {
      const { done, value }: ReadableStreamReadResult<Uint8Array> = await deadline.waitFor(
        bytes.read(new Uint8Array(buffer)),
        'cut-off',
      )
      if (!done) buffer = value.buffer
      isOver = done
      const events = done ? reader.end() : reader.feed(value)
      if (events === null) throw new ActorError('not-a-model')
      if (events.length === 0) continue
      // What one read has brought is one piece. So pieces grow by themselves while the server is busy.
      let text = ''
      try {
        for (const { name, data } of events) {
          const chunk: unknown = JSON.parse(data)
          const piece = readCompletionPiece(chunk, name)
          if (piece.isError) throw new ActorError('provider-error')
          account.take(chunk)
          text += meter.take(piece.text)
          isEnded ||= piece.isFinished || piece.isWithheld || meter.isFull
          isCut = piece.isWithheld || meter.isFull
          if (isCut) break
          isWhole ||= piece.isFinished
        }
      } catch (error) {
        deadline.fail(failureOf(error))
      }
      if (text !== '') yield text
      // The call may have ended while the consumer handled the piece.
      isCut ||= deadline.failure() !== null
      if (isCut) break
      if (isEnded) deadline.shorten(AFTER_FINISH_MS)
    }
    // The reader may have read further than this loop. So `[DONE]` does not prove that a reply was complete if the loop
    // cut the reply short.
    isWhole ||= reader.isDone && !isCut
    const rest = meter.end()
    if (rest !== '') yield rest
  } catch (error) {
    deadline.fail(failureOf(error))
  } finally {
    deadline.close()
    tell?.(account.usage(isWhole))
  }

  const failure = judge(deadline.failure(), { isEnded, hasWords: meter.hasWords, reader })
  if (failure !== null) throw failure
}

function maxStreamBytes({ maxOutputTokens, maxOutputCharacters }: OpenAiActorOptions): number {
  return MAX_EVENT + BYTES_A_TOKEN * (maxOutputTokens + maxOutputCharacters)
}

/** The most bytes of one read. */
const READ_BYTES = 4_096

interface Watch {
  readonly deadline: ReplyDeadline
  readonly clock: Clock
  readonly account: UsageMeter
}

/**
 * Sends the request. Resolves when the answer begins, with its body; null if the answer has none (204). Never reads a
 * response that is not an event stream. Follows no redirect, because a redirect would send the API key to another host.
 */
async function ask(
  options: OpenAiActorOptions,
  prompt: Prompt,
  { deadline, clock, account }: Watch,
): Promise<ReadableStream<Uint8Array> | null> {
  const request = fetch(`${options.baseURL.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${options.apiKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(requestOf(options, prompt)),
    redirect: 'manual',
    signal: deadline.signal,
  })
  const response = await deadline.waitFor(request, 'unreachable')
  // Providers bill only answers with status 2xx.
  if (!response.ok) account.free()
  const refusal = refusalOf(response, clock)
  if (refusal !== null) throw refusal
  return response.body
}

function requestOf(options: OpenAiActorOptions, { system, user, format }: Prompt): ChatCompletionCreateParamsStreaming {
  return {
    model: options.model,
    stream: true,
    ...(options.usage === 'none' ? {} : { stream_options: { include_usage: true } }),
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    ...format,
    [options.tokenParameter ?? (isOpenAiHost(options.baseURL) ? 'max_completion_tokens' : 'max_tokens')]:
      options.maxOutputTokens,
  }
}

function refusalOf(response: Response, clock: Clock): ActorError | null {
  if (!response.ok) return httpFailure(response, clock.now())
  const type = response.headers.get('content-type')
  return type === null || /^\s*text\/event-stream\s*([;,]|$)/i.test(type) ? null : new ActorError('not-a-model')
}

/** Converts an error to an `ActorError`. The error's message is left out, because it may contain text of the provider. */
function failureOf(error: unknown): ActorError {
  if (error instanceof ActorError) return error
  // A piece that is not JSON, or has a choice that is null.
  return new ActorError(error instanceof SyntaxError ? 'not-a-model' : 'provider-error')
}

interface Heard {
  /** True if the reply ended by itself, or at one of the actor's limits. */
  readonly isEnded: boolean
  readonly hasWords: boolean
  readonly reader: EventReader
}

/** Returns the failure of a reply, or null for a good reply. A fault after the reply's end does not count. */
function judge(failure: ActorError | null, { isEnded, hasWords, reader }: Heard): ActorError | null {
  if (failure?.failure === 'aborted') return failure
  if (failure !== null && !isEnded) {
    return hasWords && failure.failure === 'not-a-model' ? new ActorError('cut-off') : failure
  }
  if (!hasWords) return new ActorError(reader.isForeign ? 'not-a-model' : 'empty')
  return isEnded || reader.isDone ? null : new ActorError('cut-off')
}

/** Returns true if the URL is on one of OpenAI's own hosts, regional hosts included. */
export function isOpenAiHost(baseURL: string): boolean {
  return /(^|\.)api\.openai\.com$/.test(new URL(baseURL).hostname)
}

/**
 * Returns the failure for a status other than 2xx ([model-11] to [model-13]). The function reads the status and the
 * retry headers, but never the body, which is the provider's text.
 *
 * @param now the current time, in milliseconds since 1970
 */
function httpFailure(response: Response, now: number): ActorError {
  const { status } = response
  const retryAfterMs = readRetryAfter(response.headers, now)
  if (status === 401 || status === 403) return new ActorError('unauthorized', status, retryAfterMs)
  if (status === 429) return new ActorError('rate-limited', status, retryAfterMs)
  return new ActorError('provider-error', status === 0 ? null : status, retryAfterMs)
}
