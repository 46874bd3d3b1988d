import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../worker/chain/scope.ts'
import { type Act, actsOf, anyAct } from './support/any-act.ts'
import { ask, type Told, told } from './support/ask.ts'
import { canonical } from './support/canonical.ts'
import { inTurns } from './support/in-turns.ts'
import type { Model } from './support/model-tree.ts'
import { changed, idsIn, pair, type Pair, play, requestOf } from './support/play.ts'
import { storedIn, storedOf } from './support/stored.ts'
import { runs } from '../support/runs.ts'

type Requested = readonly { readonly act: Act; readonly request: Readonly<Record<string, unknown>> }[]

describe('laws of simultaneous changes', () => {
  it('[context-109] several changes at once have the result of some order one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(
        actsOf(15),
        fc.array(anyAct, { minLength: 2, maxLength: 4, size: 'max' }),
        anyTurns,
        async (acts, together, turns) => {
          const both = await pair()
          for (const act of acts) await play(both, act)
          await race(both, together, turns)
        },
      ),
      { numRuns: runs('costly') },
    )
  }, 120_000)

  it.each([
    ['two who write what they read', [update({ expectedVersion: 1 }), update({ expectedVersion: 1 })]],
    ['two completions', [update({ status: 'completed' }), update({ status: 'completed' })]],
    ['a child of what is deleted', [child(), remove('leaf'), child()]],
    ['a child of what is completed', [child(), update({ status: 'completed' }), child()]],
    ['a subtree that is deleted while it grows', [child(), remove('cascade'), child(), remove('orphan-to-root')]],
    ['one id for two', [child('ctx_mine'), child('ctx_mine')]],
    ['participants that come and go', [add('legal'), add('sales'), drop('legal'), add('legal')]],
    ['a step that is completed and deleted', [update({ status: 'completed' }), remove('orphan-to-parent')]],
  ])(
    '[context-109] %s, in either order',
    async (_what, together) => {
      const sequence = { pattern: 'sequence', purpose: 'audit', memorySpaceId: 'sales', steps: [step, step, step] }
      for (const turns of fc.sample(anyTurns, { numRuns: runs('costly') })) {
        const both = await pair()
        await play(both, { name: 'createPattern', context: 0, request: sequence, tick: 0 })
        await race(both, together, turns)
      }
    },
    60_000,
  )
})

/** Generates the `turns` for `inTurns`: each number selects which of the waiting database calls comes next. */
const anyTurns = fc.array(fc.nat({ max: 11 }), { minLength: 16, maxLength: 16 })

const step = { purpose: 'memo', memorySpaceId: 'legal' }
/** The index of the pattern's first step, for `contextAt`. The pattern's root has index 2. */
const FIRST = 3

function update(request: Act['request']): Act {
  return { name: 'updateContext', context: FIRST, request: { data: { by: 'one of them' }, ...request }, tick: 0 }
}

function child(id?: string): Act {
  return { name: 'createContext', context: FIRST, request: { id, purpose: 'plan', memorySpaceId: 'sales' }, tick: 0 }
}

function remove(mode: string): Act {
  return { name: 'deleteContext', context: FIRST, request: { mode }, tick: 0 }
}

function add(participant: string): Act {
  return { name: 'addParticipant', context: FIRST, request: { participant }, tick: 0 }
}

function drop(participant: string): Act {
  return { name: 'removeParticipant', context: FIRST, request: { participant }, tick: 0 }
}

/**
 * Runs all acts at once. Checks that in at least one order of the acts, the model gives the same answers and tables.
 */
async function race(both: Pair, together: readonly Act[], turns: readonly number[]): Promise<void> {
  const asked = together.map((act) => ({ act, request: requestOf(both, act) }))
  const tasks = asked.map(
    ({ act, request }) =>
      (scope: Scope) =>
        ask(scope, act.name, request),
  )
  const answers = await inTurns(both.scope, turns, tasks)
  const came = canonical({ answers, stored: await storedIn(both.scope) })
  const possible = await Promise.all(orders(asked.length).map((order) => inOrder(both, asked, answers, order)))
  expect(possible).toContain(came)
}

/** Returns the model's answers and tables after running the acts in one order. */
async function inOrder(
  both: Pair,
  asked: Requested,
  answers: readonly Told[],
  order: readonly number[],
): Promise<string> {
  const model: Model = structuredClone(both.model)
  const expected: Told[] = []
  for (const at of order) {
    const { act, request } = asked[at]!
    expected[at] = await told(() => changed({ ...both, model }, act, request, idsIn(answers[at]!)))
  }
  return canonical({ answers: expected, stored: storedOf(model) })
}

function orders(length: number): readonly (readonly number[])[] {
  if (length === 0) return [[]]
  return orders(length - 1).flatMap((order) =>
    Array.from({ length }, (_, at) => [...order.slice(0, at), length - 1, ...order.slice(at)]),
  )
}
