import { withNode } from '../support/edit-graph.ts'
import { describe, expect, it } from 'vitest'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { migrate } from '../../worker/core/walk/migrate.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { graphOf } from '../support/sample-scenario.ts'
import { tell, tellAll } from '../support/state-events.ts'
import { action, choice, stateGraph, terminal } from '../support/state-graph.ts'
import { callingGraph, newer, newerBackbone, newerCallingGraph } from '../support/versioned-graphs.ts'
import { choose, play, turn, walkTo } from '../support/walk-events.ts'

const old = graphOf()
const same = (graph: Graph) => newer(graph, { nodes: {}, unknown: 'fail' })
const moved = (from: Walk, to: Graph) => {
  const result = migrate(from, to)
  if (result.outcome !== 'moved') throw new Error(JSON.stringify(result))
  return result
}

describe('taking a walk over', () => {
  const surface = walkTo(old, 'SURFACE')

  it('[version-1] the same graph, another graph and a version without a migration leave a walk where it is', () => {
    expect(migrate(surface, old)).toEqual({ outcome: 'kept', why: 'same-graph' })
    expect(migrate(surface, { ...same(old), id: 'technical/other/maya' })).toEqual({
      outcome: 'kept',
      why: 'another-graph',
    })
    expect(migrate(surface, newer(old, null))).toEqual({ outcome: 'kept', why: 'no-migration' })
    const fromTwo = { ...same(old), migrations: [{ from: 2, nodes: {}, unknown: 'restart' as const }] }
    expect(migrate(surface, fromTwo)).toEqual({ outcome: 'kept', why: 'no-migration' })
  })

  it('[version-2] a walk that has ended, is in a turn, waits for a choice or is on its way out is not touched', () => {
    const to = newerBackbone('restart')
    const kept = (why: string) => ({ outcome: 'kept', why })
    const ended = play(old, [turn(true)], walkTo(old, 'CLOSE')).walk
    expect(migrate(ended, to)).toEqual(kept('ended'))
    const open = step(old, surface, { type: 'learner', turnId: 't2', seq: 2 }).walk
    expect(migrate(open, to)).toEqual(kept('turn-open'))
    const asked = play(old, [turn(false)], walkTo(old, 'PIVOT_1')).walk
    expect(migrate(asked, to)).toEqual(kept('fork-open'))
    const held = withNode(old, 'DECISIVE', { stay: [] })
    const stalled = play(
      held,
      Array.from({ length: 6 }, () => turn(false)),
      walkTo(held, 'DECISIVE'),
    ).walk
    expect([stalled.node, migrate(stalled, to)]).toEqual(['CLOSE', kept('cut-short')])
  })

  it('[version-12] [walk-12] a fork by a name that another had before is put to the learner all the same', () => {
    const picked = play(old, [turn(false), choose('a')], walkTo(old, 'PIVOT_1')).walk
    const to = newer(old, { nodes: { PIVOT_1: 'PIVOT_2', PIVOT_2: 'PIVOT_1', DECISIVE: 'DEEPEN' }, unknown: 'fail' })
    const { walk } = moved(picked, to)
    expect(walk.visits.map(({ node }) => node)).not.toContain('PIVOT_1')
    const told = play(to, [turn(true), turn(false)], walk)
    expect(told.walk.pivots['PIVOT_1']).toEqual({ state: 'armed', unanswered: 0 })
    expect(told.walk.emitted).toEqual(['AI_PivotMoment:PIVOT_1', 'AI_PivotMoment:PIVOT_1:2'])
  })

  it('[version-3] node ids are mapped wherever they stand', () => {
    const through = play(old, [turn(true), turn(false), turn(false), turn(true), turn(false), choose('a')]).walk
    const { walk } = moved(through, newerBackbone('fail'))
    expect(through.forced).toEqual(['SURFACE'])
    expect(walk.forced).toEqual(['PROBLEM'])
    expect(walk.visits.map(({ node }) => node)).toEqual(['GROUND', 'PROBLEM', 'DEEPEN', 'PIVOT_1', 'DECISIVE'])
    expect(walk.satisfied).toEqual(['GROUND', 'DEEPEN', 'PIVOT_1'])
    expect(walk.pivots).toEqual({ PIVOT_1: { state: 'chosen', choice: 'a' } })
    expect(walk.graph).toEqual({ id: old.id, version: 2, hash: newerBackbone('fail').hash })
  })

  it('[version-3] a node may have any name, even one that every object knows', () => {
    const odd = stateGraph({ nodes: [action('constructor', [choice('end_session')]), terminal()] })
    const { walk } = moved(startWalk(odd), same(odd))
    expect([walk.node, walk.visits]).toEqual(['constructor', [{ node: 'constructor', exchanges: 0 }]])
  })

  it('[version-3] return points are mapped like any other node', () => {
    const helped = tellAll(callingGraph, [{ picks: [{ exit: 1 }] }, { picks: [{ exit: 1 }] }]).walk
    expect([helped.node, helped.stack]).toEqual(['deep@1/dig', ['wrap', 'help@1/ask']])
    const to = newerCallingGraph()
    const { walk } = moved(helped, to)
    expect([walk.node, walk.stack]).toEqual(['deep@1/dig', ['round_up', 'help@2/ask']])
    const back = tell(to, walk, { picks: [{ exit: 0 }] }).walk
    expect([back.node, back.stack]).toEqual(['help@2/ask', ['round_up']])
  })

  it('[version-3] of two nodes that have become one, satisfied counts before forced, and a choice before a fork that passed', () => {
    const nodes = { GROUND: 'SURFACE', PIVOT_2: 'PIVOT_1' }
    const late = { ...walkTo(old, 'RESOLVE'), forced: ['GROUND'], satisfied: ['SURFACE'] }
    const forks = { PIVOT_1: { state: 'chosen', choice: 'a' }, PIVOT_2: { state: 'passed' } } as const
    const { walk } = moved({ ...late, pivots: forks }, newer(old, { nodes, unknown: 'fail' }))
    expect([walk.satisfied, walk.forced]).toEqual([['SURFACE'], []])
    expect(walk.pivots).toEqual({ PIVOT_1: forks.PIVOT_1 })
    const other = { PIVOT_1: { state: 'passed' }, PIVOT_2: { state: 'chosen', choice: 'b' } } as const
    expect(moved({ ...late, pivots: other }, newer(old, { nodes, unknown: 'fail' })).walk.pivots).toEqual({
      PIVOT_1: other.PIVOT_2,
    })
  })

  it('[version-4] what the conversation has amassed stays, and its level is read by the newer table', () => {
    const warm = play(old, [turn(true, false, 2), turn(true, false, 2), turn(true, false, 2), turn(false)]).walk
    const chosen = play(old, [choose('a')], warm).walk
    const amassed: Walk = {
      ...chosen,
      overlays: ['KEY_REVEAL'],
      thoughts: [{ kind: 'reflection', node: 'DEEPEN', text: 'they follow' }],
      queries: ['what was said'],
      activations: 3,
    }
    expect(chosen.relationship).toEqual({ score: 18, level: 'trusting' })
    const levels = old.policy.relationship.levels.map((one) => (one.level === 'trusting' ? { ...one, from: 25 } : one))
    const policy = { ...old.policy, relationship: { ...old.policy.relationship, levels } }
    const { walk } = moved(amassed, newer({ ...old, policy }, { nodes: {}, unknown: 'fail' }))
    const { seq, emitted, overlays, thoughts, queries, activations } = amassed
    expect(walk).toMatchObject({ seq, emitted, overlays, thoughts, queries, activations })
    expect(walk.relationship).toEqual({ score: 18, level: 'cooperative' })
  })

  it('[version-5] a walk goes on in its visit, with its counters', () => {
    const dwelling = play(old, [turn(false, true), turn(false)], walkTo(old, 'DECISIVE')).walk
    expect(dwelling).toMatchObject({ node: 'DECISIVE', turns: 1, graceUsed: 1, stall: 2 })
    const { walk } = moved(dwelling, newerBackbone('fail'))
    expect(walk).toMatchObject({ node: 'DECISIVE', turns: 1, graceUsed: 1, stall: 2 })
    expect(walk.visits.at(-1)).toEqual({ node: 'DECISIVE', exchanges: 2 })
  })

  it('[version-5] actions that the node does not have any more are left out of what was engaged', () => {
    const engaged = tellAll(callingGraph, [{}, { picks: [{ action: 1 }] }, {}]).walk
    expect(engaged.engaged).toEqual([0, 1, 0])
    const graph = newerCallingGraph()
    const greet = graph.nodes['greet']
    if (greet?.kind !== 'speak') throw new Error('no such node')
    const fewer = { ...graph, nodes: { ...graph.nodes, greet: { ...greet, actions: ['do greet'] } } }
    expect(moved(engaged, fewer).walk.engaged).toEqual([0, 0])
  })

  const pivotTwo = walkTo(old, 'PIVOT_2')
  const inCall = tellAll(callingGraph, [{ picks: [{ exit: 1 }] }]).walk
  const inDeep = tell(callingGraph, inCall, { picks: [{ exit: 1 }] }).walk

  it('[version-6] with fail, an unknown node stops it and is named', () => {
    const refused = (node: string) => ({ outcome: 'refused', error: { code: 'RESUME_UNKNOWN_NODE', node } })
    expect(migrate(pivotTwo, newerBackbone('fail'))).toEqual(refused('PIVOT_2'))
    // The help graph of the newer version is `help@2`, and the migration does not map the node `help@1/ask`.
    expect(migrate(inCall, newerCallingGraph({ nodes: { wrap: 'round_up' } }))).toEqual(refused('help@1/ask'))
    // The newer graph no longer has the return point `wrap`.
    expect(migrate(inCall, newerCallingGraph({ nodes: { 'help@1/ask': 'help@2/ask' } }))).toEqual(refused('wrap'))
    // In the newer node `note`, the colleague does not speak.
    const talk = tellAll(callingGraph, [{ picks: [{ exit: 0 }] }]).walk
    expect(migrate(talk, newerCallingGraph({ nodes: { talk: 'note' } }))).toEqual(refused('talk'))
    // No call leads to the node `help@2/ask` and returns to `greet`.
    const astray = { 'help@1/ask': 'help@2/ask', wrap: 'greet' }
    expect(migrate(inCall, newerCallingGraph({ nodes: astray }))).toEqual(refused('help@1/ask'))
    // The outer return point must be a state of the root graph, where every call begins.
    const inward = { 'help@1/ask': 'help@2/ask', wrap: 'help@2/ask' }
    expect(migrate(inDeep, newerCallingGraph({ nodes: inward }))).toEqual(refused('deep@1/dig'))
    // A node of a called graph cannot be entered without a call.
    const called = { greet: 'help@2/ask' }
    expect(migrate(startWalk(callingGraph), newerCallingGraph({ nodes: called }))).toEqual(refused('greet'))
    // `constructor` is a property of every object, but it is not a node.
    expect(migrate(startWalk(callingGraph), newerCallingGraph({ nodes: { greet: 'constructor' } }))).toEqual(
      refused('greet'),
    )
  })

  it('[version-7] with restart, it begins again at the entry', () => {
    const { walk, trace } = moved(pivotTwo, newerBackbone('restart'))
    expect(walk).toMatchObject({ node: 'GROUND', stack: [], turns: 0, stall: 0, satisfied: [], forced: [], pivots: {} })
    expect(walk).toMatchObject({ seq: pivotTwo.seq, emitted: pivotTwo.emitted, relationship: pivotTwo.relationship })
    expect(walk.visits.slice(-2)).toEqual([
      { node: 'PIVOT_2', exchanges: 0 },
      { node: 'GROUND', exchanges: 0 },
    ])
    expect(trace).toEqual([{ type: 'migrated', from: 'PIVOT_2', to: 'GROUND', version: 2 }])
    const forced = play(old, [turn(true), turn(false), turn(false), turn(true)]).walk
    expect(forced.forced).toEqual(['SURFACE'])
    const from = newer(old, { nodes: { PIVOT_1: 'gone' }, unknown: 'restart' })
    expect(moved(forced, from).walk).toMatchObject({ node: 'GROUND', satisfied: [], forced: [] })
    const out = moved(inDeep, newerCallingGraph({ nodes: {}, unknown: 'restart' })).walk
    expect([out.node, out.stack]).toEqual(['greet', []])
  })

  it.each(['restart', 'nearest-ancestor'] as const)(
    '[version-7] [version-8] with %s, it is a new visit with counters of its own',
    (unknown) => {
      const dwelling = play(old, [turn(false, true), turn(false)], walkTo(old, 'DECISIVE')).walk
      expect(dwelling).toMatchObject({ turns: 1, graceUsed: 1, stall: 2 })
      const { walk } = moved({ ...dwelling, engaged: [0] }, newer(old, { nodes: { DECISIVE: 'gone' }, unknown }))
      expect(walk).toMatchObject({ turns: 0, graceUsed: 0, stall: 0, engaged: [] })
      expect(walk.visits.at(-1)).toEqual({ node: walk.node, exchanges: 0 })
    },
  )

  it('[version-7] a fork that was put before is put again, under an id of its own', () => {
    const to = newerBackbone('restart')
    const { walk } = moved(pivotTwo, to)
    const again = play(to, [turn(true), turn(true), turn(true), turn(false)], walk)
    expect(again.walk).toMatchObject({
      node: 'PIVOT_1',
      emitted: ['AI_PivotMoment:PIVOT_1', 'AI_AdvanceObjective:launch-risk', 'AI_PivotMoment:PIVOT_1:2'],
    })
  })

  it('[version-8] with nearest-ancestor, it goes to the last node that is left', () => {
    const { walk, trace } = moved(pivotTwo, newerBackbone('nearest-ancestor'))
    expect(walk.visits.slice(-2).map(({ node }) => node)).toEqual(['PIVOT_2', 'DECISIVE'])
    expect(walk).toMatchObject({ node: 'DECISIVE', turns: 0, graceUsed: 0, stall: 0 })
    expect(walk.satisfied).toEqual(pivotTwo.satisfied.map((id) => (id === 'SURFACE' ? 'PROBLEM' : id)))
    expect(trace).toEqual([{ type: 'migrated', from: 'PIVOT_2', to: 'DECISIVE', version: 2 }])
  })

  it('[version-8] out of a call whose return point is gone, and past what nobody speaks in', () => {
    const talked = tellAll(callingGraph, [{ picks: [{ exit: 0 }] }, { picks: [{ exit: 1 }] }]).walk
    expect(talked.visits.map(({ node }) => node)).toEqual(['greet', 'talk', 'help@1/ask'])
    const nodes = { 'help@1/ask': 'help@2/ask', talk: 'note' }
    const { walk } = moved(talked, newerCallingGraph({ nodes, unknown: 'nearest-ancestor' }))
    expect([walk.node, walk.stack]).toEqual(['greet', []])
  })

  it('[version-8] inside a call that is still there, it stays in it', () => {
    // The walk is two calls deep, and the newer version lacks the inner graph.
    const nodes = { wrap: 'round_up', 'help@1/ask': 'help@2/ask', 'deep@1/dig': 'gone' }
    const { walk } = moved(inDeep, newerCallingGraph({ nodes, unknown: 'nearest-ancestor' }))
    expect([walk.node, walk.stack]).toEqual(['help@2/ask', ['round_up']])
  })

  it('[version-8] where nothing is left, it is refused', () => {
    const to = newerCallingGraph({ nodes: { greet: 'gone' }, unknown: 'nearest-ancestor' })
    expect(migrate(startWalk(callingGraph), to)).toEqual({
      outcome: 'refused',
      error: { code: 'RESUME_UNKNOWN_NODE', node: 'greet' },
    })
  })

  it('[version-9] where a call has been dissolved, its return point is dropped and the others stay', () => {
    const nodes = { wrap: 'round_up', 'help@1/ask': 'help@2/ask' }
    const inlined = moved(inCall, newerCallingGraph({ nodes: { ...nodes, 'help@1/ask': 'chat' } })).walk
    expect([inlined.node, inlined.stack]).toEqual(['chat', []])
    const shallower = moved(inDeep, newerCallingGraph({ nodes: { ...nodes, 'deep@1/dig': 'help@2/ask' } })).walk
    expect([shallower.node, shallower.stack]).toEqual(['help@2/ask', ['round_up']])
  })

  it('[version-9] in a graph that calls itself, no return point is dropped', () => {
    const recursive = stateGraph({
      nodes: [action('greet', [choice('end_session'), choice('greet_again', 'once more', 'wrap')]), ...rest()],
    })
    const inside = tellAll(recursive, [{ picks: [{ exit: 1 }] }]).walk
    expect([inside.node, inside.stack]).toEqual(['greet_again', ['wrap']])
    expect(moved(inside, same(recursive)).walk).toMatchObject({ node: 'greet_again', stack: ['wrap'] })
  })

  it('[version-10] a behavior that is gone is released', () => {
    const hurried = tell(callingGraph, startWalk(callingGraph), { behavior: 'in-a-hurry' }).walk
    expect(hurried.behavior?.behavior).toBe('in-a-hurry')
    const { walk, trace } = moved(hurried, newerCallingGraph())
    expect([walk.behavior, walk.activations]).toEqual([null, 1])
    expect(trace).toContainEqual({ type: 'behavior-released', activation: 'behavior:1' })
    const kept = moved(hurried, same(callingGraph))
    expect(kept.walk.behavior).toEqual(hurried.behavior)
    expect(kept.trace).toEqual([{ type: 'migrated', from: 'greet', to: 'greet', version: 2 }])
  })
})

function rest() {
  return [action('greet_again', [choice('end_session')]), action('wrap', [choice('end_session')]), terminal()]
}
