/** What one streamed piece of a chat completion means to a conversation. */
export interface CompletionPiece {
  /** Said text, often empty: role-only, usage and tool pieces say nothing. */
  readonly text: string
  /** The model says that it has finished, for whatever reason. */
  readonly isFinished: boolean
  /** The provider or the model withholds the reply; nothing from here on is for the learner. */
  readonly isWithheld: boolean
  /** The server reports an error in the form of a piece; some say that the stream is done after it. */
  readonly isError: boolean
}

const NOTHING: CompletionPiece = { text: '', isFinished: false, isWithheld: false, isError: false }

/**
 * Reads one piece (`chat.completion.chunk` of OpenAI's API reference). What a compatible server really sends is any
 * JSON at all, so every step down is checked and what does not fit says nothing.
 */
export function readCompletionPiece(chunk: unknown): CompletionPiece {
  if (fieldOf(chunk, 'object') === 'error') return { ...NOTHING, isError: true }
  const choice = firstOf(fieldOf(chunk, 'choices'))
  if (choice === undefined) return NOTHING

  const delta = fieldOf(choice, 'delta')
  const reason = textOf(fieldOf(choice, 'finish_reason'))
  const isWithheld = reason === 'content_filter' || textOf(fieldOf(delta, 'refusal')) !== ''
  return {
    text: isWithheld ? '' : textOf(fieldOf(delta, 'content')),
    isFinished: reason !== '',
    isWithheld,
    isError: false,
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** One reply is asked for. A server that gives several sends their pieces as they come, each with its index. */
function firstOf(choices: unknown): unknown {
  return Array.isArray(choices) ? choices.find((choice) => (fieldOf(choice, 'index') ?? 0) === 0) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
