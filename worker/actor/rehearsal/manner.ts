import type { Token } from '../../core/text/words.ts'

/**
 * The manner of a whole message. `grunt` is a word or two without content ("ok"). `plain` is everything that can be
 * compared with a subject.
 */
export type Manner = 'wordless' | 'foreign' | 'insult' | 'hello' | 'thanks' | 'grunt' | 'plain'

/**
 * Determines the manner of a message from the message's words and plain text.
 *
 * @param people the first names of the scenario's people, in lower case
 */
export function mannerOf(plain: string, tokens: readonly Token[], people: ReadonlySet<string>): Manner {
  if (!/[\p{L}\p{N}]/u.test(plain)) return 'wordless'
  if (INSULT.test(plain)) return 'insult'
  const words = tokens.map(({ word }) => word).filter((word) => !people.has(word))
  if (isForeign(plain, tokens) && words.join() !== 'yo') return 'foreign'
  if (tokens[0]?.word !== 'again' && words.every((word) => HELLO.has(word))) return 'hello'
  if (words.some((word) => THANKS.has(word)) && words.every((word) => THANKS.has(word) || isFiller(word)))
    return 'thanks'
  return isGrunt(plain, tokens, people) ? 'grunt' : 'plain'
}

/**
 * Matches an insult aimed at the colleague. "This may be a stupid question" and "the average is useless" are not
 * insults.
 */
const INSULT = new RegExp(
  [
    String.raw`(?<!\b(?:i am|i feel|i sound|i look|call me|not) (?:such |like )?(?:an? )?)\b(?:idiots?|morons?|dumbass|imbeciles?)\b`,
    String.raw`\b(?:fuck|screw) (?:you|off|yourself|this)\b|\b(?:piss|sod|bugger) off\b|\bshut (?:up|your (?:mouth|face|trap))\b|\bgo to hell\b`,
    String.raw`\byou (?:all |people |lot )?(?:are |really are |must be )(?:\w+ ){0,2}?(?:stupid|dumb|useless|pathetic|incompetent|clueless|hopeless|worthless|ridiculous|liars?|frauds?|clowns?|losers?|joke)\b`,
    String.raw`\byou are (?:just |only |all )?(?:covering|protecting|saving) your(?: own)?\b|\byou are (?:\w+ )?(?:an? |the )(?:\w+ )?(?:weasel|snake|coward|fool|jerk|liar|fraud|crook|rat|pig|clown|loser|disgrace)s?\b`,
    String.raw`\byour (?:\w+ ){1,2}(?:(?:is|are) (?:\w+ )?(?:garbage|rubbish|crap|trash|shit|bullshit|worthless|useless|stupid|a joke|a waste)|sucks?)\b`,
    String.raw`\byou suck\b|\bhate you\b|\b(?:stupid|dumb|useless|dozy) (?:woman|man|cow|bitch|bot|robot|people|git)\b|\byou (?:stupid|useless|dumb|pathetic) \w+`,
  ].join('|'),
)

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const HELLO = set('hi hello hey heya hiya morning good afternoon there yo sup greetings again')
const THANKS = set('thanks thank cheers thx ta appreciate appreciated')
const BESIDE_THANKS = set('you it that much very so a lot for all is helpful help helps bye indeed')
const GRUNT = set(
  'ok okay k kk yes yeah yep yup no sure fine right mm mhm hm hmm hmmm uh um ah oh cool nice good great got it i see understood alright noted agreed true well so and then the go on next continue done hahaha hehe sounds makes sense perfect exactly agree absolutely totally completely definitely indeed correct maybe whatever you say if think guess that is wait hang',
)
/** Words of assent, and the words that usually surround them: "I totally agree with everything you say". */
const ASSENT = set('agree agreed absolutely totally completely definitely exactly indeed correct right true sense good')
const BESIDE_ASSENT = set('you are with everything all of this am me do does as said it what much very by 100')

/** Matches a question that has only such words and a name: "is Marcus ok", "you ok?". */
const ASKS = /^(?:is|are|do|does|did|was|were|would) \w+ \w|\byou (?:ok|okay|all right|good|well)(?: there)?\?/

function isFiller(word: string): boolean {
  return BESIDE_THANKS.has(word) || HELLO.has(word) || GRUNT.has(word)
}

/**
 * Returns true for a word or two without content, assent without a reason, or a bare number below 10, which has a
 * meaning only at a fork.
 */
function isGrunt(plain: string, tokens: readonly Token[], people: ReadonlySet<string>): boolean {
  if (/\b(?:no|not make(?: any)?) sense\b/.test(plain) || ASKS.test(plain)) return false
  const [only] = tokens
  if (tokens.length === 1 && only?.figure?.unit === 'plain' && only.figure.value < 10) return true
  const words = tokens.map(({ word }) => word).filter((word) => !people.has(word))
  if (words.every((word) => GRUNT.has(word) || HELLO.has(word))) return true
  const isAssent = words.some((word) => ASSENT.has(word)) && !plain.includes('?')
  return isAssent && words.every((word) => GRUNT.has(word) || HELLO.has(word) || BESIDE_ASSENT.has(word))
}

/**
 * Returns true for a message in another language. The function counts function words of other languages and of English,
 * which is enough to recognise "Entonces el límite es el 2%".
 */
function isForeign(plain: string, tokens: readonly Token[]): boolean {
  const letters = plain.match(/\p{L}/gu)?.length ?? 0
  const latin = plain.match(/[a-z]/g)?.length ?? 0
  if (letters > 0 && latin * 2 < letters) return true
  const words = tokens.filter(({ figure }) => !figure).map(({ word }) => word)
  const foreign = words.filter((word) => FOREIGN.has(word)).length
  const english = words.filter((word) => ENGLISH.has(word)).length
  return foreign > english && (foreign >= 2 || foreign * 2 > words.length)
}

const FOREIGN = set(
  'el la los las un una que es y pero con contra por para como esto eso muy mas entonces hola gracias si esta estamos tenemos ese ni importa le les des du et est nous vous que mais avec pour dans bonjour merci pas sur une alors der die das und ist nicht ein eine wir ich sie mit auf fur von hallo danke warum was wie il lo gli che non sono con per ciao grazie perche o os uma nao isso obrigado ola adios se yo tu decir puedo quiero hacer donde cuando cual hablo ingles espanol bien deutsch englisch het een en niet van dat wij ik guten tag bitte kann kein keine nein nach haben habe mein mir mich sehr zu viel estoy tengo mucho trabajo je suis oui',
)
const ENGLISH = set(
  'the and is are was were we you i it that this of to in on for with not but so at by do does what how why who if be have has our they them he she there then an a from about would should can will me my your or',
)
