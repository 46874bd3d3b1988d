import { mean } from './compare.ts'
import { passes } from './measure.ts'
import type { ArenaRow } from './run-arena.ts'

/**
 * The columns of the arena's tables. Each column has a name and a function that returns the cell for some
 * conversations.
 */
export const COLUMNS: readonly { readonly name: string; of(rows: readonly ArenaRow[]): string }[] = [
  { name: 'talks', of: (rows) => String(rows.length) },
  { name: 'passed', of: (rows) => `${rows.filter(({ measures }) => passes(measures)).length}` },
  { name: 'ended', of: endsOf },
  { name: 'messages', of: (rows) => String(median(rows.map(({ measures }) => measures.messages))) },
  { name: 'after goodbye', of: (rows) => total(rows, 'afterGoodbye') },
  { name: 'asked again', of: (rows) => total(rows, 'askedAgain') },
  {
    name: 'facts/reply',
    of: (rows) => mean(rows.map(({ measures }) => measures.freshFacts / Math.max(1, measures.replies))).toFixed(1),
  },
  { name: 'repeated', of: (rows) => total(rows, 'repeated') },
  { name: 'said', of: (rows) => shareOf(rows, 'isDecidingSaid') },
  { name: 'taken in', of: (rows) => shareOf(rows, 'isDecidingTaken') },
  { name: 'reports', of: reportsOf },
  { name: 'tokens', of: tokensOf },
]

/** Returns the median. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [sorted[Math.max(0, middle - (sorted.length % 2 === 0 ? 1 : 0))], sorted[middle]]
  return (low + high) / 2
}

function total(rows: readonly ArenaRow[], name: 'afterGoodbye' | 'askedAgain' | 'repeated'): string {
  return String(rows.reduce((sum, { measures }) => sum + measures[name], 0))
}

function endsOf(rows: readonly ArenaRow[]): string {
  const ends = (['earned', 'left', 'limit', 'forced', 'open'] as const).flatMap((end) => {
    const count = rows.filter(({ measures }) => measures.end === end).length
    return count === 0 ? [] : [`${count} ${end}`]
  })
  return ends.join(', ')
}

function shareOf(rows: readonly ArenaRow[], name: 'isDecidingSaid' | 'isDecidingTaken'): string {
  const known = rows.flatMap(({ measures }) => measures[name] ?? [])
  return known.length === 0 ? '–' : `${known.filter(Boolean).length}/${known.length}`
}

/** Returns the share of the replies whose report could be read, and the share whose report needed no correction. */
function reportsOf(rows: readonly ArenaRow[]): string {
  const counts = rows.map(({ measures }) => measures.reports)
  const all = counts.reduce((sum, each) => sum + Object.values(each).reduce((a, b) => a + b, 0), 0)
  const unread = counts.reduce((sum, { missing, echoed }) => sum + missing + echoed, 0)
  const clean = counts.reduce((sum, each) => sum + each.clean, 0)
  return all === 0 ? '–' : `${percent(all - unread, all)}, ${percent(clean, all)} clean`
}

function percent(part: number, all: number): string {
  return `${Math.floor((part / all) * 100)}%`
}

/** Returns the mean number of tokens of a conversation. A `~` marks an estimate. */
function tokensOf(rows: readonly ArenaRow[]): string {
  const tokens = rows.map(({ measures }) => measures.tokens)
  const sum = Math.round(mean(tokens.map(({ input, output }) => input + output)))
  return `${tokens.some(({ isEstimate }) => isEstimate) ? '~' : ''}${sum.toLocaleString('en')}`
}

/** One line of a table: its labels, and the conversations that it sums up. */
export interface ArenaGroup {
  readonly labels: readonly [scenario: string, persona: string, side: string]
  readonly rows: readonly ArenaRow[]
}

/** Returns the lines of the table: one for each scenario, learner and side, and then the totals. */
export function groupsOf(rows: readonly ArenaRow[], sides: readonly string[]): readonly ArenaGroup[] {
  const valid = rows.filter(({ fault }) => fault === null)
  const unique = (name: 'scenario' | 'persona') => [...new Set(valid.map((row) => row[name]))]
  const group = (scenario: string | null, persona: string | null, side: string): readonly ArenaGroup[] => {
    const own = valid.filter(
      (row) => row.side === side && [row.scenario, null].includes(scenario) && [row.persona, null].includes(persona),
    )
    return own.length === 0 ? [] : [{ labels: [scenario ?? 'all', persona ?? 'all', side], rows: own }]
  }
  const over = (scenarios: readonly (string | null)[], personas: readonly (string | null)[]) =>
    scenarios.flatMap((scenario) =>
      personas.flatMap((persona) => sides.flatMap((side) => group(scenario, persona, side))),
    )
  const [scenarios, personas] = [unique('scenario'), unique('persona')]
  const all = scenarios.length > 1 ? [null] : []
  return [...over(scenarios, personas), ...over(all, personas), ...over(scenarios, [null]), ...over(all, [null])]
}
