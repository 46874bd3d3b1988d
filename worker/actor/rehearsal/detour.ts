import type { Npc, Scenario } from '../../core/scenario/scenario.ts'
import type { Heard } from './hear.ts'
import { termsHeard } from './terms.ts'
import type { Synonyms } from './vocabulary.ts'
import { contentStems, ownWords, sharedWords } from './vocabulary.ts'
import type { Token } from './words.ts'
import { readAuthored } from './words.ts'

/** Where a message points: at this colleague's own business, at someone else's, or away from all of it. */
export type Heading =
  | { readonly to: 'own' }
  | { readonly to: 'colleague'; readonly npc: Npc }
  | { readonly to: 'elsewhere' }

/**
 * Whose subject a message is. A colleague's counts when it holds more of their subjects than of the speaker's own;
 * a message with several words of meaning, none of which this simulation knows, is about something else.
 */
export function headingOf(heard: Heard, npc: Npc, scenario: Scenario, synonyms: Synonyms): Heading {
  const own = weightOf(heard, ownTerms(npc))
  const words = ownWords(npc, synonyms)
  const others = scenario.npcs
    .filter(({ id }) => id !== npc.id)
    .map((other) => ({ other, weight: weightOf(heard, colleagueTerms(other, words, synonyms)) }))
  const nearest = others.reduce<(typeof others)[number] | null>(
    (top, next) => (next.weight > (top?.weight ?? 0) ? next : top),
    null,
  )
  if (nearest && nearest.weight > own) return { to: 'colleague', npc: nearest.other }
  return own === 0 && isElsewhere(heard, npc, scenario, synonyms) ? { to: 'elsewhere' } : { to: 'own' }
}

/** How many words of meaning a message holds that are this colleague's own or the matter's. */
export function onSubject(heard: Heard, npc: Npc, scenario: Scenario, synonyms: Synonyms): number {
  const own = ownWords(npc, synonyms)
  const shared = sharedWords(scenario, synonyms)
  return [...contentStems(heard.tokens, synonyms)].filter((stem) => own.has(stem) || shared.has(stem)).length
}

/** "Is it everywhere?" is about whatever was said last. */
const REFERS_BACK = /\b(?:it|that|this|these|those|they|them|you|your)\b/

/** Whether words hold something that neither this colleague nor the matter has a word for. */
export function isUnfamiliar(tokens: readonly Token[], npc: Npc, scenario: Scenario, synonyms: Synonyms): boolean {
  const own = ownWords(npc, synonyms)
  const shared = sharedWords(scenario, synonyms)
  return [...contentStems(tokens, synonyms)].some((stem) => !own.has(stem) && !shared.has(stem))
}

/** What the speaker can answer or has at stake counts as theirs, beside their subjects. */
function ownTerms({ subjects, rehearsal }: Npc): readonly string[] {
  return [
    ...subjects,
    ...rehearsal.answers.flatMap(({ asks }) => asks),
    ...rehearsal.acknowledgements.flatMap(({ groups }) => groups.flat()),
  ]
}

/** A colleague's subjects as far as the speaker has no words for them, and the colleague's name: opinions are their own. */
function colleagueTerms({ subjects, name }: Npc, words: ReadonlySet<string>, synonyms: Synonyms): readonly string[] {
  const foreign = subjects.filter((term) =>
    [...contentStems(readAuthored(term), synonyms)].some((stem) => !words.has(stem)),
  )
  return [...foreign, name.split(' ')[0] ?? name]
}

/** Longer terms are surer signs: "call the client" outweighs "client". */
function weightOf(heard: Heard, terms: readonly string[]): number {
  return termsHeard(heard.tokens, terms).reduce((sum, term) => sum + readAuthored(term).length, 0)
}

function isElsewhere(heard: Heard, npc: Npc, scenario: Scenario, synonyms: Synonyms): boolean {
  if (REFERS_BACK.test(heard.plain)) return false
  return contentStems(heard.tokens, synonyms).size >= 2 && onSubject(heard, npc, scenario, synonyms) === 0
}
