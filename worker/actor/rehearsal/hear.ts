import type { Manner } from './manner.ts'
import { mannerOf } from './manner.ts'
import type { Token } from '../../core/text/words.ts'
import { plainText, readWords } from '../../core/text/words.ts'

/** A learner's message, parsed but not yet compared with any subject. */
export interface HeardMessage {
  /** The message in lower case with contractions spelt out, for patterns over the whole message. */
  readonly plain: string
  readonly tokens: readonly Token[]
  readonly sentences: readonly Sentence[]
  readonly manner: Manner
}

export interface Sentence {
  readonly plain: string
  readonly tokens: readonly Token[]
  /**
   * `echo`: a statement with a question mark ("So 23% against 2%?"), which counts as a statement and as a question.
   * `order`: an order to say something ("Repeat after me"), which states nothing.
   */
  readonly form: 'statement' | 'question' | 'echo' | 'order'
}

/**
 * The maximum number of UTF-16 code units that are read of a message, because the cost of the patterns grows with the
 * length.
 */
const ATTENTION = 4000

/**
 * Parses a learner's message.
 *
 * @param people the first names of the scenario's people, in lower case (`firstNamesIn`)
 */
export function hearMessage(message: string, people: ReadonlySet<string> = new Set()): HeardMessage {
  const text = message.slice(0, ATTENTION).replace(SEPARATORS, ' ')
  const plain = plainText(text)
  const tokens = readWords(text)
  const sentences = text
    .split(
      /(?<=[.!?])\s+|[\n;]+|:\s+(?=(?:what|why|how|who|when|where|which|is|are|do|does|did|can|could|would|will|should)\b)/i,
    )
    .filter((part) => READABLE.test(part))
    .map((part) => readSentence(part, people))
  // "haha" has letters, although its plain text is empty.
  const isSlang = !READABLE.test(plain) && READABLE.test(text)
  return { plain, tokens, sentences, manner: isSlang ? 'grunt' : mannerOf(plain, tokens, people) }
}

/** Matches a letter or a digit. */
const READABLE = /[\p{L}\p{N}]/u

/** Matches a pasted separator such as "---END---", which `hearMessage` removes. */
const SEPARATORS = /[-\u2010-\u2015]{2,}[ \t]*end\b[^\n-]{0,40}[-\u2010-\u2015]{2,}/gi

/** Returns true if the message has a question or a request, with a question mark or without. */
export function asks(heard: HeardMessage): boolean {
  return questionsIn(heard).length > 0 || INVERTED.test(heard.plain)
}

/** Matches a question anywhere in a sentence by its word order: "if it leaks who is liable", "so do we lose the paper". */
const INVERTED =
  /\b(?:what|why|how|who|when|where|which) (?:is|are|was|were|do|does|did|can|could|should|would|will|many|much|long|sure|come)\b|(?<!\b(?:so|neither|nor|as|than|what|who|how|that|which|where|when|why) )\b(?:do|does|did|can|could|should|would|will|is|are|was|were|have|has) (?:i|we|you|they|it|he|she|there|any\w*)\b|\bis (?:that|this) (?:good|enough|right|ok|okay|all|allowed|legal|true|correct|bad|fair|safe|normal|under|over|why|how|your|really|even)\b/

/** Returns true for a message without content: a greeting, thanks, an insult, or text without readable words. */
export function isAside({ manner }: HeardMessage): boolean {
  return manner !== 'plain' && manner !== 'grunt'
}

/** Returns the words of a message's questions and requests, without its statements. */
export function questionsIn(heard: HeardMessage): readonly Token[] {
  const asked = heard.sentences.filter(
    ({ form, plain }) => form === 'question' || form === 'echo' || REQUEST.test(plain) || LOST.test(plain),
  )
  return asked.flatMap(({ tokens }) => tokens)
}

/** Returns true if the learner did not understand and asks for other words. */
export function isLost(heard: HeardMessage): boolean {
  return LOST.test(heard.plain)
}

/** Returns true if the learner has no more questions: "that's all", "no more questions". */
export function wantsNothingMore({ plain, sentences }: HeardMessage): boolean {
  return ENOUGH.test(plain) && !sentences.some(({ form }) => form === 'question')
}

/**
 * Returns true if the whole message consists of statements. A statement with a question mark (`echo`) counts as a
 * statement.
 */
export function onlyStates({ plain, sentences }: HeardMessage): boolean {
  const told = sentences.every(({ form }) => form === 'statement' || form === 'echo')
  return told && sentences.length > 0 && !REQUEST.test(plain) && !LOST.test(plain)
}

/**
 * Returns the subject of a doubt: "Are you sure about the 2%?" is about the 2%. Returns null if the message has no
 * doubt.
 */
export function doubted({ plain }: HeardMessage): string | null {
  return DOUBT.test(plain) ? plain.replaceAll(new RegExp(DOUBT, 'g'), ' ').trim() : null
}

/**
 * Returns true if the learner states something and asks whether it is right: "so only Ridge had it, right?". The
 * question alone states nothing.
 */
export function asksWhetherRight({ plain, tokens, sentences }: HeardMessage): boolean {
  const states = sentences.some(({ form }) => form === 'statement' || form === 'echo')
  // Thanks or a goodbye may follow: "..., right? thanks, bye".
  const asked = sentences.filter((each) => each.tokens.length >= LEAST_CHECKED && each.plain.endsWith('?'))
  return (
    states &&
    tokens.length >= LEAST_CHECKED &&
    [plain, ...asked.map((each) => each.plain)].some((text) => CHECK.test(text))
  )
}

/** A shorter message only asks. */
const LEAST_CHECKED = 4

/** Returns true for a question whether what was said before is right, which states nothing: "so did I get it right?" */
export function onlyChecks({ plain, sentences }: HeardMessage): boolean {
  return sentences.length === 1 && ONLY_CHECK.test(plain)
}

/** Returns true if a sentence only asks whether what stands before it is right. */
export function isCheck({ plain }: Sentence): boolean {
  return ONLY_CHECK.test(plain)
}

const ONLY_CHECK =
  /^(?:(?:so|and|ok|okay|but|then)[ ,]+)*(?:(?:did|have|do) i (?:get|got|understand|understood)(?: (?:that|it|this|you))?(?: all)?(?: right| correctly)?|(?:is|was) that (?:about )?(?:right|correct|it)|am i right)[ ?.!]*$/

/** Returns true if the learner asks for the colleague's own view. */
export function asksForView(heard: HeardMessage): boolean {
  return VIEW.test(heard.plain)
}

/** Returns true if the message asks how many or how much, which only a figure answers. */
export function asksHowMany(heard: HeardMessage): boolean {
  return asks(heard) && QUANTITY.test(heard.plain)
}

/** Returns true if the learner asks what they have not asked: "anything else I should know?", "what am I missing?" */
export function asksWhatIsLeft(heard: HeardMessage): boolean {
  return LEFT.test(heard.plain.replace(/\b(?:and|or) something else\b/g, ' ')) && asks(heard)
}

/** Returns true if the message asks whom else there is to see, or what comes next: "who's left?", "what now?" */
export function asksWhoIsLeft({ plain }: HeardMessage): boolean {
  return WHO_IS_LEFT.test(plain)
}

const WHO_IS_LEFT =
  /\b(?:who (?:else )?(?:(?:do|should|must|have) i )?(?:still |not |yet )*(?:need|have|left|seen|miss\w*|talk\w*|see|ask)\b(?!.* about\b)|who is (?:left|next|still (?:missing|left))|who(?:m)? else\b(?!.* about\b)|(?:what|where) (?:now|next|to now)(?= ?(?:[?.!,]|$))|where do i go (?:now|next))/

/** Returns true if the message asks whom to see next. */
export function asksWhoNext({ plain }: HeardMessage): boolean {
  return /\b(?:who|whom|where)\b.*\b(?:see|talk|speak|ask|go|next|now)\b/.test(plain)
}

/** Returns true if the message asks for a figure or an amount rather than an explanation. */
export function asksForFigure(heard: HeardMessage): boolean {
  const asking = heard.sentences.filter(({ form, plain }) => form !== 'statement' || REQUEST.test(plain))
  return asks(heard) && asking.some(({ plain }) => FIGURE_QUESTION.test(plain))
}

/** Returns true if the message proposes an action: "should I call them", "then we can't ship", "let's hold it back". */
export function proposes(heard: HeardMessage): boolean {
  return PROPOSAL.test(heard.plain)
}

/** Returns true if a sentence puts a proposal to the colleague, and so wants an answer: "let's take it out", "we could wait". */
export function suggests({ sentences }: HeardMessage): boolean {
  return sentences.some(({ plain }) => SUGGESTION.test(plain))
}

/** Returns true if the message asks why, how, or for the consequences. */
export function probes(heard: HeardMessage): boolean {
  return PROBE.test(heard.plain) && asks(heard)
}

const LOST =
  /(?:\bi (?:\w+ )?(?:do|did|can|could) not (?:\w+ )?|^(?:sorry[, ]+)?(?:do|did|can) not )(?:understand(?! (?:my|our|his|her|their|myself)\b)|get (?:it|that)|follow|see)\b|^(?:still )?unclear\b|\b(?:repeat (?:that|it)|say (?:that|it) again|come again|you lost me|what do you mean|(?:am|are|bit|you) confus\w+|confused|(?:that|this|it|you) (?:is|are|was) (?:\w+ )?(?:confusing|unclear(?= ?(?:[.!?,]|$)))|simpler|more simply|plainer|plain english|in other words|(?:explain|say) (?:it|that) (?:again|differently)|rephrase|dumb it down|makes? no sense|not make (?:any )?sense)\b|^(?:sorry|what|huh|pardon|again)\s*\?+$/
const ENOUGH =
  /\b(?:no (?:more|further|other) questions?|(?:nothing|not anything) (?:else|more|further)|(?:that is|that was|that will be|that would be) (?:all|everything|it)(?= ?(?:[.,!]|$| (?:i|for|from|thanks|thank)\b))|that (?:answers|covers|settles) (?:it|that|everything|all|my)|(?:i am|we are) (?:done|good|finished|all set)(?= ?(?:[.,!]|$| (?:here|now|thanks|thank)\b))|(?:i have|i have got|i got|got) (?:what|all|everything) i (?:need\w*|came for|wanted))/
const DOUBT =
  /\b(?:are you (?:really |quite |absolutely |so )?(?:sure|certain)|how (?:sure|certain) are you|you are (?:really )?sure|how can (?:you be (?:so )?|i be )(?:sure|certain)|is (?:that|this|it) (?:really )?(?:right|true|correct)|prove (?:it|that)|(?:i am )?not convinced|i doubt (?:it|that)?|(?:(?<!\w[ ,]+)|\b(?:oh|wow),? )really|really(?= ?\?))(?= ?(?:[?.!,]|$| (?:about|of|that|it|the|this)\b))/
const CHECK =
  /(?:^|[\s,.])(?:right(?: so far)?|correct|yeah|yes|(?<!\bor )no|(?:is )?(?:that|it|this) (?:about )?(?:right|correct|true|fair|it)|am i right|(?:that )?makes? sense|(?:is (?:that|it|this) )?(?:a )?(?:fair|good|right|ok|okay) summary|does (?:that|it) (?:make sense|sound right|sound about right)|(?:did|have|do) i (?:get|got|understand|understood)(?: (?:that|it|this|you))?(?: right| correctly)?|is not it|is it not|(?:(?:do|would) you )?agree(?: with (?:that|this|me))?)(?:,? or (?:am i|are we) (?:missing|forgetting) (?:any|some)thing)?[\s?.!]*$/
const VIEW =
  /\b(?:would you|do you (?:think|reckon|want)|you (?:think|reckon)|your (?:\w+ )?(?:view|gut\w*|opinion|call|take|advice|feeling)|(?:ok|okay|happy|fine|enough|all right|alright)(?: to \w+)? (?:with|for|by) you|are you (?:ok|okay|happy|fine) with|if you were me|can (?:i|we) (?:count|rely) on you)\b|\b(?:in|were you) my (?:shoes|place)\b|\bis(?: \w+)*? (?:not )?(?:basically |just |kind of |sort of |a bit |really |plain )*(?:cheating|lying|a lie|dishonest|unfair|fair|wrong of \w+|immoral|fraud|a cop out)\b/
const LEFT = new RegExp(
  `\\b(?:${[
    '(?:any|some)thing (?:else )?(?:that )?(?:i|we) (?:have not|did not|should have|forgot|forget|ought to have) ?(?:to )?(?:ask\\w*|heard?|thought of|know|known)',
    '(?:any|some)thing (?:else )?(?:that )?(?:i|we) (?:\\w+ )?(?:should|need to|ought to|must|have to) (?:\\w+ )?(?:know|ask|hear|consider|be aware of)',
    '(?:any|some)thing (?:else )?(?:that )?you (?:have not (?:told|said|mentioned)|are not telling|did not tell|are holding back|want to add)(?: (?:me|us|yet))*',
    // "Could it break something else?" does not ask what else there is to know.
    '(?<!(?<!\\p{L})(?!(?:there|know|have|got|say|add|me|and|or|you|is|but|so|still|ok|then|with|hello|hi)\\b)\\p{L}+ )(?:any|some)thing else(?: (?:you (?:have|know|can|could|want to|would|should)(?: (?:to )?(?:tell|add|say)(?: me)?)?|to (?:add|know)|for me|from you))?',
    'what (?:am i|are we) (?:missing|forgetting|overlooking|not (?:seeing|asking))',
    '(?:am i|are we) (?:missing|forgetting|overlooking) (?:any|some)thing',
    '(?:any|some)thing (?:else )?(?:that )?(?:i|we) (?:(?:have |am |are )?(?:missed|missing|forgot|forgotten|overlooked|left out))',
    '(?:have|did) (?:i|we) (?:miss|missed|forget|forgot|forgotten|overlook|overlooked) (?:any|some)thing',
    'what (?:have i|did i|have we) (?:not asked|missed|forgotten|forget|miss|overlooked)(?: (?:to )?ask)?',
    'what (?:else )?should (?:i|we) (?:have asked|be asking|still ask|still know|also know|ask you)',
    'what else (?:should|do|must) (?:i|we) (?:need to )?(?:know|ask)(?: you)?',
    'what else (?:do you (?:know|have)|can you tell me|is there(?: to know)?)',
    'what have (?:i|we) not asked',
  ].join('|')})(?= ?(?:[?.!,]|$)| (?:you|here|now|yet|before i|from you|then|please|at all|so far|today|tonight)\\b)`,
  'u',
)
const QUANTITY = /\bhow (?:many|much)\b|\bwhat (?:percent\w*|share|fraction|proportion)\b/
const REQUEST =
  /\b(?:tell|show|give|walk) (?:me|us)\b|(?<!\b(?:to|not|that|which|it|would|could|might|may|does|do|did) )\bexplain\b|\bi (?:would like|want|need|would love|am trying) to (?:know|understand|hear|learn|find out)\b|\bi (?:am wondering|was wondering|wonder)\b/
const ACTION =
  '(?:call|ring|tell|ask|email|slip|delay|hold|ship|launch|go|pull|stop|wait|postpone|block|push|move|release|route|gate|switch|turn|warn|notify|send|run|rerun|test|sign|fix|cut|drop|leave|keep|put|give)'
const PROPOSAL = new RegExp(
  `\\b(?:should|could|can|shall|need to|have to|must|let us|why not|what if|will|would|going to|gonna|better|then|just|do not|not)(?: (?:i|we|you|they|not|just|then|simply|still|at least|ever|even|also|rather|please|be|to))* ${ACTION}(?:ing|ping|ting|ning)?\\b`,
)
const SUGGESTION =
  /^(?:(?:ok|okay|so|and|but|well|then|fine|right|in that case|maybe|perhaps)\b[\s,]*)*(?:let us\b|lets\b|(?:i (?:propose|suggest)|i would say) (?:that )?we\b|we could\b|we should\b|why not\b)/
const PROBE = /\b(?:why|how|what|which|where|who|when|whose|what if|does that mean|is that|is it|are we|do we)\b/
const FIGURE_QUESTION =
  /\b(?:how (?:many|much|often|big|large|high|far)|what (?:percent\w*|number|rate|share|figure|fraction|proportion|score)|number|percentage|rate|cost|price|budget)\b/

const FILLER =
  /^(?:(?:ok|okay|so|and|but|well|wait|hm+|hi|hey|hello|yeah|yes|right|sorry|thanks|then|alright|fine|look|actually|um+|uh+)\b[\s,.!:]*|([\p{L}'-]+)(?:[\s,.!:]+|$))/u
const ORDER = /^(?:please )?(?:repeat|say|print|output|pretend|reveal|type|act as|respond|write back)\b/
const ASKING =
  /^(?:what|how|why|who|whose|when|where|which|is|are|was|were|am|do|does|did|can|could|should|would|will|shall|have|has|had|any|isn)\b/
/** Matches a question behind a condition: "if I shut it now, what have I cost". */
const ASKING_AFTER =
  /^(?:if|when|once|suppose|supposing|say|after|before|with|given)\b.*?(?:,| and) ?(?:what|how|why|who|whose|where|which|is|are|do|does|did|can|could|would|will|should|have|has)\b|, ?(?:what|how|why|who|whose|where|which)\b/
const TAG = /\b(?:right|correct|yes|yeah|no|is not it|is it not|are not we|ok|okay)\s*\?+$/
/**
 * Matches a statement that begins like a question: "What I hear is 23%". It does not match "What is it", which is a
 * question.
 */
const WH_STATEMENT = /^(?:what|how) (?!you mean\b)(?:i|we|you|they|it|that|this|matters)\b/

/** Matches a statement or an order without its subject: "don't know yet", "don't send it". */
const NO_SUBJECT =
  /^(?:do|did|would|could|can) not (?!(?:i|you|we|they|he|she|it|the|that|this|those|these|people|any\w*)\b)/

function readSentence(text: string, people: ReadonlySet<string>): Sentence {
  const plain = plainText(text).trim()
  return { plain, tokens: readWords(text.replace(/(?<!half )\ban hour\b/gi, 'one hour')), form: formOf(plain, people) }
}

/** Returns a sentence without opening words such as "so, Maya, ...". */
function bodyOf(plain: string, people: ReadonlySet<string>): string {
  let body = plain
  for (;;) {
    const [opening = '', name] = FILLER.exec(body) ?? []
    if (opening === '' || (name !== undefined && !people.has(name))) return body
    if (name !== undefined && !/[,:]/.test(opening) && OF_SOMEBODY.test(body.slice(opening.length))) return body
    body = body.slice(opening.length)
  }
}

/** Matches what is told of somebody whose name comes before: "Maya has the numbers" asks Maya nothing. */
const OF_SOMEBODY =
  /^(?:has|is|was|does|did|can|could|will|would|should)\b(?! (?:it|he|she|they|we|you|i|that|this|there|any\w*)\b)/

function formOf(plain: string, people: ReadonlySet<string>): Sentence['form'] {
  const body = bodyOf(plain, people)
  if (ORDER.test(body)) return 'order'
  const marked = /\?["')\s]*$/.test(plain)
  if (marked && TAG.test(plain) && !ASKING.test(body)) return 'statement'
  if (ASKING.test(body) && (marked || !(WH_STATEMENT.test(body) || NO_SUBJECT.test(body)))) return 'question'
  if (!marked) return 'statement'
  return /\b(?:or|whether)\b/.test(body) || ASKING_AFTER.test(body) ? 'question' : 'echo'
}
