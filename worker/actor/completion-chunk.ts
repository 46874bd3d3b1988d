/** The content of one streamed piece of a chat completion. */
export interface CompletionPiece {
  /** The spoken text. It is often empty: pieces with a role, usage or a tool call contain no text. */
  readonly text: string
  /** True if the piece has a `finish_reason`, whatever that reason is. */
  readonly isFinished: boolean
  /** True if the provider or the model withholds the reply. The learner gets no text from this piece or a later one. */
  readonly isWithheld: boolean
  /** True if the server reports an error as a piece. Some servers send `[DONE]` even after that piece. */
  readonly isError: boolean
}

const NOTHING: CompletionPiece = { text: '', isFinished: false, isWithheld: false, isError: false }

/**
 * Reads one piece (`chat.completion.chunk` of OpenAI's API reference). A compatible server may send any JSON, so this
 * function checks every field and ignores invalid fields.
 *
 * @param name the name of the piece's event in the stream, '' if it has none
 * @throws SyntaxError if a choice is null: such a server does not speak this protocol
 */
export function readCompletionPiece(chunk: unknown, name = ''): CompletionPiece {
  const isError = name === 'error' || Boolean(fieldOf(chunk, 'error')) || fieldOf(chunk, 'object') === 'error'
  if (isError) return { ...NOTHING, isError }
  const choice = firstOf(fieldOf(chunk, 'choices'))
  if (choice === undefined) return NOTHING
  if (choice === null) throw new SyntaxError('a choice is null')

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

/**
 * Returns the choice with index 0. The request asks for one reply, but some servers send several, and give each piece
 * the index of its reply.
 */
function firstOf(choices: unknown): unknown {
  return Array.isArray(choices) ? choices.find((choice) => (fieldOf(choice, 'index') ?? 0) === 0) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
