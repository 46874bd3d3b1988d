import { EMPTY_REPORT, type Report } from '../../worker/core/reply/report.ts'
import { event } from './completion-stream.ts'
import { lots } from './lots.ts'
import { type ModelRequest, type ModelServer, startModelServer } from './model-server.ts'
import { close, head, send, type Step, wait } from './model-steps.ts'

/**
 * One reply of the model. `mark` names the learner's message that the model answered. `take` is the number of this
 * reply among all replies of the model.
 */
export interface Said {
  readonly mark: string
  readonly take: number
  readonly speech: string
}

/**
 * A model whose replies have no word in common: every word of a reply contains the number of the reply. So a piece of
 * one reply fits into no other reply, even into no other reply to the same message. The model's report depends only on
 * the message.
 */
export class MarkedModel {
  /** Milliseconds between two pieces of a reply; 0 sends them without a pause. */
  paceMs: number
  readonly said: Said[] = []
  readonly #server: ModelServer
  readonly #waiting: { readonly times: number; readonly resolve: () => void }[] = []
  #beat: { promise: Promise<void>; resolve: () => void } | null = null

  private constructor(server: ModelServer, paceMs: number) {
    this.#server = server
    this.paceMs = paceMs
  }

  static async start(paceMs: number): Promise<MarkedModel> {
    const later = Promise.withResolvers<MarkedModel>()
    const server = await startModelServer(async function* (request) {
      yield* (await later.promise).#reply(request)
    })
    const model = new MarkedModel(server, paceMs)
    later.resolve(model)
    return model
  }

  get vars(): Record<string, string> {
    return { OPENAI_BASE_URL: this.#server.url, OPENAI_MODEL: 'marked' }
  }

  /** Resolves when the model has received this many requests. */
  asked(times: number): Promise<void> {
    if (this.said.length >= times) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ times, resolve }))
  }

  stop(): Promise<void> {
    return this.#server.close()
  }

  *#reply(request: ModelRequest): Generator<Step> {
    const mark = markOf(request)
    const take = this.said.length + 1
    const words = wordsOf(take, mark, 6 + lots(hash(mark))(50))
    this.said.push({ mark, take, speech: words.join('') })
    for (const { times, resolve } of this.#waiting) if (take >= times) resolve()
    yield head()
    for (const word of words) {
      if (this.paceMs > 0) yield wait(this.#nextBeat())
      yield send(event({ content: word }))
    }
    // The separator and the report come in pieces that are hard to parse.
    for (const piece of ['\n---', 'END', '---\n', JSON.stringify(reportTo(mark))]) yield send(event({ content: piece }))
    yield send(`${event({}, 'stop')}data: [DONE]\n\n`)
    yield close
  }

  /** Resolves at the next tick. All replies share one timer. */
  #nextBeat(): Promise<void> {
    if (this.#beat) return this.#beat.promise
    const beat = Promise.withResolvers<void>()
    this.#beat = beat
    setTimeout(() => {
      this.#beat = null
      beat.resolve()
    }, this.paceMs)
    return beat.promise
  }
}

/**
 * Returns the last mark in a text: `mark-` and the letters, digits and hyphens that follow. @throws when the text has
 * no mark
 */
export function markIn(text: string): string {
  const mark = [...text.matchAll(/mark-[\w-]+/g)].at(-1)
  if (!mark) throw new Error('nothing is marked here')
  return mark[0]
}

/** Returns the mark of the message that the model must answer. In the briefing, this mark is the last one. */
function markOf({ body }: ModelRequest): string {
  const { messages } = body as { messages: readonly { content: string }[] }
  return markIn(messages.at(-1)?.content ?? '')
}

/** A character of one byte, of two, of three and of four bytes. */
const LETTERS = ['a', 'é', '→', '🎭']

function wordsOf(take: number, mark: string, length: number): readonly string[] {
  const words = Array.from({ length }, (_, at) => ` ${LETTERS[at % LETTERS.length]}${take}·${at}`)
  return [`Take ${take} to “${mark}”:`, ...words, '.']
}

/** Returns the report that the model sends with every reply to the message with this mark. */
export function reportTo(mark: string): Report {
  const draw = lots(hash(mark) + 1)
  return {
    ...EMPTY_REPORT,
    emotional_state: 'neutral',
    internal_thought: 'never to be shown',
    node_satisfied: draw(10) < 7,
    engagement_score: draw(4) - 1,
    detour_detected: draw(10) === 0,
  }
}

function hash(text: string): number {
  let sum = 0
  for (const letter of text) sum = (Math.imul(sum, 31) + letter.codePointAt(0)!) >>> 0
  return sum
}
