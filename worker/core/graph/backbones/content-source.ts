import type { Npc, PivotContent, Scenario } from '../../scenario/scenario.ts'
import type { BoundContent } from '../graph.ts'

/** One term of a content source: `path` alone, or `path[selector]`. */
export interface ContentTerm {
  readonly path: string
  readonly selector: string | null
}

/**
 * Parses a content source: terms joined by `+`, each a dotted path with an optional selector, e.g. `beat1 + greeting`,
 * `pivots[p1]`, `goal.end_condition`, `scenario.people`. The leading `npc.` is optional.
 *
 * @returns the terms in order, or null for an invalid expression
 */
export function parseContentSource(expression: string): readonly ContentTerm[] | null {
  const terms = expression.split('+').map(parseTerm)
  return terms.every((term) => term !== null) ? terms : null
}

/** A colleague's content for one term: lines to say, a fork, nothing, or `unknown` if the term names no content. */
export type Resolved =
  | { readonly kind: 'lines'; readonly content: BoundContent }
  | { readonly kind: 'pivot'; readonly content: BoundContent; readonly pivot: PivotContent }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unknown' }

/**
 * Looks up one term: a term that begins with `scenario` in the scenario, and every other term in the colleague's
 * content.
 */
export function resolveTerm(term: ContentTerm, npc: Npc, scenario: Scenario): Resolved {
  if (term.path === 'pivots' && term.selector !== null) return resolvePivot(term, npc)
  const read = Object.hasOwn(READERS, term.path) ? READERS[term.path] : undefined
  if (!read || (term.selector !== null && !PLACE.test(term.selector))) return { kind: 'unknown' }
  const all = read(npc, scenario)
  const lines = term.selector === null ? all : all.slice(Number(term.selector) - 1, Number(term.selector))
  return lines.length === 0 ? { kind: 'empty' } : { kind: 'lines', content: { source: term.path, lines } }
}

/** Returns true if a term names content that a colleague can have. */
export function namesContent({ path, selector }: ContentTerm): boolean {
  if (path === 'pivots') return selector !== null
  return Object.hasOwn(READERS, path) && (selector === null || PLACE.test(selector))
}

/** Matches a selector that gives the number of a line in its list, from 1 to 99. */
const PLACE = /^[1-9]\d?$/

const TERM = /^\s*(?:npc\.)?([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)(?:\[([a-z0-9_-]+)\])?\s*$/

function parseTerm(text: string): ContentTerm | null {
  const match = TERM.exec(text)
  return match?.[1] ? { path: match[1], selector: match[2] ?? null } : null
}

function resolvePivot(term: ContentTerm, npc: Npc): Resolved {
  const pivot = npc.pivots.find(({ id }) => id === term.selector)
  if (!pivot) return { kind: 'empty' }
  return { kind: 'pivot', content: { source: `pivots[${pivot.id}]`, lines: [pivot.question] }, pivot }
}

const READERS: Readonly<Record<string, (npc: Npc, scenario: Scenario) => readonly string[]>> = {
  greeting: (npc) => some(npc.greeting),
  beat1: (npc) => npc.beats.beat1,
  beat6: (npc) => npc.beats.beat6,
  what_they_know: (npc) => npc.knowledge,
  depth: (npc) => npc.depth,
  challenges: (npc) => npc.challenges,
  concerns: (npc) => npc.concerns,
  decision_facts: (npc) => npc.decisionFacts,
  key_reveal: (npc) => some(npc.keyReveal),
  'goal.end_condition': (npc) => some(npc.goal.endCondition),
  'scenario.situation': (_, { situation }) => [...some(situation.what), ...some(placeOf(situation.where))],
  'scenario.decision': (_, { decision }) => [...some(decision.question), ...some(optionsOf(decision.options))],
  'scenario.people': (npc, { npcs }) => npcs.filter(({ id }) => id !== npc.id).map(introductionOf),
}

// The next three functions return whole sentences, because an actor may read them aloud.

function placeOf(where: string): string | null {
  return where === '' ? null : `Where you are now: ${where}.`
}

function optionsOf(options: Scenario['decision']['options']): string | null {
  if (options.length === 0) return null
  const titles = options.map(({ title }) => `"${title}"`)
  const last = titles.at(-1) ?? ''
  return titles.length === 1
    ? `The only option is ${last}.`
    : `The options are ${titles.slice(0, -1).join(', ')} or ${last}.`
}

function introductionOf({ name, role, owns }: Npc): string {
  return `${name}, ${role}, answers for ${owns}.`
}

function some(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : [text]
}
