import { describe, expect, it } from 'vitest'
import { STEPS } from '../../worker/steps.ts'
import { type Fault, FAULTS, printed, ROWS, runFaultTable } from '../support/fault-table.ts'
import { IS_LONG } from '../support/runs.ts'

/** `npm test` tries only the fault that loses the most: the object dies with everything in memory. */
const TRIED: readonly Fault[] = IS_LONG ? FAULTS : ['die']
/** `npm test` tries this fault before each step. After a step is before the next one, unless the step is the last. */
const TRIED_ROWS = IS_LONG ? ROWS : ROWS.filter(({ when, number }) => when === 'before' || number === STEPS.length)

describe('the steps of a turn', () => {
  it('[turn-1] are numbered from 1, each with its own name', () => {
    expect(STEPS.map(({ number }) => number)).toEqual(STEPS.map((_, at) => at + 1))
    expect(new Set(STEPS.map(({ name }) => name)).size).toBe(STEPS.length)
  })

  it(
    '[turn-15] [turn-1] [turn-3] [message-17] [debrief-6] keep every promise to the learner, whatever fault strikes at any of them',
    { timeout: 2_400_000 },
    async () => {
      const cells = await runFaultTable(TRIED_ROWS, TRIED)
      console.log(printed(cells))
      // Checks that the table has every step, before and after, with every fault that was tried, and that only
      // impossible cells are empty.
      for (const { name, kind, number } of STEPS) {
        const own = cells.filter(({ row }) => row.step === name)
        const struck = own.filter(({ violations }) => violations !== null)
        for (const when of IS_LONG || number === STEPS.length ? ['before', 'after'] : ['before'])
          expect(new Set(struck.flatMap(({ row, fault }) => (row.when === when ? [fault] : [])))).toEqual(
            new Set(TRIED.filter((fault) => kind === 'async' || fault !== 'hang')),
          )
      }
      expect(cells).toHaveLength(TRIED_ROWS.length * TRIED.length)
      const broken = cells.flatMap(({ row, fault, violations }) =>
        (violations ?? []).map(
          ({ invariant, what }) => `${row.step} ${row.note} ${row.when} ${fault}: ${invariant} ${what}`,
        ),
      )
      expect(broken).toEqual([])
    },
  )
})
