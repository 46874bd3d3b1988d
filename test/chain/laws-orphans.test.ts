import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Act, actsOf } from './support/any-act.ts'
import { anyQuestion, askBoth } from './support/any-question.ts'
import { ask, askAll } from './support/ask.ts'
import { expectedFindings, misplaced, withAllUnder } from './support/broken-laws.ts'
import { anyDamage, type Damage, inflict } from './support/damage.ts'
import { type Pair, pair, play } from './support/play.ts'
import { type Stored, storedIn } from './support/stored.ts'
import { runs } from '../support/runs.ts'

type Row = Stored['contexts'][number]

const anyOf = anyDamage('gone', 'gone', 'dangling', 'dangling', 'moved', 'root', 'depth')
const grown = actsOf(20)

describe('laws of damage and repair', () => {
  it('[context-76] verifyIntegrity finds all damage and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(grown, anyOf, async (acts, damages) => {
        const both = await damaged(acts, damages)
        expect(await findings(both)).toEqual(expectedFindings(both.stored).toSorted())
        const orphans = expectedFindings(both.stored).filter((finding) => finding.startsWith('orphan'))
        expect((await orphanIds(both)).map((id) => `orphan ${id}`)).toEqual(orphans.toSorted())
      }),
      { numRuns: runs('costly') },
    )
  }, 120_000)

  it.each(['delete', 'promote'] as const)(
    '[context-76] a repair by %s leaves no orphans, a sound chain, and everything else unchanged',
    async (mode) => {
      await fc.assert(
        fc.asyncProperty(grown, anyOf, async (acts, damages) => {
          const both = await damaged(acts, damages)
          const orphans = await orphanIds(both)
          const below = withAllUnder(both.stored, orphans)
          expect(await repair(both, mode)).toBe(mode === 'delete' ? below.length : orphans.length)
          const after = await storedIn(both.scope)
          const isBelow = ({ id }: Row) => below.some((row) => row['id'] === id)
          expect(await orphanIds(both)).toEqual([])
          const others = (rows: readonly Row[]) => rows.filter((row) => !isBelow(row)).map(waitless)
          expect(others(after.contexts)).toEqual(others(both.stored.contexts))
          const repaired = after.contexts.filter(isBelow)
          if (mode === 'delete') expect(repaired).toEqual([])
          else expect(repaired.map(placeless)).toEqual(below.map(placeless))
          expect(misplaced(after).filter((row) => repaired.includes(row as Row))).toEqual([])
          expect(await findings(both)).toEqual(expectedFindings(after).toSorted())
        }),
        { numRuns: runs('costly') },
      )
    },
    120_000,
  )

  it('[context-76] both repairs make a chain with lost parents sound', async () => {
    await fc.assert(
      fc.asyncProperty(
        grown,
        anyDamage('gone', 'dangling'),
        fc.constantFrom('delete', 'promote'),
        async (acts, damages, mode) => {
          const both = await damaged(acts, damages)
          await repair(both, mode)
          expect(await findings(both)).toEqual([])
          expect(misplaced(await storedIn(both.scope))).toEqual([])
        },
      ),
      { numRuns: runs('costly') },
    )
  }, 120_000)

  it('[context-76] every question about a damaged chain ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        grown,
        anyOf,
        fc.array(anyQuestion, { minLength: 15, maxLength: 15 }),
        async (acts, damages, asked) => {
          const both = await damaged(acts, damages)
          for (const question of asked) {
            const { told } = await askBoth(both, question)
            if ('refused' in told) expect(told.refused).toMatch(/_NOT_FOUND$/)
          }
        },
      ),
      { numRuns: runs('costly') },
    )
  }, 120_000)

  it('[context-76] deleting a member opens a circle', async () => {
    await fc.assert(
      fc.asyncProperty(
        grown,
        anyDamage('moved'),
        fc.constantFrom('cascade', 'orphan-to-root'),
        async (acts, damages, mode) => {
          const both = await damaged(acts, damages)
          for (;;) {
            const circle = (await findings(both)).find((finding) => finding.startsWith('cycle'))
            if (!circle) break
            const told = await ask(both.scope, 'deleteContext', { context: circle.slice('cycle '.length), mode })
            expect(told).toHaveProperty('answer')
          }
          expect(expectedFindings(await storedIn(both.scope)).filter((finding) => finding.startsWith('cycle'))).toEqual(
            [],
          )
        },
      ),
      { numRuns: runs('costly') },
    )
  }, 120_000)
})

/** Plays acts on a chain and then damages it. */
async function damaged(acts: readonly Act[], damages: readonly Damage[]): Promise<Pair> {
  const both = await pair()
  for (const act of acts) await play(both, act)
  for (const damage of damages) {
    await inflict(both.scope, both.stored, damage)
    both.stored = await storedIn(both.scope)
  }
  return both
}

async function repair({ scope }: Pair, mode: string): Promise<number> {
  let cleaned = 0
  for (;;) {
    const told = await ask(scope, 'repairOrphans', { mode })
    if ('refused' in told) throw new Error(told.refused)
    const answer = told.answer as { readonly cleaned: number; readonly left: number }
    cleaned += answer.cleaned
    if (answer.left === 0) return cleaned
  }
}

/**
 * Returns the findings of `verifyIntegrity`, sorted. Each finding is a text with its kind and the id of its context.
 */
async function findings({ scope }: Pair): Promise<readonly string[]> {
  const told = await askAll(scope, 'verifyIntegrity', {})
  if ('refused' in told) throw new Error(told.refused)
  const { items } = told.answer as { readonly items: readonly { readonly kind: string; readonly contextId: string }[] }
  return items.map(({ kind, contextId }) => `${kind} ${contextId}`).sort()
}

async function orphanIds({ scope }: Pair): Promise<readonly string[]> {
  const told = await askAll(scope, 'verifyIntegrity', { kind: 'orphan' })
  if ('refused' in told) throw new Error(told.refused)
  return (told.answer as { readonly items: readonly { readonly contextId: string }[] }).items
    .map(({ contextId }) => contextId)
    .sort()
}

/** Returns a context's row without its position in the tree. */
function placeless(row: Row): Row {
  return without(row, ['parent_id', 'root_id', 'depth'])
}

/**
 * Returns a context's row without `waits_for`, which changes when the step of a pattern that the context waits for is
 * deleted.
 */
function waitless(row: Row): Row {
  return without(row, ['waits_for'])
}

function without(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)))
}
