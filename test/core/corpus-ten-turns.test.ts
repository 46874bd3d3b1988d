import { describe, expect, it } from 'vitest'
import rows from '../fixtures/ten-turns.json' with { type: 'json' }
import { startWalk } from '../../worker/core/walk/walk.ts'
import { corpusFile } from '../support/corpus/case.ts'
import { graphOf } from '../support/corpus/subject.ts'
import { SERVED } from '../support/corpus/implementation.ts'
import { literalWalk, type LiteralReading } from '../support/literal-walker.ts'
import { choose, play, turn } from '../support/walk-events.ts'

interface Reading extends LiteralReading {
  readonly reading: string
  /**
   * The node of each row of the worked example, according to a walker that follows the source's algorithm word for
   * word.
   */
  readonly stands: readonly string[]
  /** The rows for which `stands` has another node than the worked example. */
  readonly wrong: readonly number[]
}

const { readings } = corpusFile('ten-turns-literal') as { readonly readings: readonly Reading[] }
const graph = graphOf(SERVED, { graph: 'technical' })

describe('the ten turns, by the letter of the algorithm', () => {
  it.each(readings)('[corpus-4] go astray where $reading', ({ stands, wrong, ...reading }) => {
    expect(literalWalk(graph, rows, reading)).toEqual(stands)
    expect(rows.filter(({ node }, i) => stands[i] !== node).map(({ turn: row }) => row)).toEqual(wrong)
  })

  it.each(readings)('[corpus-4] do not go astray so in the walker that is served: $reading', ({ stands, wrong }) => {
    const stood = served()
    for (const row of wrong) expect(stood[row - 1], `row ${row}`).not.toBe(stands[row - 1])
  })

  it('[corpus-4] rows 4, 6, 9 and 10 are told', () => {
    expect([...new Set(readings.flatMap(({ wrong }) => wrong))].toSorted((a, b) => a - b)).toEqual([4, 6, 9, 10])
  })
})

/** Returns the node at which the deployed walker is in each row of the worked example. */
function served(): readonly string[] {
  let walk = startWalk(graph)
  return rows.map((row) => {
    const stood = walk.node
    walk = play(graph, [turn(row.satisfied, row.detour), ...(row.choose ? [choose(row.choose.choice)] : [])], walk).walk
    return stood
  })
}
