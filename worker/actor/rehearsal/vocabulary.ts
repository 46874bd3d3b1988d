import type { Npc, Scenario } from '../../core/scenario/scenario.ts'
import type { Token } from './words.ts'
import { readAuthored } from './words.ts'

/** The stem every word of a group of synonyms is counted as. */
export type Synonyms = ReadonlyMap<string, string>

export function synonymsOf(scenario: Scenario): Synonyms {
  const groups = scenario.synonyms.map((group) => group.flatMap((word) => readAuthored(word).map(({ stem }) => stem)))
  return new Map(groups.flatMap((stems) => stems.map((stem) => [stem, stems[0] ?? stem] as const)))
}

/** The words that carry meaning, as stems, synonyms folded, each once. */
export function contentStems(tokens: readonly Token[], synonyms: Synonyms): ReadonlySet<string> {
  const stems = tokens.filter(({ word, stem }) => !COMMON.has(word) && stem.length > 1).map(({ stem }) => stem)
  return new Set(stems.map((stem) => synonyms.get(stem) ?? stem))
}

/** Everything a colleague has words for: what a message must touch to be about their business. */
export function ownWords(npc: Npc, synonyms: Synonyms): ReadonlySet<string> {
  const texts = [
    ...npc.subjects,
    ...npc.knowledge,
    ...npc.decisionFacts,
    ...npc.beats.beat1,
    ...npc.beats.beat6,
    ...(npc.document ? [npc.document.title, ...npc.document.lines] : []),
    ...npc.rehearsal.answers.flatMap(({ asks }) => asks),
    ...npc.rehearsal.acknowledgements.flatMap(({ groups }) => groups.flat()),
  ]
  return contentStems(texts.flatMap(readAuthored), synonyms)
}

/** Words of the matter itself, whoever the colleague is: the situation, the decision, and how people ask about both. */
export function sharedWords(scenario: Scenario, synonyms: Synonyms): ReadonlySet<string> {
  const { situation, decision } = scenario
  const texts = [
    scenario.title,
    situation.where,
    situation.what,
    decision.question,
    ...decision.options.map(({ title }) => title),
  ]
  return contentStems([...texts, GENERAL].flatMap(readAuthored), synonyms)
}

const GENERAL =
  'problem issue wrong happen going on matter mean worry risk launch ship decide decision choice option fact number figure evidence proof sure serious bad blocker safe harm people user fix help need want accept sign plan next'

const COMMON: ReadonlySet<string> = new Set(
  'a an the and or but so if then than as at by for from in into of off on onto out over to up with about is are was were be been being am do does did doing have has had having i you he she it we they me him her us them my your his its our their this that these those there here what which who whom whose when where why how can could shall should will would may might must not no yes ok okay just only really very quite also too still even ever any some all each more most much many well like get got go going tell say said know think see let maybe please actually honestly thing things way bit lot one hi hello hey thanks right us anything something nothing everything else other another need want work works working curious'.split(
    ' ',
  ),
)
