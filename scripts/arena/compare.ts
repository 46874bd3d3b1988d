import { passes } from './measure.ts'
import { type Draw, drawFrom } from './persona.ts'
import type { ArenaTalk } from './play-talk.ts'
import type { ArenaRow } from './run-arena.ts'

/** The measures that are compared between sides, each as one number per conversation. */
const COMPARED: Readonly<Record<string, (row: Pick<ArenaRow, 'measures'>) => number>> = {
  messages: ({ measures }) => measures.messages,
  'after goodbye': ({ measures }) => measures.afterGoodbye,
  'asked again': ({ measures }) => measures.askedAgain,
  'facts a reply': ({ measures }) => measures.freshFacts / Math.max(1, measures.replies),
  'repeated points': ({ measures }) => measures.repeated,
  passed: ({ measures }) => (passes(measures) ? 1 : 0),
}

/** A mean, and its 95 % confidence interval from `low` to `high`. */
export interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

const RESAMPLES = 2_000
const TAIL = 0.025

/**
 * Returns the mean of some numbers, one for each learner, and its 95 % confidence interval by the bootstrap method: the
 * function draws the numbers again with replacement 2,000 times. For a comparison of two sides, each number is one
 * learner's difference between the sides, so the interval is a paired one.
 */
export function bootstrap(numbers: readonly number[], seed: number): Interval {
  const draw = drawFrom('bootstrap', seed)
  const means = Array.from({ length: RESAMPLES }, () => mean(numbers.map(() => drawn(numbers, draw)))).toSorted(
    (a, b) => a - b,
  )
  return {
    mean: mean(numbers),
    low: means[Math.floor(TAIL * RESAMPLES)] ?? 0,
    high: means[Math.ceil((1 - TAIL) * RESAMPLES) - 1] ?? 0,
  }
}

function drawn(numbers: readonly number[], draw: Draw): number {
  return numbers[draw(numbers.length)] ?? 0
}

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length)
}

/** Returns the name of a row's learner, which is the same on both sides and in each repetition. */
function learnerOf({ scenario, npc, persona }: ArenaRow): string {
  return `${scenario} ${npc} ${persona}`
}

/** Groups the rows by learner, without the rows whose learner had a fault. */
function byLearner(rows: readonly ArenaRow[]): ReadonlyMap<string, readonly ArenaRow[]> {
  const groups = new Map<string, readonly ArenaRow[]>()
  for (const row of rows)
    if (row.fault === null) groups.set(learnerOf(row), [...(groups.get(learnerOf(row)) ?? []), row])
  return groups
}

/**
 * Returns the measure pass^k. Takes the learners who have k conversations that count, and returns the share of these
 * learners for whom all k conversations pass. `learners` is the number of these learners.
 */
export function passPower(
  rows: readonly ArenaRow[],
  k: number,
  seed: number,
): Interval & { readonly learners: number } {
  const learners = [...byLearner(rows).values()].filter((runs) => runs.length === k)
  const passed = learners.map((runs) => (runs.every(({ measures }) => passes(measures)) ? 1 : 0))
  return { ...bootstrap(passed, seed), learners: learners.length }
}

/** A measure: its mean on each side, and the mean of each learner's difference (second side minus first side). */
export interface PairedFigure {
  readonly name: string
  readonly first: number
  readonly second: number
  readonly difference: Interval
}

/** Compares two sides over the learners who have conversations on both sides. */
export function pairedFigures(
  first: readonly ArenaRow[],
  second: readonly ArenaRow[],
  seed: number,
): readonly PairedFigure[] {
  const [ours, theirs] = [byLearner(first), byLearner(second)]
  const learners = [...ours.keys()].filter((learner) => theirs.has(learner))
  return Object.entries(COMPARED).map(([name, figure]) => {
    const of = (groups: typeof ours) => learners.map((learner) => mean((groups.get(learner) ?? []).map(figure)))
    const [a, b] = [of(ours), of(theirs)]
    const differences = a.map((each, place) => (b[place] ?? 0) - each)
    return { name, first: mean(a), second: mean(b), difference: bootstrap(differences, seed) }
  })
}

/**
 * Returns the number of the first exchange, from 1, in which two conversations differ; null if they are the same.
 * Without a model, the function compares the words. With a model, it compares the nodes and the reasons of the walk,
 * because no model says the same words twice.
 */
export function partsAt(one: ArenaTalk, other: ArenaTalk, by: 'words' | 'walk'): number | null {
  const keys = (talk: ArenaTalk) =>
    talk.exchanges.map(({ learner, reply, node, to, reason }) =>
      by === 'words' ? JSON.stringify([learner, reply]) : JSON.stringify([node, to, reason]),
    )
  const [a, b] = [keys(one), keys(other)]
  const at = Array.from({ length: Math.max(a.length, b.length) }).findIndex((_, place) => a[place] !== b[place])
  return at < 0 ? null : at + 1
}

/** Two conversations of the same learner, one on each side. */
export interface ArenaPair {
  readonly first: ArenaRow
  readonly second: ArenaRow
}

/** Returns the pairs in which both conversations count, in the order of the first side's conversations. */
export function pairsOf(rows: readonly ArenaRow[], sides: readonly string[]): readonly ArenaPair[] {
  const [one, other] = sides
  const key = (row: ArenaRow) => `${learnerOf(row)} ${row.run}`
  const valid = rows.filter(({ fault }) => fault === null)
  const seconds = new Map(valid.filter(({ side }) => side === other).map((row) => [key(row), row]))
  return valid.flatMap((first) => {
    const second = first.side === one ? seconds.get(key(first)) : undefined
    return second ? [{ first, second }] : []
  })
}
