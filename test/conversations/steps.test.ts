import { describe, expect, it } from 'vitest'
import { STEPS } from '../../worker/steps.ts'
import { type Fault, FAULTS, printed, ROWS, runFaultTable } from '../support/fault-table.ts'
import { IS_LONG } from '../support/runs.ts'

/** In a short run, the one that loses most: the object dies, with what it had in memory. */
const TRIED: readonly Fault[] = IS_LONG ? FAULTS : ['die']

describe('the steps of a turn', () => {
  it('[turn-1] are numbered from 1, each by one name', () => {
    expect(STEPS.map(({ number }) => number)).toEqual(STEPS.map((_, at) => at + 1))
    expect(new Set(STEPS.map(({ name }) => name)).size).toBe(STEPS.length)
  })

  it(
    '[turn-15] [turn-1] [turn-3] [message-17] [debrief-6] whatever befalls a conversation at any of them, it keeps what it promised',
    { timeout: 2_400_000 },
    async () => {
      const cells = await runFaultTable(ROWS, TRIED)
      console.log(printed(cells))
      // Every step, before and after, with every fault that is tried: no cell is missing, and none is empty for another reason than its own.
      for (const { name, kind } of STEPS) {
        const own = cells.filter(({ row }) => row.step === name)
        const struck = own.filter(({ violations }) => violations !== null)
        for (const when of ['before', 'after'])
          expect(new Set(struck.flatMap(({ row, fault }) => (row.when === when ? [fault] : [])))).toEqual(
            new Set(TRIED.filter((fault) => kind === 'async' || fault !== 'hang')),
          )
      }
      expect(cells).toHaveLength(ROWS.length * TRIED.length)
      const broken = cells.flatMap(({ row, fault, violations }) =>
        (violations ?? []).map(
          ({ invariant, what }) => `${row.step} ${row.note} ${row.when} ${fault}: ${invariant} ${what}`,
        ),
      )
      expect(broken).toEqual([])
    },
  )
})
