import type { Manner } from './manner.ts'
import { mannerOf } from './manner.ts'
import type { Token } from './words.ts'
import { plainText, readWords } from './words.ts'

/** What a learner's message is, before it is held against any subject. */
export interface Heard {
  /** Lower case, contractions spelt out; for patterns over the whole message. */
  readonly plain: string
  readonly tokens: readonly Token[]
  readonly sentences: readonly Sentence[]
  readonly manner: Manner
}

export interface Sentence {
  readonly plain: string
  readonly tokens: readonly Token[]
  /** `echo`: said back with a question mark ("So 23% against 2%?"), which is not the same as asking. */
  readonly form: 'statement' | 'question' | 'echo'
}

/** Nobody takes in more than this of one message, in UTF-16 code units; the patterns' cost grows with it. */
const ATTENTION = 4000

/** Reads a learner's message. Pure. */
export function hear(message: string): Heard {
  const text = message.slice(0, ATTENTION)
  const plain = plainText(text)
  const tokens = readWords(text)
  const sentences = text
    .split(/(?<=[.!?])\s+|[\n;]+/)
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .map(readSentence)
  return { plain, tokens, sentences, manner: mannerOf(plain, tokens) }
}

/** Whether the message asks for something. */
export function asks(heard: Heard): boolean {
  return questionsIn(heard).length > 0
}

/** Whether there is nothing in it to take up: a greeting, thanks, an insult, no words or none that can be read. */
export function isAside({ manner }: Heard): boolean {
  return manner !== 'plain' && manner !== 'grunt'
}

/** The words of what it asks, without what it merely states beside it. */
export function questionsIn(heard: Heard): readonly Token[] {
  const asked = heard.sentences.filter(
    ({ form, plain }) => form !== 'statement' || REQUEST.test(plain) || LOST.test(plain),
  )
  return asked.flatMap(({ tokens }) => tokens)
}

/** Whether the learner did not follow, and asks for the same in other words. */
export function isLost(heard: Heard): boolean {
  return LOST.test(heard.plain)
}

/** Whether it asks for a figure, a date or an amount rather than an explanation. */
export function asksForFigure(heard: Heard): boolean {
  return asks(heard) && FIGURE_QUESTION.test(heard.plain)
}

/** Whether it proposes something to be done: "should I call them", "then we can't ship", "let's hold it back". */
export function proposes(heard: Heard): boolean {
  return PROPOSAL.test(heard.plain)
}

/** Whether it asks why, how, or what follows. */
export function probes(heard: Heard): boolean {
  return PROBE.test(heard.plain) && asks(heard)
}

const LOST =
  /\b(?:not (?:understand|get it|follow|see)|(?:repeat|say) (?:that|it)|come again|you lost me|what do you mean|confus\w+|unclear)\b|^(?:sorry|what|huh|pardon)\s*\?+$/
const REQUEST = /\b(?:tell|show|give|walk) (?:me|us)\b|\bexplain\b/
const ACTION =
  '(?:call|ring|tell|ask|email|slip|delay|hold|ship|launch|go|pull|stop|wait|postpone|block|push|move|release|route|gate|switch|turn|warn|notify|send|run|rerun|test|sign|fix|cut|drop|leave|keep|put|give)'
const PROPOSAL = new RegExp(
  `\\b(?:should|could|can|shall|need to|have to|must|let us|why not|what if|will|would|going to|gonna|better|then|just|do not|not)(?: (?:i|we|you|they|not|just|then|simply|still|at least|ever|even|also|rather|please|be|to))* ${ACTION}(?:ing|ping|ting|ning)?\\b`,
)
const PROBE = /\b(?:why|how|what|which|where|who|when|whose|what if|does that mean|is that|is it|are we|do we)\b/
const FIGURE_QUESTION =
  /\b(?:how (?:many|much|long|often|big|large|soon|high|far)|what (?:percent\w*|number|rate|share|figure|date|time|day|fraction|proportion|score)|number|figure|percentage|rate|cost|price|budget|deadline|when)\b/

const FILLER =
  /^(?:(?:ok|okay|so|and|but|well|wait|hm+|hi|hey|hello|yeah|yes|right|sorry|thanks|then|alright|fine|look|um+|uh+|maya|marcus|ines|otto)\b[\s,.!:]*)+/
const ASKING =
  /^(?:what|how|why|who|whose|when|where|which|is|are|was|were|am|do|does|did|can|could|should|would|will|shall|have|has|had|any|isn)\b/
const TAG = /\b(?:right|correct|yes|yeah|no|is not it|is it not|are not we|ok|okay)\s*\?+$/
/** "What I hear is 23%" states; "what is it" asks. */
const WH_STATEMENT = /^(?:what|how) (?:i|we|you|they|it|that|this|matters)\b/

function readSentence(text: string): Sentence {
  const plain = plainText(text).trim()
  return { plain, tokens: readWords(text), form: formOf(plain) }
}

function formOf(plain: string): Sentence['form'] {
  const body = plain.replace(FILLER, '')
  const marked = /\?["')\s]*$/.test(plain)
  if (marked && TAG.test(plain) && !ASKING.test(body)) return 'statement'
  if (ASKING.test(body) && (marked || !WH_STATEMENT.test(body))) return 'question'
  if (!marked) return 'statement'
  return /\b(?:or|whether)\b/.test(body) ? 'question' : 'echo'
}
