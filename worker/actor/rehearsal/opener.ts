/** What an opening word of an answer must fit: a question with an open word ("what", "who"), or one that asks why. */
export type AskedOpenly = 'open' | 'why'

/**
 * Returns what kind of opening a message asks for: `why` or `open` if everything that it asks has a question word, else
 * null, because a yes or a no may answer it.
 *
 * @param clauses the clauses of the message that ask for something
 */
export function openingOf(clauses: readonly string[]): AskedOpenly | null {
  if (clauses.length === 0 || !clauses.every((clause) => OPEN.test(clause))) return null
  return clauses.some((clause) => WHY.test(clause)) ? 'why' : 'open'
}

/** Returns true if a line's first word does not fit what is asked: a yes or a no, or a reason that nobody asked for. */
export function misfits(line: string, asked: AskedOpenly | null): boolean {
  if (asked === null) return false
  return YES_OR_NO.test(line) || (asked === 'open' && REASON.test(line))
}

/** Returns a line without a first sentence that only says yes or no; the line itself if nothing else would remain. */
export function withoutOpener(line: string): string {
  const rest = line.replace(BARE_YES_OR_NO, '')
  return rest === '' ? line : rest
}

/** Matches a clause that begins with a question word. "What if" and "how about" ask for a yes or a no. */
const OPEN =
  /^(?:(?:and|but|so|then|ok|okay|well|also|or|hi|hello|hey|sorry|exactly|by|at|from|in|to|for|of|with|until|till|qué|y|pero|a|de|con|por)[\s,]+)*(?:what|whats|how|hows|who|whos|whose|whom|when|whens|where|wheres|which|why|whys|qué|que|quién|cuándo|dónde|cuál|cómo|cuánt[oa]s?)\b(?! (?:if|about|not)\b)/iu
const WHY = /\b(?:why|whys|how come|what for|what is the reason|what reason|por qué)\b/iu
const SAYS_YES_OR_NO =
  "yes|yeah|yep|yup|aye|no|nope|quite true|very true|true|correct|exactly|that['’]s (?:right|so|true)|sí|cierto|exacto"
/** "It does." answers "does it", but "I did." may answer "who did it". */
const ECHOES = "(?:it|that|they) (?:does|do|did|is|are|can|could|would|will)(?:n['’]t)?"
const YES_OR_NO = new RegExp(`^(?:(?:${SAYS_YES_OR_NO})(?=[.,!;])|${ECHOES}[.!])`, 'iu')
const BARE_YES_OR_NO = new RegExp(`^(?:${SAYS_YES_OR_NO}|${ECHOES})[.!]\\s*`, 'iu')
const REASON = /^(?:because|porque)\b/iu
