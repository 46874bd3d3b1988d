import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Act, actsOf, anyAct } from './support/any-act.ts'
import { anyQuestion, askBoth } from './support/any-question.ts'
import { canonical } from './support/canonical.ts'
import { pair, play } from './support/play.ts'
import { IS_LONG, runs } from '../support/runs.ts'

describe('the chain and its model', () => {
  it('[context-100] after every change, the answer and all tables equal the model', async () => {
    await fc.assert(
      fc.asyncProperty(actsOf(40), async (acts) => {
        const both = await pair()
        for (const act of acts) await play(both, act)
      }),
      { numRuns: runs('costly'), endOnFailure: false },
    )
  }, 120_000)

  it('[context-100] every question has the model’s answer, after any history', async () => {
    const answered = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(actsOf(25), fc.array(anyQuestion, { minLength: 12, maxLength: 12 }), async (acts, questions) => {
        const both = await pair()
        for (const act of acts) await play(both, act)
        for (const question of questions) {
          const { told, expected } = await askBoth(both, question)
          if ('answer' in told && !canonical(told).startsWith('{"answer":{"items":[]'))
            answered.set(question.name, 1 + (answered.get(question.name) ?? 0))
          expect(`${question.name} ${canonical(told)}`).toBe(`${question.name} ${canonical(expected)}`)
        }
      }),
      { numRuns: runs('costly') },
    )
    if (!IS_LONG) return
    // Five operations gave non-empty answers. The sixth, `verifyIntegrity`, finds nothing in an undamaged chain.
    expect(answered.size).toBe(5)
    expect([...answered].filter(([, times]) => times < 8)).toEqual([])
  }, 120_000)

  it.each(FOUND)('[context-100] found before: %s', async (_what, acts) => {
    const both = await pair()
    for (const act of acts) await play(both, act)
  })

  it('[context-100] found before: a search gives the latest written first, though a clock went back', async () => {
    const both = await pair()
    for (const act of [root, { ...root, tick: -3 }, root]) await play(both, act)
    const { told, expected } = await askBoth(both, { name: 'listContexts', context: 0, request: { q: 'audit' } })
    expect(canonical(told)).toBe(canonical(expected))
  })

  it.runIf(IS_LONG)(
    '[context-100] these runs include every kind of refusal',
    async () => {
      const codes = new Set<string>()
      const both = await pair()
      for (const act of [...deepest, ...fc.sample(anyAct, { seed: 7, numRuns: 400 })]) {
        const told = await play(both, act)
        if ('refused' in told) codes.add(told.refused)
      }
      expect([...codes].sort()).toEqual([
        'CONTEXT_EXISTS',
        'CONTEXT_NOT_FOUND',
        'HAS_CHILDREN',
        'INVALID_TRANSITION',
        'MAX_DEPTH',
        'PARENT_NOT_FOUND',
        'PARENT_TERMINAL',
        'TOO_LONG',
        'VERSION_CONFLICT',
      ])
    },
    120_000,
  )
})

const step = { purpose: 'audit', memorySpaceId: 'sales' }
const root: Act = { name: 'createContext', context: -1, request: step, tick: 1 }
const much = { data: { text: 'x'.repeat(40_000) } }

/**
 * One of these acts exceeds the greatest depth by one level. Another act exceeds the data limit, but only after its
 * data is merged with the existing data.
 */
const deepest: readonly Act[] = [
  {
    name: 'createPattern',
    context: 0,
    request: { ...step, pattern: 'approval', steps: Array.from({ length: 10 }, () => step) },
    tick: 1,
  },
  { name: 'createContext', context: 0, request: step, tick: 1 },
  { name: 'updateContext', context: 0, request: much, tick: 1 },
  { name: 'updateContext', context: 0, request: { data: { more: much.data.text } }, tick: 1 },
]

/** Sequences of acts that were generated and once showed a bug. */
const FOUND: readonly (readonly [what: string, acts: readonly Act[]])[] = [
  [
    'a change after completion leaves when it was completed',
    [root, update(0, { status: 'completed' }), update(0, { data: { later: true } }), update(0, { purpose: 'plan' })],
  ],
  [
    'what is deleted together is told oldest first, though a clock went back between',
    [
      { name: 'createPattern', context: 0, request: { ...step, pattern: 'sequence', steps: [step] }, tick: 0 },
      { ...root, context: 0, tick: -3 },
      {
        name: 'deleteContexts',
        context: 0,
        request: { filter: { status: 'active' }, mode: 'cascade' },
        tick: 0,
      },
    ],
  ],
  [
    'a step that is begun by a clock that went back is not begun before the one it waited for was done',
    [
      { name: 'createPattern', context: 0, request: { ...step, pattern: 'sequence', steps: [step, step] }, tick: 0 },
      { ...update(3, { data: { stage: 1 } }), tick: 7 },
      { ...update(3, { status: 'completed' }), tick: -3 },
    ],
  ],
  [
    'a context that takes the id of one that is gone has nothing of it',
    [
      { ...root, request: { ...step, id: 'ctx_mine' } },
      update(0, { data: { said: 'before' } }),
      { name: 'deleteContext', context: 0, request: {}, tick: 1 },
      { ...root, request: { ...step, id: 'ctx_mine' }, tick: -3 },
    ],
  ],
]

function update(context: number, request: Act['request']): Act {
  return { name: 'updateContext', context, request, tick: 1 }
}
