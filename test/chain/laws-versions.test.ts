import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actsOf } from './support/any-act.ts'
import { brokenHistories, illegalMoves } from './support/broken-laws.ts'
import { ask, askAll } from './support/ask.ts'
import { type Pair, pair, play } from './support/play.ts'
import { runs } from '../support/runs.ts'

const RUNS = { numRuns: runs('costly') }

interface Version {
  readonly version: number
  readonly timestamp: number
  readonly status: string
}

describe('laws of status and versions', () => {
  it('[context-21] only allowed changes of status are written, and completed and cancelled are final', async () => {
    await fc.assert(
      fc.asyncProperty(actsOf(40), async (acts) => {
        const both = await pair()
        for (const act of acts) {
          await play(both, act)
          expect(illegalMoves(both.stored)).toEqual([])
        }
      }),
      RUNS,
    )
  }, 120_000)

  it('[context-22] versions count 1, 2, 3 and never go back in time, though the clock does', async () => {
    await fc.assert(
      fc.asyncProperty(actsOf(40), async (acts) => {
        const both = await pair()
        for (const act of acts) {
          await play(both, act)
          expect(brokenHistories(both.stored)).toEqual([])
        }
      }),
      RUNS,
    )
  }, 120_000)

  it('[context-22] an earlier version is read as it was when it was the latest', async () => {
    await fc.assert(
      fc.asyncProperty(actsOf(25), async (acts) => {
        const both = await pair()
        const seen = new Map<string, Version | null>()
        for (const act of acts) {
          await play(both, act)
          // Removes the deleted contexts from `seen`, because a new context may get the id of a deleted context.
          const ids = both.model.entries.map(({ id }) => id)
          for (const key of seen.keys()) if (!ids.includes(key.split(' ')[0] ?? '')) seen.delete(key)
          for (const row of both.stored.contexts) {
            const key = `${row['id']} ${row['version']}`
            if (!seen.has(key)) seen.set(key, await stateOf(both, { context: row['id'], version: `${row['version']}` }))
          }
        }
        for (const { id } of both.model.entries) {
          const { items } = await answerOf<{ items: readonly Version[] }>(both, 'listVersions', { context: id })
          expect(items).toEqual(items.map(({ version }) => seen.get(`${id} ${version}`)))
          let last = 0
          for (const time of [0, ...items.flatMap(({ timestamp }) => [timestamp - 1, timestamp, timestamp + 1])].sort(
            (a, b) => a - b,
          )) {
            const state = await stateOf(both, { context: id, at: `${time}` })
            expect(state).toEqual(items.findLast(({ timestamp }) => timestamp <= time) ?? null)
            expect(state?.version ?? 0).toBeGreaterThanOrEqual(last)
            last = state?.version ?? 0
          }
        }
      }),
      { numRuns: runs('costly') },
    )
  }, 120_000)
})

async function stateOf(both: Pair, request: Readonly<Record<string, unknown>>): Promise<Version | null> {
  return (await answerOf<{ state: Version | null }>(both, 'getContext', request)).state
}

async function answerOf<T>(
  { scope }: Pair,
  name: 'getContext' | 'listVersions',
  request: Readonly<Record<string, unknown>>,
): Promise<T> {
  const told = await (name === 'listVersions' ? askAll : ask)(scope, name, request)
  if ('refused' in told) throw new Error(told.refused)
  return told.answer as T
}
