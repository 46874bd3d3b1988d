/**
 * One change that an agent proposes to the text in the page's editor. `start` and `expected` say where: the text
 * `expected` begins at `start`, in UTF-16 code units. An insertion has an empty `expected`, and stands between `before`
 * and `after`.
 */
export interface EditorOperation {
  readonly id: string
  readonly op: 'replace' | 'insert' | 'delete'
  readonly start: number
  readonly expected: string
  /** The new text; empty for a deletion. */
  readonly text: string
  /** A few characters of the text before and after the place, by which the place is found again. */
  readonly before: string
  readonly after: string
  /** Why, in a phrase for the person who decides. */
  readonly why: string
}

/** An operation as an agent writes it: by quoting the text, without counting characters. */
export interface ProposedOperation {
  readonly op: EditorOperation['op']
  /** For `replace` and `delete`: the text to change. For `insert`: the text after which the new text goes. */
  readonly quote: string
  /** The text right before and right after the quote, if the quote stands in the text more than once. */
  readonly before?: string | undefined
  readonly after?: string | undefined
  readonly text: string
  readonly why: string
}

export type ProposalFault = 'not-found' | 'ambiguous' | 'too-long' | 'nothing-to-do' | 'overlaps' | 'too-many'

export interface Proposals {
  readonly operations: readonly EditorOperation[]
  readonly refused: readonly { readonly index: number; readonly why: ProposalFault }[]
}

/** The most operations of one reply, and the most UTF-16 code units of a quote and of a new text. */
const MOST_OPERATIONS = 50
const LONGEST_PART = 4_000
/** The length of `before` and `after`, in UTF-16 code units. */
const CONTEXT = 24

/**
 * Finds the places of proposed changes in a text. A change is refused if its quote is not in the text, or stands there
 * more than once, if it changes nothing, or if it touches an earlier change ([assistant-7]).
 *
 * @param content the editor's text, as the agent was told it
 * @param offset where `content` begins in the whole text, in UTF-16 code units
 * @param newId returns the id of the operation at an index
 */
export function locate(
  content: string,
  proposed: readonly ProposedOperation[],
  newId: (index: number) => string,
  offset = 0,
): Proposals {
  const operations: EditorOperation[] = []
  const refused: { index: number; why: ProposalFault }[] = []
  for (const [index, proposal] of proposed.entries()) {
    const placed = index < MOST_OPERATIONS ? place(content, proposal) : 'too-many'
    if (typeof placed === 'string') {
      refused.push({ index, why: placed })
      continue
    }
    const { start, expected } = placed
    const end = start + expected.length
    const operation: EditorOperation = {
      id: newId(index),
      op: proposal.op,
      start: start + offset,
      expected,
      text: proposal.op === 'delete' ? '' : proposal.text,
      before: content.slice(Math.max(0, start - CONTEXT), start),
      after: content.slice(end, end + CONTEXT),
      why: proposal.why,
    }
    if (operations.some((other) => touches(other, operation))) refused.push({ index, why: 'overlaps' })
    else operations.push(operation)
  }
  return { operations, refused }
}

function place(
  content: string,
  { op, quote, text, before = '', after = '' }: ProposedOperation,
): { readonly start: number; readonly expected: string } | ProposalFault {
  if ([quote, text, before, after].some(({ length }) => length > LONGEST_PART)) return 'too-long'
  if (quote === '' || (op === 'replace' && quote === text) || (op === 'insert' && text === '')) return 'nothing-to-do'
  const whole = before + quote + after
  const found = content.indexOf(whole)
  if (found < 0) return 'not-found'
  if (content.indexOf(whole, found + 1) >= 0) return 'ambiguous'
  const start = found + before.length
  return op === 'insert' ? { start: start + quote.length, expected: '' } : { start, expected: quote }
}

function touches(a: EditorOperation, b: EditorOperation): boolean {
  const [endA, endB] = [a.start + a.expected.length, b.start + b.expected.length]
  if (a.expected === '' && b.expected === '') return a.start === b.start
  return a.start < endB && b.start < endA
}
