import { type Npc, type Scenario, firstName } from '../../core/scenario/scenario.ts'
import { contentStems, type Synonyms } from '../../core/text/stems.ts'
import { remembered } from './remember.ts'
import { withoutSmallTalk } from './small-talk.ts'
import { plainText, readAuthored, readWords } from '../../core/text/words.ts'

/**
 * Returns the stems of all of a colleague's words, without small talk. A message about the colleague's part of the
 * scenario contains one of these stems.
 */
export const ownWords = remembered((npc: Npc, synonyms: Synonyms): ReadonlySet<string> => {
  // Read as one text, and not kept: these are thousands of short texts, of which only the words count.
  const asked = plainText(npc.rehearsal.answers.flatMap(({ asks }) => asks).join('\n')).split('\n')
  const rest = asked.map((ask) => withoutSmallTalk(ask).rest).join('. ')
  return new Set([...pageWords(npc, synonyms), ...contentStems(readWords(rest), synonyms)])
})

/**
 * Returns the stems of what a colleague knows, without the questions that the author foresaw: a colleague who can be
 * asked about another colleague's subject does not own it.
 */
export const pageWords = remembered((npc: Npc, synonyms: Synonyms): ReadonlySet<string> => {
  const texts = [
    ...npc.subjects,
    ...npc.knowledge,
    ...npc.depth,
    ...npc.challenges,
    ...npc.decisionFacts,
    ...npc.beats.beat1,
    ...npc.beats.beat6,
    ...(npc.document ? [npc.document.title, ...npc.document.lines] : []),
    ...npc.rehearsal.acknowledgements.flatMap(({ groups }) => groups.flat()),
  ]
  return contentStems(texts.flatMap(readAuthored), synonyms)
})

/**
 * Returns the stems of all colleagues' words and of the scenario's shared words. A message with only other words is
 * about something outside the simulation.
 */
export const allWords = remembered((scenario: Scenario, synonyms: Synonyms): ReadonlySet<string> => {
  return new Set([
    ...sharedWords(scenario, synonyms),
    ...scenario.npcs.flatMap((npc) => [...ownWords(npc, synonyms)]),
    ...wordsForPeople(scenario, synonyms),
    ...synonyms.values(),
  ])
})

/** Returns the first names of a scenario's colleagues, in lower case, with a cache. */
export function firstNamesIn(scenario: Scenario): ReadonlySet<string> {
  const names = NAMES.get(scenario) ?? new Set(scenario.npcs.map(plainFirstName))
  NAMES.set(scenario, names)
  return names
}

const NAMES = new WeakMap<Scenario, ReadonlySet<string>>()

/** Returns a colleague's first name in lower case: "Maya Patel" is "maya". */
export function plainFirstName({ name }: Npc): string {
  return plainText(firstName(name)).trim()
}

/** Returns the stems of the colleagues' names and roles. A name or role does not tell what a message is about. */
export const wordsForPeople = remembered((scenario: Scenario, synonyms: Synonyms): ReadonlySet<string> => {
  return contentStems(
    scenario.npcs.flatMap(({ name, role }) => readAuthored(`${name}. ${role}`)),
    synonyms,
  )
})

/**
 * Returns the stems of the words that all colleagues share: the words of the situation, of the decision, and of usual
 * questions about both.
 */
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
  'problem issue wrong happen going on matter mean worry risk launch ship decide decision choice option fact number figure evidence proof prove sure serious bad blocker safe harm people user fix help need want accept sign plan next question answer reason cause certain confirm convince believe trust check notice responsible blame boss manager team meeting review time percentage percent rate share average common normal often dangerous expensive urgent important large big small size explain describe summary summarise detail find found start stop skip move wait show point true real exact'
