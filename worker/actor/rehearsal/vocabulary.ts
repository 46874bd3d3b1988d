import type { Npc, Scenario } from '../../core/scenario/scenario.ts'
import type { Token } from './words.ts'
import { remembered } from './remember.ts'
import { withoutSmallTalk } from './small-talk.ts'
import { sameStem } from './terms.ts'
import { plainText, readAuthored } from './words.ts'

/** The stem every word of a group of synonyms is counted as. */
export type Synonyms = ReadonlyMap<string, string>

export function synonymsOf(scenario: Scenario): Synonyms {
  return foldings(scenario, scenario)
}

const foldings = remembered((scenario: Scenario): Synonyms => {
  const groups = scenario.synonyms.map((group) => group.flatMap((word) => readAuthored(word).map(({ stem }) => stem)))
  return new Map(groups.flatMap((stems) => stems.map((stem) => [stem, stems[0] ?? stem] as const)))
})

/** The words that carry meaning, as stems, synonyms folded, each once. */
export function contentStems(tokens: readonly Token[], synonyms: Synonyms): ReadonlySet<string> {
  const stems = tokens.filter((token) => !isCommon(token) && token.stem.length > 1).map(({ stem }) => stem)
  return new Set(stems.map((stem) => synonyms.get(stem) ?? stem))
}

/** Everything a colleague has words for, small talk apart: what a message must touch to be about their business. */
export const ownWords = remembered((npc: Npc, synonyms: Synonyms): ReadonlySet<string> => {
  const texts = [
    ...npc.subjects,
    ...npc.knowledge,
    ...npc.depth,
    ...npc.challenges,
    ...npc.decisionFacts,
    ...npc.beats.beat1,
    ...npc.beats.beat6,
    ...(npc.document ? [npc.document.title, ...npc.document.lines] : []),
    ...npc.rehearsal.answers.flatMap(({ asks }) => asks.map((ask) => withoutSmallTalk(plainText(ask)).rest)),
    ...npc.rehearsal.acknowledgements.flatMap(({ groups }) => groups.flat()),
  ]
  return contentStems(texts.flatMap(readAuthored), synonyms)
})

/** Whether a word is among others, one slip of the keyboard allowed in longer ones. */
export function isAmong(stem: string, words: ReadonlySet<string>): boolean {
  return words.has(stem) || [...words].some((known) => sameStem(stem, known))
}

/** Everything anybody here has words for. What is not among them is about something else. */
export const allWords = remembered((scenario: Scenario, synonyms: Synonyms): ReadonlySet<string> => {
  return new Set([
    ...sharedWords(scenario, synonyms),
    ...scenario.npcs.flatMap((npc) => [...ownWords(npc, synonyms)]),
    ...namesOf(scenario, synonyms),
    ...synonyms.values(),
  ])
})

/** What the colleagues are called, and what they do. Naming somebody is not saying anything about the matter. */
export const namesOf = remembered((scenario: Scenario, synonyms: Synonyms): ReadonlySet<string> => {
  return contentStems(
    scenario.npcs.flatMap(({ name, role }) => readAuthored(`${name}. ${role}`)),
    synonyms,
  )
})

/** Words of the matter itself, whoever the colleague is: the situation, the decision, and how people ask about both. */
export const sharedWords = remembered((scenario: Scenario, synonyms: Synonyms): ReadonlySet<string> => {
  const { situation, decision } = scenario
  const texts = [
    scenario.title,
    situation.where,
    situation.what,
    decision.question,
    ...decision.options.map(({ title }) => title),
  ]
  return contentStems([...texts, GENERAL].flatMap(readAuthored), synonyms)
})

const GENERAL =
  'problem issue wrong happen going on matter mean worry risk launch ship decide decision choice option fact number figure evidence proof prove sure serious bad blocker safe harm people user fix help need want accept sign plan next question answer reason cause certain confirm convince believe trust check notice responsible blame boss manager team meeting review time percentage percent rate share average common normal often dangerous expensive urgent important explain describe summary summarise detail find found start stop skip move wait show point true real exact'

function isCommon({ word, stem }: Token): boolean {
  return COMMON.has(word) || COMMON_STEMS.has(stem)
}

const COMMON: ReadonlySet<string> = new Set(
  'a an the and or but so if then than as at by for from in into of off on onto out over to up down with about is are was were be been being am do does did done doing have has had having i you he she it we they me him her us them my your his its our their this that these those there here what which who whom whose when where why how can could shall should will would may might must not no yes ok okay just only really very quite also too still even ever never always already yet again now any some all each more most much many well like get got go going come came tell say said saying know think see seen let make made give given gave take maybe please actually honestly thing things way bit lot one hi hello hey thanks sorry right us anything something nothing everything anyone someone somebody everyone everybody nobody else elsewhere everywhere other another both same need want work works working curious fair enough rather hear last today tonight yesterday night ago long'.split(
    ' ',
  ),
)
const COMMON_STEMS: ReadonlySet<string> = new Set(
  [...COMMON].flatMap((word) => (word.length > 3 ? readAuthored(word).map(({ stem }) => stem) : [])),
)
