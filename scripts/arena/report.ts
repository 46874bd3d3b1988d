import { type Interval, pairedFigures, pairsOf, partsAt, passPower } from './compare.ts'
import { COLUMNS, groupsOf } from './figures.ts'
import type { ArenaPair } from './compare.ts'
import type { ArenaRow } from './run-arena.ts'

/** A finished arena, and what was set for it. */
export interface ArenaReport {
  readonly rows: readonly ArenaRow[]
  /** The names of the sides, first the side with the deployed graphs. */
  readonly sides: readonly string[]
  readonly actor: string
  readonly learner: string
  /** Whether a model speaks for the colleagues or plays the learners. */
  readonly hasModel: boolean
  readonly repeat: number
  readonly seed: number
  readonly seconds: number
}

/** A table as texts: its heading, its columns and its lines. */
export interface ArenaTable {
  readonly title: string
  readonly columns: readonly string[]
  readonly lines: readonly (readonly string[])[]
}

/** Says in a few lines what was played, and how often it passed. */
export function summaryOf(report: ArenaReport): readonly string[] {
  const { rows, sides, actor, learner, repeat, seed, seconds } = report
  const thrown = rows.reduce((sum, { thrownAway }) => sum + thrownAway.length, 0)
  const lost = rows.filter(({ fault }) => fault !== null).length
  const failures = rows.reduce((sum, { measures }) => sum + measures.failures, 0)
  return [
    `${rows.length} conversations in ${seconds.toFixed(1)} s. Colleagues: ${actor}. Learners: ${learner}. Seed ${seed}.`,
    ...sides.map((side) => {
      const own = rows.filter((row) => row.side === side)
      const power = passPower(own, repeat, seed)
      return `${side}: pass^${repeat} ${percents(power)} of ${power.learners} learners (95% interval, bootstrap over learners)`
    }),
    'A conversation passes if it ended, nobody was held after a goodbye, nothing was asked again twice, and the deciding facts were said unless the learner left before.',
    ...(failures > 0 ? [`${failures} messages got no reply, because the colleague's model gave none.`] : []),
    ...(thrown + lost > 0
      ? [
          `${thrown + lost} conversations didn't count, because the simulated learner left their part: ${faultsIn(rows)}. ${lost} of them had no valid one in the end.`,
        ]
      : []),
  ]
}

function percents({ mean, low, high }: Interval): string {
  return `${Math.round(mean * 100)}% (${Math.round(low * 100)} to ${Math.round(high * 100)})`
}

function faultsIn(rows: readonly ArenaRow[]): string {
  const faults = rows.flatMap(({ thrownAway, fault }) => [...thrownAway, ...(fault === null ? [] : [fault])])
  return [...new Set(faults)].map((fault) => `${faults.filter((each) => each === fault).length} ${fault}`).join(', ')
}

/**
 * Returns the tables of a report: one table of figures. For two sides, also a table of the differences between their
 * figures, and a table that says where the conversations of each pair part.
 */
export function tablesOf(report: ArenaReport): readonly ArenaTable[] {
  const { rows, sides } = report
  const hasSides = sides.length > 1
  const figures: ArenaTable = {
    title: 'By scenario and learner',
    columns: ['scenario', 'learner', ...(hasSides ? ['side'] : []), ...COLUMNS.map(({ name }) => name)],
    lines: groupsOf(rows, sides).map(({ labels: [scenario, persona, side], rows: own }) => [
      scenario,
      persona,
      ...(hasSides ? [side] : []),
      ...COLUMNS.map((column) => column.of(own)),
    ]),
  }
  return hasSides ? [figures, differencesIn(report), partingsIn(report)] : [figures]
}

function differencesIn({ rows, sides: [one = '', other = ''], seed }: ArenaReport): ArenaTable {
  const on = (side: string) => rows.filter((row) => row.side === side)
  return {
    title: `The same learners on both sides: ${other} minus ${one}, 95% interval by a paired bootstrap over learners`,
    columns: ['', one, other, 'difference', 'from', 'to'],
    lines: pairedFigures(on(one), on(other), seed).map(({ name, first, second, difference }) => [
      name,
      ...[first, second, difference.mean, difference.low, difference.high].map((figure) => figure.toFixed(2)),
    ]),
  }
}

/**
 * Returns the pairs of a report, each with the number of the exchange in which its two conversations first differ; null
 * if they are the same.
 */
export function partingsOf({ rows, sides, hasModel }: ArenaReport): readonly (ArenaPair & { at: number | null })[] {
  return pairsOf(rows, sides).map(({ first, second }) => ({
    first,
    second,
    at: partsAt(first.talk, second.talk, hasModel ? 'walk' : 'words'),
  }))
}

function partingsIn(report: ArenaReport): ArenaTable {
  return {
    title: `Where the two sides part (by ${report.hasModel ? 'the way through the graph' : 'what was said'})`,
    columns: [
      'scenario',
      'colleague',
      'learner',
      'run',
      'parts at',
      ...report.sides.flatMap((side) => [`${side}: ended`, 'messages', 'asked again']),
    ],
    lines: partingsOf(report).map(({ first, second, at }) => [
      ...lineOf(first),
      at === null ? 'same' : `turn ${at}`,
      ...sideOf(first),
      ...sideOf(second),
    ]),
  }
}

function lineOf({ scenario, npc, persona, run }: ArenaRow): readonly string[] {
  return [scenario, npc, persona, String(run)]
}

function sideOf({ measures: { end, messages, askedAgain } }: ArenaRow): readonly string[] {
  return [end, String(messages), String(askedAgain)]
}

/** Formats a table for a terminal. */
export function tableText({ title, columns, lines }: ArenaTable): string {
  const all = [columns, ...lines]
  const widths = columns.map((_, at) => Math.max(...all.map((line) => (line[at] ?? '').length)))
  const text = all.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [title, ...text].join('\n')
}
