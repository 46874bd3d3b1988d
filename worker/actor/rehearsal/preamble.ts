import type { BriefingScene } from '../../core/briefing/briefing.ts'
import { languageOf } from '../../core/scenario/scenario.ts'
import { askedIn } from './nearest.ts'
import { ownLines } from './own-lines.ts'
import { firstNamesIn } from './vocabulary.ts'

/** A message without the words that only say why it is asked. */
export interface PlainMessage {
  readonly text: string
  /** True if the learner says that the last reply did not answer: "I didn't ask when, I asked who". */
  readonly insists: boolean
  /** True if the learner says only that. The text is then the last question. */
  readonly isBare?: true
}

/**
 * Removes what a question only begins with: whose advice it is to ask ("Gwen says I should ask you: ..."), and that the
 * last reply was to another question ("I meant: ...", "you didn't say ..."), or which question it answers ("you asked what's
 * wrong with it: ..."). English only.
 */
export function withoutPreamble(scene: Pick<BriefingScene, 'scenario' | 'npc' | 'history' | 'learner'>): PlainMessage {
  const { scenario, history, learner } = scene
  const { notWhatAsked } = ownLines(scene)
  const isThat = (text: string) => text.replaceAll('’', "'") === notWhatAsked
  const asked = history.findLast(({ who, text }) => who === 'learner' && !isThat(text))?.text
  if (asked !== undefined && isThat(learner)) return { text: asked, insists: true, isBare: true }
  if (languageOf(scenario) !== 'en') return { text: learner, insists: false }
  const said = learner.replaceAll('’', "'")
  const isKnown = (name: string) => PRONOUN.test(name) || firstNamesIn(scenario).has(name.toLowerCase())
  const told = withoutCourtesy(withoutIntroduction(said))
    .replace(RECALLED, '$1 is ')
    .replace(SET_ASIDE, ' ')
    .replace(ADVISED_FOR, (all, name: string, asked: string) => (isKnown(name) ? `what is ${asked}?` : all))
    .replace(ADVISED, (all, name: string) => (isKnown(name) ? ' ' : all))
  const insists = MISSED.test(told) && !AFFIRMS.test(told)
  const rest = insists
    ? told.replaceAll(new RegExp(MISSED, 'gi'), ' ').replace(NOT_ASKED, '').replace(BEFORE_REST, '')
    : told
  if (!/\p{L}{2}/u.test(rest))
    return insists && asked !== undefined ? { text: asked, insists, isBare: true } : { text: learner, insists }
  if (!insists) return { text: told === said ? learner : told.trim(), insists }
  return { text: /[?]\s*$/.test(rest) ? rest.trim() : `${rest.trim().replace(/[.!,;:\s]+$/, '')}?`, insists }
}

/** Removes how a learner introduces themselves before a question: "hi Ines, I'm new here, Otto sent me. What do you do?" */
function withoutIntroduction(said: string): string {
  const [, greeting = '', question = ''] = INTRODUCES.exec(said) ?? []
  return askedIn(question).length > 0 ? withoutIntroduction(greeting + question) : said
}

/** Removes what stands before a question in the same sentence: "thanks for being honest, how many were there?", "wow is that a lot?" */
function withoutCourtesy(said: string): string {
  const [, question = ''] = COURTESY.exec(said) ?? EXCLAIMED.exec(said) ?? []
  return question.split(' ').length >= LEAST_ASKED && askedIn(question).length > 0 ? question : said
}

/** "Yes, that's what I'm asking" says that the colleague heard it right. */
const AFFIRMS = /^(?:yes|yeah|yep|yup)\b[ ,.!]*(?:that|this|it)/i

const COURTESY =
  /^(?:(?:oh|ok|okay|right|well|great|lovely|perfect|brilliant|ah)[ ,]+)*(?:(?:thanks|thank you|thankyou|thx|ta|cheers|sorry|apologies)\b(?: [^,.!?;:]{1,50})?[,;:]|(?:hang on|hold on|wait|one sec)[, ]) ?((?:(?:and|so|but|then)[, ]+)?[^]+)$/i
const EXCLAIMED =
  /^(?:(?:wow|omg|whoa|woah|jeez|geez|gee|damn|dang|yikes|oof|ouch|blimey|gosh|ugh|wtf|lol|holy \w+)\b[ ,.!:;-]+)+([^]+)$/i
/** "Sorry, what?" asks for the last words again. */
const LEAST_ASKED = 3

/** Matches a question of the colleague's that the learner repeats before the answer: "you asked what's wrong with it: ..." */
const RECALLED = /^(?:(?:ok|okay|so|well|and)[, ]+)*you asked (?:me )?(what(?:'?s| is) [^:?.!]{3,60}): */i
/** Matches what is not to be talked about: "forget the noodles. ..." */
const SET_ASIDE = /\b(?:forget|never ?mind)(?: about)? (?:the|that|those|your) \p{L}+(?: \p{L}+)?[.,;:!] */giu
const INTRODUCES =
  /^((?:(?:hi|hey|hello|hiya|morning|evening)(?: \p{L}+)?[ ,.!]+)?)(?:(?:i'?m|i am) (?:the )?new(?: (?:here|tonight|one|guy|on (?:the|this) (?:team|job)|to (?:this|all this)))?|\p{L}+ (?:has )?sent me(?: (?:here|down|up|over|to you))?|(?:have you |(?:do )?you )?(?:got|have) (?:a|5|five|two|2) (?:mins?|minutes?|secs?|seconds?|moments?)(?: (?:for|before|to) [^?.!,]{2,30}(?=[?.!,]))?|quick (?:one|question)|first day(?: here)?)\b[ ,.:;!?-]+(?:(?:and|so) )?(.+)$/isu
const ADVISED =
  /\b(\p{L}+) (?:says?|said|told me|thinks?|thought|reckons?)(?: that)? (?:(?:i|we) (?:should|must|ought to|could|can|have to|need to)|to) ask you(?: (?:that|this))?\b[,:;.]?/iu
/** Matches the same with what to ask for: "Otto says I should ask you for the worst answer". */
const ADVISED_FOR =
  /\b(\p{L}+) (?:says?|said|told me)(?: that)? (?:(?:i|we) (?:shoul?d|must|ought to|could|can|have to|need to)|to) ask you (?:for|about) ([^.?!]+)[.?!]*$/iu
/** Matches what leads in to the question after it was said that another was answered: "no, haha, I mean ..." */
const BEFORE_REST =
  /^[\s,.:;!-]*(?:(?:no|nope|neither|(?:ha){2,}h?|lol|well|ok|hang on|wait)\b[\s,.:;!-]+)*(?:i mean\b[\s,:;]*)?/i
/** Matches at the end what is not asked: "I meant if I hold it back, not if I don't decide". */
const NOT_ASKED = /,? (?:and )?not (?:if|whether|what|who|how|when|where|why|about)\b[^.?!]*[.?!]*$/i
const PRONOUN = /^(?:he|she|they|somebody|someone|everyone|everybody)$/i
const NOT = "(?:did not|didn't|didnt|have not|haven't|havent)"
const MISSED = new RegExp(
  [
    String.raw`\b(?:no[,.]? )?(?:but )?(?:that is|that's|thats|this is|it's) not (?:really |quite )?(?:what i (?:asked|meant|mean|am asking|'?m asking)|my question|an answer)(?: (?:though|at all))?\b[.,:;!]?`,
    String.raw`\b(?:that is|that's|thats) (?:the |about the )?[^.,:;!?]{2,25} again\b[.,:;!]?`,
    String.raw`\byou (?:just )?(?:skipped|ignored|dodged|missed|avoided) (?:my|that|the) (?:question|q|one|point)\b[.,:;!]?`,
    String.raw`\b(?:no[,.]? )?i ${NOT} (?:ask(?:ed)?|mean) [^.?!:;,]{0,40}[.,:;!]`,
    String.raw`\byou ${NOT} (?:really )?(?:answer(?:ed)?|say|said|tell|told)(?: me)?(?: (?:my question|that|it))?(?= ?(?:[.,:;!]|(?:what|who|how|why|when|where|which|whether|if|about)\b))[.,:;!]?`,
    String.raw`\bi (?:meant(?! to\b)|am asking|was asking|asked(?= ?[,:]| (?:you|about|whether|if|what|who|how|why|when|where|which)\b))(?: you)?(?: (?:about|whether|if))?\b[,:;]?`,
    String.raw`\bno[,.]? i mean\b(?! (?:it|that|this|well)\b)[,:;]?`,
    String.raw`\b(?:no[,.]? )?i'?m asking(?: you)?(?: (?:about|whether|if))?\b[,:;]?`,
  ].join('|'),
  'i',
)
