import { APIConnectionError, APIConnectionTimeoutError, APIError, OpenAI } from 'openai'
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import type { PickTask, Task } from '../core/briefing/task.ts'
import { ActorError, type Actor, type Usage } from './actor.ts'
import { systemClock, type Clock } from '../clock.ts'
import { readCompletionPiece } from './completion-chunk.ts'
import { startDeadline, type ReplyDeadline } from './deadline.ts'
import { EventScan } from './event-scan.ts'
import { ReplyMeter } from './reply-meter.ts'
import { UsageMeter } from './usage-meter.ts'
import { readRetryAfter } from '../retry-after.ts'

/** What the server calls the limit on a reply: OpenAI renamed it, most compatible servers know only the old name. */
export type TokenParameter = 'max_completion_tokens' | 'max_tokens'

/** How a server can be held to the form of an answer: by a schema, to JSON of any form, or not at all. */
export type StructuredOutput = 'json_schema' | 'json_object' | 'none'

export interface OpenAiActorOptions {
  readonly baseURL: string
  readonly model: string
  readonly apiKey: string
  /** Without it, `max_completion_tokens` at OpenAI's own hosts and `max_tokens` everywhere else. */
  readonly tokenParameter?: TokenParameter
  /** What the server knows of structured output; `json_schema` where nothing is said. For inner work only. */
  readonly structured?: StructuredOutput
  /** Whether the server is asked to count tokens, which some refuse to be; it is where nothing is said. */
  readonly usage?: 'asked' | 'none'
  /** The longest wait for the next sign of life, in milliseconds. The wait for the first one counts too. */
  readonly idleTimeoutMs: number
  /** The longest a reply may take from the request to its last piece, in milliseconds. */
  readonly overallTimeoutMs: number
  /** What the server is asked to keep to. */
  readonly maxOutputTokens: number
  /** What we hold it to, in UTF-16 code units. */
  readonly maxOutputCharacters: number
  readonly clock?: Clock
}

/** The client library keeps an event until it is whole. One is a token and its wrapping: some 300 bytes, with room. */
const MAX_EVENT_BYTES = 1_048_576
/** Room for every token and every character that is allowed to have an event of its own. */
const BYTES_A_TOKEN = 512
/** After `finish_reason` only a usage piece and `[DONE]` can come. They are not worth a learner's time. */
const AFTER_FINISH_MS = 1_000

/**
 * An actor behind any server that speaks OpenAI's streaming chat completions. Each reply is one request, never
 * repeated: trying again is the turn's decision. `docs/reference/models.md` says what each fault becomes.
 */
export function createOpenAiActor(options: OpenAiActorOptions): Actor {
  return {
    kind: 'model',
    label: options.model,
    speak: ({ system, user }, signal, tell) => complete(options, { system, user, format: {} }, signal, tell),
    think: (task, signal, tell) => think(options, task, signal, tell),
  }
}

/** An answer is a reply that is waited for: it goes the same way and under the same limits. */
async function think(
  options: OpenAiActorOptions,
  { system, user, answer }: Task | PickTask,
  signal: AbortSignal,
  tell?: Tell,
): Promise<string> {
  let text = ''
  for await (const piece of complete(options, { system, user, format: formatOf(options, answer) }, signal, tell))
    text += piece
  return text
}

type Tell = (usage: Usage) => void

/** What is asked of a model. `format` is what the request says of the answer's form. */
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
  const scan = new EventScan({ eventBytes: MAX_EVENT_BYTES, totalBytes: maxStreamBytes(options) })
  const meter = new ReplyMeter(options.maxOutputCharacters)
  let isEnded = false
  let isCut = false
  let isWhole = false

  try {
    for await (const chunk of await ask(options, prompt, { deadline, scan, clock, account })) {
      account.take(chunk)
      const { text, isFinished, isWithheld, isError } = readCompletionPiece(chunk)
      if (isError) deadline.fail(new ActorError('provider-error'))
      isCut = isError
      if (isCut) break
      const piece = meter.take(text)
      if (piece !== '') yield piece
      isEnded ||= isFinished || isWithheld || meter.isFull
      isCut = isWithheld || meter.isFull
      if (isCut) break
      isWhole ||= isFinished
      if (isEnded) deadline.shorten(AFTER_FINISH_MS)
    }
    // What was scanned may be ahead of what was heard, so that `[DONE]` says nothing of a reply that we cut.
    isWhole ||= scan.isDone && !isCut
    const rest = meter.end()
    if (rest !== '') yield rest
  } catch (error) {
    deadline.fail(failureOf(error))
  } finally {
    deadline.close()
    tell?.(account.usage(isWhole))
  }

  const failure = judge(deadline.failure(), { isEnded, hasWords: meter.hasWords, scan })
  if (failure !== null) throw failure
}

function maxStreamBytes({ maxOutputTokens, maxOutputCharacters }: OpenAiActorOptions): number {
  return MAX_EVENT_BYTES + BYTES_A_TOKEN * (maxOutputTokens + maxOutputCharacters)
}

/** What watches over a call. */
interface Watch {
  readonly deadline: ReplyDeadline
  readonly scan: EventScan
  readonly clock: Clock
  readonly account: UsageMeter
}

/** Sends the request; resolves when the answer begins. */
function ask(options: OpenAiActorOptions, prompt: Prompt, watch: Watch): Promise<AsyncIterable<ChatCompletionChunk>> {
  // Whatever is left out here the library would take from environment variables of its own.
  const client = new OpenAI({
    baseURL: options.baseURL,
    apiKey: options.apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: options.overallTimeoutMs,
    fetch: (input, init) => guardedFetch(input, init, watch),
  })
  return client.chat.completions.create(requestOf(options, prompt), { signal: watch.deadline.signal })
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

/**
 * `fetch` as the library should see it: a fault is noted by its own name before the library words it, an answer that
 * is no event stream is never read, and the body passes under the scan. A redirect is not followed, since it would
 * take the key to another host.
 */
async function guardedFetch(
  input: string | URL | Request,
  init: RequestInit | undefined,
  { deadline, scan, clock, account }: Watch,
): Promise<Response> {
  const response = await connect(input, { ...init, redirect: 'manual', signal: deadline.signal }, deadline)
  // Providers bill no answer that is not 2xx.
  if (!response.ok) account.free()
  const refusal = refusalOf(response, clock)
  if (refusal !== null) {
    deadline.fail(refusal)
    throw refusal
  }
  // The library takes a missing body (204) for a fault of the runtime; an empty one is what it means.
  const body = response.body === null ? '' : guardBody(response.body, deadline, scan)
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

async function connect(input: string | URL | Request, init: RequestInit, deadline: ReplyDeadline): Promise<Response> {
  try {
    return await deadline.waitFor(fetch(input, init))
  } catch (error) {
    deadline.fail(new ActorError('unreachable'))
    throw error
  }
}

function refusalOf(response: Response, clock: Clock): ActorError | null {
  if (!response.ok) return httpFailure(response, clock.now())
  const type = response.headers.get('content-type')
  return type === null || /^\s*text\/event-stream\s*([;,]|$)/i.test(type) ? null : new ActorError('not-a-model')
}

/** With no queue of its own (`highWaterMark: 0`) nothing is read ahead of the listener, so only real waiting is timed. */
function guardBody(
  body: ReadableStream<Uint8Array>,
  deadline: ReplyDeadline,
  scan: EventScan,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await readNext(reader, deadline)
        if (done) return controller.close()
        if (!scan.feed(value)) {
          deadline.fail(new ActorError('not-a-model'))
          throw new ActorError('not-a-model')
        }
        controller.enqueue(value)
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  )
}

async function readNext(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  deadline: ReplyDeadline,
): ReturnType<typeof reader.read> {
  try {
    return await deadline.waitFor(reader.read())
  } catch (error) {
    deadline.fail(new ActorError('cut-off'))
    throw error
  }
}

/** Names what the library threw. Its words, and what it quotes of the provider's, stay behind. */
function failureOf(error: unknown): ActorError {
  // Besides JSON.parse: the library steps into `choices: [null]` unguarded.
  if (error instanceof SyntaxError || error instanceof TypeError) return new ActorError('not-a-model')
  if (error instanceof APIConnectionTimeoutError) return new ActorError('timeout')
  if (error instanceof APIConnectionError) return new ActorError('unreachable')
  return new ActorError('provider-error', error instanceof APIError ? (error.status ?? null) : null)
}

interface Heard {
  /** The reply came to an end of its own, or to one we set. */
  readonly isEnded: boolean
  readonly hasWords: boolean
  readonly scan: EventScan
}

/** What the reply comes to: null when it stands. What happens after its end is nobody's loss. */
function judge(failure: ActorError | null, { isEnded, hasWords, scan }: Heard): ActorError | null {
  if (failure?.failure === 'aborted') return failure
  if (failure !== null && !isEnded) {
    return hasWords && failure.failure === 'not-a-model' ? new ActorError('cut-off') : failure
  }
  if (!hasWords) return new ActorError(scan.isForeign ? 'not-a-model' : 'empty')
  return isEnded || scan.isDone ? null : new ActorError('cut-off')
}

/** Is this OpenAI itself, and not one of the many that speak its protocol? Its regional hosts count. */
export function isOpenAiHost(baseURL: string): boolean {
  return /(^|\.)api\.openai\.com$/.test(new URL(baseURL).hostname)
}

/**
 * What a status that is not 2xx means to us ([model-11] to [model-13]). Reads the status and the two headers that say when to
 * come back; never the body, which is the provider's text.
 *
 * @param now milliseconds since 1970
 */
function httpFailure(response: Response, now: number): ActorError {
  const { status } = response
  const retryAfterMs = readRetryAfter(response.headers, now)
  if (status === 401 || status === 403) return new ActorError('unauthorized', status, retryAfterMs)
  if (status === 429) return new ActorError('rate-limited', status, retryAfterMs)
  return new ActorError('provider-error', status === 0 ? null : status, retryAfterMs)
}
