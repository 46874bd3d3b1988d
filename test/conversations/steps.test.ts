import { describe, expect, it } from 'vitest'
import { STEPS } from '../../worker/steps.ts'
import { FAULTS, printed, ROWS, runFaultTable } from '../support/fault-table.ts'
import { IS_LONG } from '../support/runs.ts'

describe('the steps of a turn', () => {
  it('[turn-1] are numbered from 1, each with its own name', () => {
    expect(STEPS.map(({ number }) => number)).toEqual(STEPS.map((_, at) => at + 1))
    expect(new Set(STEPS.map(({ name }) => name)).size).toBe(STEPS.length)
  })

  it.runIf(IS_LONG)(
    '[turn-15] [turn-1] [turn-3] [message-17] [debrief-6] keep every promise to the learner, whatever fault strikes at any of them',
    { timeout: 2_400_000 },
    async () => {
      const cells = await runFaultTable(ROWS, FAULTS)
      console.log(printed(cells))
      // Checks that the table has every step, before and after, with every fault, and that only impossible cells are empty.
      for (const { name, kind } of STEPS) {
        const own = cells.filter(({ row }) => row.step === name)
        const struck = own.filter(({ violations }) => violations !== null)
        for (const when of ['before', 'after'])
          expect(new Set(struck.flatMap(({ row, fault }) => (row.when === when ? [fault] : [])))).toEqual(
            new Set(FAULTS.filter((fault) => kind === 'async' || fault !== 'hang')),
          )
      }
      expect(cells).toHaveLength(ROWS.length * FAULTS.length)
      const broken = cells.flatMap(({ row, fault, violations }) =>
        (violations ?? []).map(
          ({ invariant, what }) => `${row.step} ${row.note} ${row.when} ${fault}: ${invariant} ${what}`,
        ),
      )
      expect(broken).toEqual([])
    },
  )
})
