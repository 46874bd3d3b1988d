import { type Npc, type Scenario, firstName } from '../../core/scenario/scenario.ts'
import { contentStems, type Synonyms } from '../../core/text/stems.ts'
import { remembered } from './remember.ts'
import { withoutSmallTalk } from './small-talk.ts'
import { plainText, readAuthored } from '../../core/text/words.ts'

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

/** Everything anybody here has words for. What is not among them is about something else. */
export const allWords = remembered((scenario: Scenario, synonyms: Synonyms): ReadonlySet<string> => {
  return new Set([
    ...sharedWords(scenario, synonyms),
    ...scenario.npcs.flatMap((npc) => [...ownWords(npc, synonyms)]),
    ...wordsForPeople(scenario, synonyms),
    ...synonyms.values(),
  ])
})

/** How the colleagues of a scenario are called, in small letters: "Maya Patel" is "maya". */
export function firstNamesIn({ npcs }: Scenario): ReadonlySet<string> {
  return new Set(npcs.map(({ name }) => plainText(firstName(name)).trim()))
}

/** What the colleagues are called, and what they do. Naming somebody is not saying anything about the matter. */
export const wordsForPeople = remembered((scenario: Scenario, synonyms: Synonyms): ReadonlySet<string> => {
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
