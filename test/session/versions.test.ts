import { describe, expect, it } from 'vitest'
import type { Graph } from '../../worker/core/graph/graph.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { readWalk, startWalk } from '../../worker/core/walk/walk.ts'
import { MOST_SCENARIOS } from '../../worker/chain/scenarios/kept.ts'
import { readInfo, type SessionInfo } from '../../worker/session/session-info.ts'
import { bringUpToDate, type Catalogue, latestGraph } from '../../worker/session/versions.ts'
import { graphOf, sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { newerBackbone } from '../support/versioned-graphs.ts'
import { play, turn, walkTo } from '../support/walk-events.ts'

const old = graphOf()
const info = {
  session: 'a-session',
  epoch: 'e1',
  scenario: sampleScenario,
  npc: 'maya',
  graph: old,
  createdAt: 0,
} as SessionInfo
const deployed: Scenario = { ...sampleScenario, version: 2, title: 'A launch, again' }

const holding = (graph: Graph | null, scenario: Scenario | null = deployed): Catalogue => ({
  scenario: (id) => (scenario?.id === id ? scenario : null),
  graph: () => graph,
})

describe('versions in a session', () => {
  it('[version-17] it asks for its own scenario and colleague', () => {
    const asked: unknown[] = []
    const newest = newerBackbone('fail')
    const catalogue: Catalogue = {
      scenario: (id) => (asked.push(id), deployed),
      graph: (scenario, npc, session) => (asked.push(scenario, npc, session), newest),
    }
    expect(latestGraph(info, catalogue)).toEqual({ scenario: deployed, graph: newest })
    expect(asked).toEqual(['sample', deployed, sampleNpc, info])
  })

  it.each<[string, Catalogue]>([
    ['the scenario is gone', holding(newerBackbone('fail'), null)],
    ['the colleague is gone', holding(newerBackbone('fail'), { ...deployed, npcs: [] })],
    ['no graph can be made', holding(null)],
    ['another graph walks them now', holding({ ...newerBackbone('fail'), id: 'coaching' })],
    ['it is the same graph', holding(old)],
  ])('[version-17] there is nothing to take over to if %s', (_, catalogue) => {
    expect(latestGraph(info, catalogue)).toBeNull()
    expect(bringUpToDate(info, walkTo(old, 'SURFACE'), catalogue)).toEqual({ outcome: 'kept', why: 'same-graph' })
  })

  it('[version-18] graph and scenario are taken over together', () => {
    const newest = newerBackbone('restart')
    const taken = bringUpToDate(info, walkTo(old, 'SURFACE'), holding(newest))
    if (taken.outcome !== 'moved') throw new Error(JSON.stringify(taken))
    expect(taken.info).toEqual({ ...info, scenario: deployed, graph: newest })
    expect(taken.walk).toMatchObject({ node: 'PROBLEM', graph: { version: 2, hash: newest.hash } })
    expect(taken.trace).toEqual([{ type: 'migrated', from: 'SURFACE', to: 'PROBLEM', version: 2 }])
    expect(bringUpToDate(taken.info, taken.walk, holding(newest))).toEqual({ outcome: 'kept', why: 'same-graph' })
    expect(play(newest, [turn(true)], taken.walk).walk.node).toBe('DEEPEN')
  })

  it('[version-18] or neither is', () => {
    const asked = play(old, [turn(false)], walkTo(old, 'PIVOT_1')).walk
    expect(bringUpToDate(info, asked, holding(newerBackbone('restart')))).toEqual({ outcome: 'kept', why: 'fork-open' })
    expect(bringUpToDate(info, walkTo(old, 'PIVOT_2'), holding(newerBackbone('fail')))).toEqual({
      outcome: 'refused',
      error: { code: 'RESUME_UNKNOWN_NODE', node: 'PIVOT_2' },
    })
  })
})

describe('reading what was stored', () => {
  it('[version-16] takes what it knows, and refuses a shape that it does not know', () => {
    const walk = startWalk(old)
    expect(readWalk(JSON.stringify(walk))).toEqual(walk)
    expect(readInfo(JSON.stringify(info))).toEqual(info)
    expect(() => readWalk(JSON.stringify({ ...walk, v: 2 }))).toThrow('the shape of the stored walk')
    expect(() => readInfo(JSON.stringify({ ...info, graph: { ...old, ir: 3 } }))).toThrow('of the stored graph')
  })
  describe('[version-15] gives sessions with the same scenario', () => {
    const titled = (title: string): Scenario => ({ ...sampleScenario, title })
    const stored = (scenario: Scenario, own: object = {}) => JSON.stringify({ ...info, scenario, ...own })

    it('one frozen object, and each session its own data', () => {
      const first = readInfo(stored(titled('shared')))
      const second = readInfo(stored(titled('shared'), { session: 'another', npc: 'noor', createdAt: 7 }))
      expect(second.scenario).toBe(first.scenario)
      expect(second).toEqual({ ...info, scenario: titled('shared'), session: 'another', npc: 'noor', createdAt: 7 })
      expect(JSON.stringify(second)).toBe(stored(titled('shared'), { session: 'another', npc: 'noor', createdAt: 7 }))
      expect(Object.isFrozen(first.scenario.npcs[0]?.knowledge)).toBe(true)
    })

    it('no object of another text, however much of it is the same', () => {
      const texts = [titled('a'), titled('ab'), { ...titled('a'), synonyms: [['a', 'b']] }, { ...titled('a'), run: {} }]
      for (const scenario of [...texts, ...texts] as Scenario[])
        expect(readInfo(stored(scenario)).scenario).toEqual(scenario)
    })

    it('their own scenario, although the same text is elsewhere in their data', () => {
      const known = readInfo(stored(titled('known'))).scenario
      const odd = { odd: { scenario: known }, ...info, scenario: titled('own') }
      expect(readInfo(JSON.stringify(odd))).toEqual(odd)
    })

    it('a new object, once so many others were read that the isolate no longer keeps it', () => {
      const read = (title: string) => readInfo(stored(titled(title))).scenario
      const oldest = read('oldest')
      const used = read('used')
      for (let other = 2; other < MOST_SCENARIOS; other += 1) read(`other ${other}`)
      expect([read('oldest'), read('used')]).toEqual([oldest, used])
      expect(read('oldest')).toBe(oldest)
      expect(read('used')).toBe(used)
      read('one more')
      read('used')
      for (let other = 2; other < MOST_SCENARIOS; other += 1) read(`still other ${other}`)
      expect(read('used')).toBe(used)
      expect(read('oldest')).not.toBe(oldest)
    })
  })
})
