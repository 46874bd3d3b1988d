/** What the first word of an answer has to fit: a question with a question word ("what"), one that asks why or who, or one for a yes or a no. */
export type AskedKind = 'open' | 'why' | 'who' | 'closed'

/**
 * Returns what kind of opening a message asks for: `why`, `who` or `open` if everything that it asks has a question word,
 * and `closed` if a yes or a no may answer it and nothing asks why. Null for any other message.
 *
 * @param clauses the clauses of the message that ask for something
 */
export function openingOf(clauses: readonly string[]): AskedKind | null {
  if (clauses.length === 0) return null
  const asksWhy = clauses.some((clause) => WHY.test(clause))
  if (!clauses.every((clause) => OPEN.test(clause))) return asksWhy ? null : 'closed'
  if (asksWhy) return 'why'
  return clauses.some((clause) => WHO.test(clause)) ? 'who' : 'open'
}

/** Returns true if a line's first word does not fit what is asked: a yes or a no, or a reason that nobody asked for. */
export function misfits(line: string, asked: AskedKind | null): boolean {
  if (asked === null) return false
  if (asked === 'closed') return REASON.test(line)
  return YES_OR_NO.test(line) || (asked !== 'who' && PERSONAL.test(line)) || (asked !== 'why' && REASON.test(line))
}

/** Returns a line without an opening that only says yes or no, or "because"; the line itself if nothing else would remain. */
export function withoutOpener(line: string): string {
  const rest = line.replace(BARE_YES_OR_NO, '').replace(BECAUSE, '')
  return rest === '' ? line : rest.slice(0, 1).toUpperCase() + rest.slice(1)
}

/** Matches a clause that begins with a question word. "What if" and "how about" ask for a yes or a no. */
const OPEN =
  /^(?:(?:and|but|so|then|ok|okay|well|also|or|hi|hello|hey|sorry|exactly|by|at|from|in|to|for|of|with|until|till|qué|y|pero|a|de|con|por)[\s,]+)*(?:what|whats|how|hows|who|whos|whose|whom|when|whens|where|wheres|which|why|whys|qué|que|quién|cuándo|dónde|cuál|cómo|cuánt[oa]s?)\b(?! (?:if|about|not)\b)/iu
const WHY = /\b(?:why|whys|how come|what for|what is the reason|what reason|por qué)\b/iu
const WHO = /\b(?:who|whos|whose|whom|quién(?:es)?)\b/iu
const SAYS_YES_OR_NO =
  "yes|yeah|yep|yup|aye|no|nope|quite true|very true|true|correct|exactly|that['’]s (?:right|so|true)|sí|cierto|exacto"
/** "It does." answers "does it". */
const ECHOES = "(?:it|that|they) (?:does|do|did|is|are|can|could|would|will)(?:n['’]t)?"
/** "I did." answers "did you", and "who did it". */
const OWN_ECHOES = "(?:i|we|you|he|she) (?:do|does|did|have|has|had|can|could|would|will|am|are|is|was|were)(?:n['’]t)?"
const YES_OR_NO = new RegExp(`^(?:(?:${SAYS_YES_OR_NO})(?=[.,!;])|${ECHOES}[.,!])`, 'iu')
const PERSONAL = new RegExp(`^${OWN_ECHOES}[.,!]`, 'iu')
const BARE_YES_OR_NO = new RegExp(
  `^(?:${SAYS_YES_OR_NO}|${ECHOES}|${OWN_ECHOES})(?:[.!]|,(?! (?:and|but|or|so|if|when|though|because|as|for|y|pero)\\b))\\s*`,
  'iu',
)
const REASON = /^(?:because|porque)\b/iu
/** "Because of the valve" would have no verb left. */
const BECAUSE = /^(?:because|porque) (?!of\b|de\b)/iu
