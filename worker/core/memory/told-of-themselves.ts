import { type FactKey, MOST_FACTS, MOST_SAID, type Picked, sentencesOf, VALUE_CHARACTERS } from './remembered.ts'

/** The fewest words in a sentence that is worth remembering. Shorter sentences say too little. */
const FEWEST_WORDS = 5

/**
 * Picks, by word patterns alone, what a learner stated about themselves (name, role, preferences and so on), and other
 * sentences in the first person. If a fact is stated twice, the last value counts. Questions are skipped, and so are
 * statements about other people.
 *
 * @param said the learner's messages, oldest first
 */
export function pickFromWords(said: readonly string[]): Picked {
  const told = sentencesOf(said)
    .filter((sentence) => !sentence.endsWith('?'))
    .map((sentence) => ({ sentence, facts: factsIn(sentence) }))
  const facts = new Map(told.flatMap((each) => each.facts).map((fact) => [fact.key, fact]))
  const evidence = told.filter((each) => each.facts.length > 0)
  const others = told.filter(({ sentence, facts: none }) => none.length === 0 && isOfThemselves(sentence))
  const kept = new Set([...evidence.slice(-MOST_FACTS), ...others.slice(-MOST_SAID)].slice(0, MOST_SAID))
  return {
    said: [...new Set(told.filter((each) => kept.has(each)).map(({ sentence }) => sentence))],
    facts: [...facts.values()].slice(0, MOST_FACTS),
  }
}

function isOfThemselves(sentence: string): boolean {
  return sentence.split(' ').length >= FEWEST_WORDS && /(?<![\p{L}'’])(?:I|me|my|we|our)(?![\p{L}])/u.test(sentence)
}

function factsIn(sentence: string): Picked['facts'] {
  return PATTERNS.flatMap(({ key, pattern }) => {
    const value = pattern.exec(sentence)?.[1]?.trim() ?? ''
    return value !== '' && value.length <= VALUE_CHARACTERS ? [{ key, value }] : []
  })
}

const NAME = "[\\p{Lu}][\\p{L}'’-]{0,30}(?: [\\p{Lu}][\\p{L}'’-]{0,30}){0,2}"
/** Matches the rest of a clause: up to punctuation, or to words that begin another clause. */
const REST = '((?!not\\b)[\\p{L}\\d][^.,;:!?()"]{1,100}?)(?=\\s*(?:[.,;:!?()"]|$| but | because | and (?:I|my|we) ))'
const TRADE =
  'engineer|developer|programmer|designer|analyst|scientist|researcher|manager|lead|architect|consultant|administrator|technician|teacher|nurse|doctor|student|intern|trainee|apprentice|writer|accountant|lawyer|product owner'

/** Words in front of a trade that show that the trade is not the learner's own, as in "I'm the sister of a nurse". */
const TURN = '(?:of|who|whose|that|for|with|to|and|or|not|no|from|by|in|on|at|like|than)\\b'
/** Matches an activity other than work, which does not count as experience. */
const DOING = '(?!work)\\p{L}+ing\\b|told\\b'

/**
 * The patterns that state a fact. Each pattern requires a full first-person phrase. A quoted phrase matches too ("she
 * said my goal is …"), but that is rare. A looser pattern would match "I'm tired".
 */
const PATTERNS: readonly { readonly key: FactKey; readonly pattern: RegExp }[] = [
  { key: 'name', pattern: new RegExp(`(?:^|[,;.] |\\band )[Mm]y name(?: is|['’]s) (${NAME})`, 'u') },
  { key: 'name', pattern: new RegExp(`(?:^|[,;.] )(?:[Pp]lease |[Yy]ou can |[Jj]ust )?[Cc]all me (${NAME})`, 'u') },
  { key: 'name', pattern: new RegExp(`^(?:Hi|Hello|Hey|Good \\w+)[^.!?]{0,20}[,!.]? I(?: am|['’]m) (${NAME})`, 'u') },
  { key: 'role', pattern: new RegExp(`\\bI(?: work|['’]m working| am working) as (?:an? |the )?${REST}`, 'u') },
  {
    key: 'role',
    pattern: new RegExp(`\\b[Mm]y (?:role|job|job title) is (?:an? |the |to be (?:an? |the )?)?${REST}`, 'u'),
  },
  {
    key: 'role',
    pattern: new RegExp(
      `\\bI(?: am|['’]m) (?:an? |the )((?:(?!${TURN})[\\p{L}-]+ ){0,4}(?:${TRADE}))(?![\\p{L}'’-])`,
      'u',
    ),
  },
  {
    key: 'team',
    pattern: new RegExp(`\\bI(?: am|['’]m| work)(?: (?!not\\b)\\w+)? (?:in|on) the ((?:[\\p{L}-]+ ){1,4}team)\\b`, 'u'),
  },
  {
    key: 'preference',
    pattern: new RegExp(`\\bI(?: would|['’]d)? (?:always |really |much )?(?:prefer|rather) (?:to )?${REST}`, 'u'),
  },
  { key: 'goal', pattern: new RegExp(`\\b[Mm]y (?:goal|aim) is (?:to )?${REST}`, 'u') },
  {
    key: 'experience',
    pattern: new RegExp(
      `\\bI(?: have|['’]ve) (?:only |just )?(?:been|worked) ((?!${DOING})[^.,;:!?()"]{0,80}\\bfor (?:[\\p{L}\\d]+ ){1,4}(?:weeks?|months?|years?))(?!\\p{L})`,
      'u',
    ),
  },
]
