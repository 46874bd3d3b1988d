import { describe, expect, it } from 'vitest'
import { STEPS, type StepName } from '../../worker/steps.ts'
import { type Fault, FAULTS, printed, ROWS, runFaultTable } from '../support/fault-table.ts'
import { IS_LONG, oneIn } from '../support/runs.ts'

/** `npm test` tries only the fault that loses the most: the object dies with everything in memory. */
const TRIED: readonly Fault[] = IS_LONG ? FAULTS : ['die']
/**
 * The steps at which a death is noticed only when a lease has expired. `npm test` leaves them out: it has other tests of
 * objects that die before a delivery to a receiver and to the chain.
 */
const LEASED: readonly StepName[] = ['deliver', 'settle', 'bring', 'brought', 'pick', 'remember']
/** `npm test` tries this fault before every fourth other step. After a step is before the next one. */
const TRIED_ROWS = IS_LONG
  ? ROWS
  : oneIn(
      4,
      ROWS.filter(({ when, step }) => when === 'before' && !LEASED.includes(step)),
    )

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
      // Checks that the table has every step that was tried, before and after, with every fault that was tried, and that
      // only impossible cells are empty.
      const tried = new Set(TRIED_ROWS.map(({ step }) => step))
      expect(tried.size).toBeGreaterThan(IS_LONG ? STEPS.length - 1 : STEPS.length / 6)
      for (const { name, kind } of STEPS.filter(({ name }) => tried.has(name))) {
        const own = cells.filter(({ row }) => row.step === name)
        const struck = own.filter(({ violations }) => violations !== null)
        for (const when of IS_LONG ? ['before', 'after'] : ['before'])
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
