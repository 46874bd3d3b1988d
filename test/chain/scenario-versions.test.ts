import { expect, it } from 'vitest'
import type { ContentSources } from '../../worker/chain/scenarios/contents.ts'
import { publishScenario, scenarioToBegin, withdrawScenario } from '../../worker/chain/scenarios/scenario-versions.ts'
import { bodyOf } from '../../worker/chain/scenarios/stored-scenario.ts'
import { rows, type Scope } from '../../worker/chain/scope.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { sha256 } from '../../worker/sha256.ts'
import { freshScope } from './support/fresh-scope.ts'

const sources = (scope: Scope): ContentSources => ({ files: null, chain: () => Promise.resolve(scope) })

async function publish(scope: Scope, version: number): Promise<void> {
  const scenario = { id: 'listed', version, title: 'Listed', npcs: [] as unknown } as Scenario
  const publication = { scenario, library: { backbones: [], documents: [] } }
  const body = bodyOf(publication)
  const published = await publishScenario(scope, { ...publication, body, hash: await sha256(body), card: null })
  if (!published.ok) throw new Error(published.why)
}

it('[publish-11] an isolate begins from a list of at most five seconds, and at once from its own changes', async () => {
  const { db, ...own } = await freshScope()
  let now = 1_900_000_000_000
  let reads = 0
  // Every statement of the list is counted.
  const counting = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare')
        return (sql: string) => {
          if (/SELECT id, version, hash/.test(sql)) reads += 1
          return target.prepare(sql)
        }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const here: Scope = { ...own, db: counting, now: () => now }
  // The same database, as another isolate has it.
  const elsewhere: Scope = { ...own, db: new Proxy(db, { get: (at, name) => bound(at, name) }), now: () => now }
  const begins = async () => (await scenarioToBegin(sources(here), 'listed'))?.scenario.version ?? null

  await publish(here, 1)
  expect(await begins()).toBe(1)
  reads = 0
  expect([await begins(), await begins(), reads]).toEqual([1, 1, 0])

  await publish(elsewhere, 2)
  now += 4_999
  expect([await begins(), reads]).toEqual([1, 0])
  now += 1
  expect([await begins(), reads]).toEqual([2, 1])

  await withdrawScenario(here, 'listed', 2)
  expect(await begins()).toBe(1)
  await withdrawScenario(here, 'listed', 1)
  expect(await begins()).toBeNull()
  // A scenario that the list does not have is looked for again at once.
  await publish(elsewhere, 3)
  expect(await begins()).toBe(3)
  expect(await rows(here, 'SELECT hash FROM scenario_bodies WHERE tenant = ?1')).toHaveLength(3)
})

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? (value as () => unknown).bind(target) : value
}
