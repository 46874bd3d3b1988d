import { bytesOf } from '../reply/characters.ts'
import { holdsReportsUp } from '../reply/echoes.ts'
import { firstName, type Scenario } from '../scenario/scenario.ts'
import { inQuotes, quoted } from './prompt-text.ts'

/**
 * What a learner brings from the other colleagues of a run. Colleagues and facts are ids, so that every text about them
 * is the author's. Only `remembered` has texts that are not the author's.
 */
export interface Brought {
  /** The colleagues whom the learner has talked with, in the order of their first talk. Never empty. */
  readonly talked: readonly string[]
  /** The colleagues whose document the learner carries. */
  readonly papers: readonly string[]
  /** The facts heard from these colleagues, oldest first. */
  readonly facts: readonly string[]
  readonly remembered: readonly string[]
}

/** What the learner gained in a conversation with another colleague. */
export interface OtherTalk {
  readonly npc: string
  readonly hasPaper: boolean
  /** `at`: when the learner heard the fact, in milliseconds since 1970. */
  readonly facts: readonly { readonly fact: string; readonly at: number }[]
}

/** The limits for what the learner brings: the number of lines, and the UTF-8 bytes of all these lines together. */
export const BROUGHT_LINES = 12
export const BROUGHT_BYTES = 2_000

/**
 * Selects what a learner brings from the others. Leaves out the colleague's own conversation, and facts that do not
 * belong to the colleague from whom the learner heard them. Returns null if the learner has talked with nobody else.
 *
 * @param npc the id of the colleague who is told
 * @param talks the run's conversations, oldest first
 * @param remembered what is remembered of the learner, the most important first
 */
export function broughtTo(
  scenario: Scenario,
  npc: string,
  talks: readonly OtherTalk[],
  remembered: readonly string[],
): Brought | null {
  const others = talks.filter((talk) => talk.npc !== npc && scenario.npcs.some(({ id }) => id === talk.npc))
  const owned = (talk: OtherTalk) =>
    talk.facts.filter(({ fact }) => factsOf(scenario).some(({ id, npc: owner }) => id === fact && owner === talk.npc))
  if (others.length === 0) return null
  return {
    talked: unique(others.map((talk) => talk.npc)),
    papers: unique(others.filter(({ hasPaper }) => hasPaper).map((talk) => talk.npc)),
    facts: unique(
      others
        .flatMap(owned)
        .toSorted((a, b) => a.at - b.at)
        .map(({ fact }) => fact),
    ),
    // A text that names a field of a report would make every report with this field count as copied.
    remembered: unique(remembered.filter((text) => !holdsReportsUp(text))).slice(0, BROUGHT_LINES),
  }
}

/**
 * Writes what the learner brings, one item a line. Leaves out colleagues, documents and facts that the scenario lacks. If
 * the lines exceed `BROUGHT_LINES` or `BROUGHT_BYTES`, drops the last memories first, then the earliest facts, then the
 * last documents, then the last names.
 */
export function broughtLines(all: Brought, scenario: Scenario): readonly string[] {
  // Drops the facts beyond `BROUGHT_LINES` here, all at once, because each round of the loop below writes all lines again.
  let kept: Brought = { ...all, facts: all.facts.slice(-BROUGHT_LINES) }
  while (kept.talked.length > 0) {
    const lines = linesOf(kept, scenario)
    if (lines.length <= BROUGHT_LINES && bytesOf(lines.join('\n')) <= BROUGHT_BYTES) return lines
    kept = withLess(kept)
  }
  return []
}

function linesOf({ talked, papers, facts, remembered }: Brought, scenario: Scenario): readonly string[] {
  const named = (id: string) => scenario.npcs.find((npc) => npc.id === id)
  const names = talked.flatMap((id) => named(id)?.name ?? [])
  return [
    ...(names.length === 0 ? [] : [`They talked with ${quoted(listed(names))}.`]),
    ...papers.flatMap((id) => {
      const npc = named(id)
      return npc?.document ? [`They carry: ${quoted(`${npc.document.title} (${firstName(npc.name)})`)}`] : []
    }),
    ...facts.flatMap((id) => {
      const fact = factsOf(scenario).find((each) => each.id === id)
      const npc = fact && named(fact.npc)
      return npc ? [`They heard from ${quoted(firstName(npc.name))}: ${quoted(fact.text)}`] : []
    }),
    ...remembered.map((text) => `Remembered of them: ${inQuotes(text)}`),
  ]
}

function withLess(all: Brought): Brought {
  const { talked, papers, facts, remembered } = all
  if (remembered.length > 0) return { ...all, remembered: remembered.slice(0, -1) }
  if (facts.length > 0) return { ...all, facts: facts.slice(1) }
  if (papers.length > 0) return { ...all, papers: papers.slice(0, -1) }
  return { ...all, talked: talked.slice(0, -1) }
}

function factsOf({ simulation }: Scenario) {
  return simulation?.facts ?? []
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)]
}

/** Joins names with commas, and the last one with `and`. */
export function listed(names: readonly string[], and = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${and} ${names.at(-1)}`
}
