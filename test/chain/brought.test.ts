import { describe, expect, it } from 'vitest'
import { putFact } from '../../worker/chain/memories/facts.ts'
import { applyEvents } from '../../worker/chain/runs/apply-events.ts'
import type { Scope } from '../../worker/chain/scope.ts'
import { chainMemory, newestFacts } from '../../worker/session/chain-memory.ts'
import type { Learner } from '../../worker/trust/learner.ts'
import { freshScope } from './support/fresh-scope.ts'
import { heard } from './support/plays.ts'
import { type Talk, talk, wholeWay } from './support/runs.ts'
import { plansOf, watched } from './support/watched.ts'

const AT = 1_900_000_000_000
const ADA: Learner = { kind: 'verified', id: 'ada' }

/**
 * Returns `chain`, the object through which a turn of Ines's conversation reads the chain, and `logged`, the list of
 * everything that `chain` logs.
 */
function turnIn(run: Talk['place'] | null, scope: () => Promise<Scope | null>, own: object = {}) {
  const logged: object[] = []
  const chain = chainMemory({
    scope,
    learner: ADA,
    run,
    npc: 'ines',
    after: () => () => undefined,
    log: (event, ids) => void logged.push({ event, ...ids }),
    ...own,
  })
  return { chain, logged }
}

const said = (scope: Scope, { session }: Talk, ...facts: readonly string[]) =>
  applyEvents(scope, session, 1, [{ type: 'met', at: AT }, heard(AT + 1, ...facts)])

describe('what the chain knows that a learner brings', () => {
  it('[briefing-13] comes from the other colleagues of the run who were talked with, in one call to the database', async () => {
    const scope = await freshScope()
    const maya = await talk(scope, 'maya')
    const run = maya.place.id
    await applyEvents(scope, maya.session, 1, wholeWay(AT))
    await said(scope, await talk(scope, 'marcus', { run }), 'credit', 'phasing')
    await said(scope, await talk(scope, 'ines', { run }), 'gate')
    await talk(scope, 'otto', { run })
    await said(scope, await talk(scope, 'marcus'), 'way-out')
    await said(scope, await talk(scope, 'maya', { learner: 'bo' }), 'ceiling')
    const { scope: seen, watch } = watched(scope)
    const { chain, logged } = turnIn(maya.place, () => Promise.resolve(seen))
    const brought = await chain.brought()
    expect(brought?.talks.map(({ npc, hasPaper, facts }) => [npc, hasPaper, facts.map(({ fact }) => fact)])).toEqual([
      ['maya', true, []],
      ['marcus', false, ['credit', 'phasing']],
    ])
    expect(watch.calls).toBe(1)
    const plans = await plansOf(scope.db, watch)
    expect(plans.filter((step) => step.startsWith('SCAN ') || step.includes('TEMP B-TREE'))).toEqual([])
    expect(await chain.brought()).toEqual(brought)
    expect(watch.calls).toBe(1)
    expect(logged).toEqual([])
  })

  it('[briefing-13] is read together with the facts that a recall of the same turn searches', async () => {
    const scope = await freshScope()
    const { place } = await talk(scope, 'maya')
    await putFact(scope, { user: 'ada', key: 'team', value: 'Payments', source: 'crm', confidence: 1 })
    const alone = watched(scope)
    await turnIn(place, () => Promise.resolve(alone.scope)).chain.recall(['payments'])
    const both = watched(scope)
    const { chain } = turnIn(place, () => Promise.resolve(both.scope))
    const [recalled] = await chain.recall(['payments'])
    expect(recalled?.found).toEqual(['Known of them: team: Payments'])
    expect(newestFacts((await chain.brought())?.known ?? [])).toEqual(recalled?.found)
    expect(both.watch.calls).toBe(alone.watch.calls)
  })

  it('[briefing-13] has the three newest facts about the learner', () => {
    const fact = (key: string, at: number) => ({ key, value: 'x', source: 'conversation c1', confidence: 1, at })
    expect(newestFacts([fact('a', 1), fact('b', 3), fact('c', 2), fact('d', 3)])).toEqual([
      'They said of themselves: b: x',
      'They said of themselves: d: x',
      'They said of themselves: c: x',
    ])
  })

  it('[briefing-13] is nothing without a run or a database, and neither is an error', async () => {
    const scope = await freshScope()
    const { place } = await talk(scope, 'maya')
    const { chain, logged } = turnIn(null, () => Promise.reject(new Error('asked')))
    expect(await chain.brought()).toBeNull()
    const without = turnIn(place, () => Promise.resolve(null))
    expect(await without.chain.brought()).toBeNull()
    expect([...logged, ...without.logged]).toEqual([])
  })

  it('[briefing-13] is given up when the chain is late or fails, once for the whole turn', async () => {
    const late = Promise.withResolvers<Scope>()
    const after = (_: number, task: () => void) => (task(), () => undefined)
    const { place } = await talk(await freshScope(), 'maya')
    const { chain, logged } = turnIn(place, () => late.promise, { after })
    expect(await chain.brought()).toBeNull()
    expect(await chain.recall(['launch'])).toEqual([])
    const failing = turnIn(place, () => Promise.reject(new TypeError('gone')))
    expect(await failing.chain.recall(['launch'])).toEqual([])
    expect(await failing.chain.brought()).toBeNull()
    expect([...logged, ...failing.logged]).toEqual([
      { event: 'chain-not-brought', error: 'timeout' },
      { event: 'chain-not-recalled', error: 'TypeError' },
    ])
  })
})
