/** The meaning of one streamed piece of a chat completion. */
export interface CompletionPiece {
  /** Spoken text, often empty: role, usage and tool pieces hold none. */
  readonly text: string
  /** The model says that it has finished, for any reason. */
  readonly isFinished: boolean
  /** The provider or the model withholds the reply. Nothing after this is for the learner. */
  readonly isWithheld: boolean
  /** The server reports an error as a piece. Some servers send `[DONE]` after it. */
  readonly isError: boolean
}

const NOTHING: CompletionPiece = { text: '', isFinished: false, isWithheld: false, isError: false }

/**
 * Reads one piece (`chat.completion.chunk` of OpenAI's API reference). A compatible server may send any JSON, so this
 * checks every step and reads what does not fit as nothing.
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

/** The request asks for one reply. Some servers send several, each piece with its index. */
function firstOf(choices: unknown): unknown {
  return Array.isArray(choices) ? choices.find((choice) => (fieldOf(choice, 'index') ?? 0) === 0) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
