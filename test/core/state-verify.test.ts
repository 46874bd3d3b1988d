import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Path } from '../../worker/core/graph/proof/ends.ts'
import type { Choice } from '../../worker/core/graph/proof/moves.ts'
import { type Graph, type GraphNode, nodeOf, speaks } from '../../worker/core/graph/graph.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import type { WalkEvent } from '../../worker/core/walk/event.ts'
import { levelOf } from '../../worker/core/walk/relationship.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { anyHappening, happenTurns } from '../support/any-events.ts'
import { anyGraph } from '../support/any-graph.ts'
import {
  action,
  annotation,
  choice,
  decision,
  guarded,
  recall,
  reflection,
  stateGraph,
  terminal,
} from '../support/state-graph.ts'
import { IS_LONG, runs } from '../support/runs.ts'

/** A policy without an exchange limit: only a graph's own rules end a conversation. */
const FREE = { exchangeLimit: null } as const

describe('exploration of a context graph', () => {
  it('[graph-8] finds a state that nothing but being cut short leads out of, and shows the way to it', () => {
    const graph = stateGraph({
      nodes: [
        action('greet', [choice('stuck'), choice('end_session')]),
        action('stuck', [], { actions: ['wait'] }),
        terminal(),
      ],
    })
    const { findings } = verifyGraph(graph)
    expect(codes(graph)).toEqual(['G008 /nodes/stuck'])
    expect(findings[0]?.message).toBe(
      'The end cannot be reached. See: greet hears, greet takes exit 0, stuck unsatisfied.',
    )
  })

  it('[graph-8] finds a walker that lets a gate be left by choice before it was satisfied', () => {
    const graph = gated()
    expect(verifyGraph(graph).findings).toEqual([])
    const { findings } = verifyGraph(graph, (_, walk, event) => {
      const lax = {
        ...graph,
        nodes: { ...graph.nodes, tell: { ...nodeOf(graph, 'tell'), isGate: false } as GraphNode },
      }
      return step(event.type === 'learner' || event.type === 'selection' ? lax : graph, walk, event)
    })
    expect(findings.map(({ code, at }) => `${code} ${at}`)).toContain('G036 /nodes/tell')
  })

  it('[graph-8] finds walks that go round for ever by choice, unless a limit ends them', () => {
    const round = (exchangeLimit: number | null) =>
      stateGraph({
        nodes: [action('a', [choice('b'), choice('end_session')]), action('b', [choice('a')]), terminal()],
        policy: { exchangeLimit },
      })
    expect(codes(round(null))).toEqual(['G009 /nodes/a'])
    expect(verifyGraph(round(null)).longest.exchanges).toBe(Number.POSITIVE_INFINITY)
    const limited = verifyGraph(round(7))
    expect(limited.findings).toEqual([])
    expect(limited.longest).toMatchObject({ exchanges: 8, isCutByLimit: true })
    expect(limited.shortest).toMatchObject({ exchanges: 1, isCutByLimit: false })
  })

  it('[graph-8] takes the backstop into account: without moving on a walk ends', () => {
    const graph = stateGraph({ nodes: [action('greet', [choice('end_session')]), terminal()], policy: FREE })
    const { longest, shortest, states, findings } = verifyGraph(graph)
    expect([findings, shortest.exchanges, longest.exchanges]).toEqual([[], 1, 7])
    // There are nine states. In six of them the walk is at the greeting, after zero to five exchanges. One state is the
    // end to which the backstop (too many exchanges without a move) leads. In the other two, the conversation is over,
    // in two different ways.
    expect(states).toBe(6 + 1 + 2)
  })

  it('[graph-8] follows calls in and returns out, as often as they nest', () => {
    const graph = nested(2)
    const { findings, shortest, longest } = verifyGraph(graph)
    expect(findings).toEqual([])
    expect(shortest.exchanges).toBe(1)
    expect(shortest.moves.map(({ event }) => event.type)).toEqual(['speak', 'select', 'select', 'exchange'])
    // The greeting has five exchanges, the first call five, and the call inside it six, because the backstop ends the
    // conversation at the sixth. The goodbye is one more.
    expect(longest.exchanges).toBe(5 + 5 + 6 + 1)
  })

  it('[graph-8] begins at both entries: what only somebody who comes back can get into is found as well', () => {
    const graph = stateGraph({
      nodes: [
        action('greet', [choice('end_session')]),
        action('welcome_back', [choice('catch_up'), choice('end_session')]),
        action('catch_up', [choice('welcome_back')]),
        terminal(),
      ],
      returning: 'welcome_back',
      policy: FREE,
    })
    expect(codes(graph)).toEqual(['G009 /nodes/welcome_back'])
    const slower = stateGraph({
      nodes: [action('greet', [choice('end_session')]), action('welcome_back', [choice('greet')]), terminal()],
      returning: 'welcome_back',
      policy: FREE,
    })
    expect(verifyGraph(slower).longest.exchanges).toBe(6 + 5 + 1)
  })

  it('[graph-8] [walk-19] tries every level a condition tells apart, not only the coldest and the warmest', () => {
    const graph = stateGraph({
      nodes: [
        action(
          'greet',
          [
            {
              ...guarded('aside'),
              when: {
                all: [{ relationship: { atLeast: 'guarded' } }, { not: { relationship: { atLeast: 'cooperative' } } }],
              },
            },
            guarded('end_session'),
          ],
          { maxTurns: 1, actions: [] },
        ),
        action('aside', [], { actions: [] }),
        terminal(),
      ],
    })
    expect(codes(graph)).toEqual(['G008 /nodes/aside'])
  })

  it('[graph-8] [walk-32] keeps apart what a loop of silent nodes goes back to: no exchange that it takes back is forgotten', () => {
    const graph = stateGraph({
      nodes: [
        action('a', [choice('weigh')]),
        decision('weigh', [choice('look'), choice('end_session')]),
        recall('look', guarded('think')),
        reflection('think', guarded('weigh')),
        terminal(),
      ],
      policy: FREE,
    })
    const { findings, longest } = verifyGraph(graph)
    expect(findings).toEqual([])
    expect(longest.exchanges).toBe(7)
  })

  it('[graph-8] [walk-18] a reply that leads into a loop again and again ends by the backstop', () => {
    const graph = stateGraph({
      nodes: [
        action('a', [guarded('n'), choice('end_session')], { maxTurns: 1, minTurns: 1 }),
        annotation('n', guarded('m')),
        annotation('m', guarded('n')),
        terminal(),
      ],
      policy: FREE,
    })
    const { findings, longest } = verifyGraph(graph)
    expect(findings).toEqual([])
    expect(longest.exchanges).toBe(7)
  })

  it.runIf(IS_LONG)('[graph-9] a graph that can stand in too many ways is refused, not half proven', () => {
    const graph = stateGraph({
      nodes: [action('greet', [choice('end_session')]), terminal()],
      policy: { exchangeLimit: null, stallBackstop: 40_000 },
    })
    const { findings, states } = verifyGraph(graph)
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([['G038', 'error']])
    expect(states).toBeGreaterThan(10_000)
    const within = { ...graph, policy: { ...graph.policy, stallBackstop: 200 } }
    expect(verifyGraph(within).findings).toEqual([])
  })

  it.each([
    ['one state', stateGraph({ nodes: [action('greet', [choice('end_session')]), terminal()] }), 9],
    ['a gate', gated(), 32],
    ['calls two deep', nested(2), 19],
    ['calls eight deep', nested(8), 49],
  ])('[graph-8] %s: the situations between two turns are counted', (_, graph, states) => {
    expect(verifyGraph(graph).states).toBe(states)
  })
})

describe('the bounds of a sound graph', () => {
  it('[walk-3] [graph-8] no play outlasts the bound, whichever entry it begins at, and the shortest way can be walked', () => {
    const plays = fc.array(fc.array(anyHappening, { minLength: 5, maxLength: 20 }), { minLength: 2, maxLength: 2 })
    fc.assert(
      fc.property(anyGraph, plays, (made, all) => {
        const graph = withWaysOut(made)
        const { findings, longest, shortest } = verifyGraph(graph)
        fc.pre(findings.length === 0)
        for (const happenings of all)
          for (const person of ['new', 'returning'] as const) {
            const taken = happenTurns(graph, happenings, longest.exchanges + 3, startWalk(graph, person))
            const walk = taken.at(-1)?.step.walk
            expect(walk?.end).not.toBeNull()
            expect(walk?.seq).toBeLessThanOrEqual(longest.exchanges)
          }
        if (shortest.exchanges > (graph.policy.exchangeLimit ?? shortest.exchanges)) return
        const walk = replay(graph, shortest)
        expect([walk.end === null, walk.seq]).toEqual([false, shortest.exchanges])
      }),
      { numRuns: runs('costly') },
    )
  }, 120_000)

  it('[graph-8] the longest way of a graph that no limit cuts short can be walked too', () => {
    fc.assert(
      fc.property(anyGraph, (made) => {
        const graph = withWaysOut({ ...made, policy: { ...made.policy, exchangeLimit: null } })
        const { findings, longest } = verifyGraph(graph)
        fc.pre(findings.length === 0)
        const walk = replay(graph, longest)
        expect([walk.end === null, walk.seq]).toEqual([false, longest.exchanges])
      }),
      { numRuns: runs('costly') },
    )
  }, 120_000)
})

/**
 * Returns the graph with an additional exit from every speaking node. The exit leads to the terminal of the node's own
 * module.
 */
function withWaysOut(graph: Graph): Graph {
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const end = graph.modules[node.module]?.terminal ?? graph.terminal
    if (!speaks(node) || id === end) return [id, node] as const
    const out = node.kind === 'pivot' ? guarded(end) : choice(end)
    return [id, { ...node, exits: [...node.exits, { ...out, id: 'out' }] }] as const
  })
  return { ...graph, nodes: Object.fromEntries(nodes) }
}

function codes(graph: Graph): readonly string[] {
  return verifyGraph(graph).findings.map(({ code, at }) => `${code} ${at}`)
}

/** Returns a graph with a gate. The gate has two exits, and only the end follows after them. */
function gated(): Graph {
  return stateGraph({
    nodes: [
      action('tell', [choice('listen'), choice('end_session')], { isGate: true, satisfyWhen: 'they know' }),
      action('listen', [choice('end_session')]),
      terminal(),
    ],
  })
}

/** Returns a graph that calls itself. The calls may be nested at most `depth` deep. */
function nested(depth: number): Graph {
  const inside = { silentSteps: 16, hops: depth + 4, depth, behaviorPatience: 2 }
  return stateGraph({
    nodes: [
      action('greet', [choice('sub@1/ask', 'ask', 'end_session')]),
      terminal(),
      action('sub@1/ask', [choice('sub@1/ask', 'deeper', 'sub@1/done'), choice('sub@1/done')]),
      terminal('sub@1/done'),
    ],
    modules: { 'sub@1': { terminal: 'sub@1/done' } },
    policy: { inside, exchangeLimit: 80 },
  })
}

/** Plays a path that the exploration found. Gives the walk the relationship scores that the exploration assumed. */
function replay(graph: Graph, { moves }: Path): Walk {
  const person = moves[0]?.node === graph.entry ? 'new' : 'returning'
  let walk = startWalk(graph, person)
  for (const { event } of moves) {
    if ('score' in event) {
      const { score } = event
      walk = { ...walk, relationship: { score, level: levelOf(score, graph.policy.relationship) } }
    }
    for (const happening of eventsOf(graph, walk, event)) walk = step(graph, walk, happening).walk
  }
  return walk
}

function eventsOf(graph: Graph, walk: Walk, event: Choice): readonly WalkEvent[] {
  const turnId = walk.open?.turnId ?? `turn ${walk.seq + 1}`
  const seq = walk.seq + 1
  const at = { turnId, request: walk.open?.waiting?.request ?? '' }
  const node = nodeOf(graph, walk.node)
  switch (event.type) {
    case 'resume':
      return [{ type: 'resume' }]
    case 'speak':
      return [{ type: 'learner', turnId, seq }]
    case 'choose':
      return [{ type: 'pivot-choice', node: walk.node, choice: event.choice }]
    case 'select':
      if (walk.open?.waiting?.for === 'behavior') return [{ type: 'behavior', ...at, behavior: null }]
      return [{ type: 'selection', ...at, pick: event.exit === null ? { action: 0 } : { exit: event.exit } }]
    case 'recall': {
      const queries = node.kind === 'recall' ? node.queries : null
      const asked = queries?.filter((query) => !walk.queries.includes(query)) ?? [`written ${walk.queries.length}`]
      const memories = asked.map((query) => ({ query, found: event.found ? ['it'] : [] }))
      return [{ type: 'memories', ...at, memories }]
    }
    case 'reflect':
      return [{ type: 'reflection', ...at, text: 'so' }]
    case 'exchange': {
      const report = { ...EMPTY_REPORT, node_satisfied: event.satisfied, detour_detected: event.detour }
      const reported: WalkEvent = { type: 'report', turnId, seq, report, quality: 'clean' }
      return walk.open ? [reported] : [{ type: 'learner', turnId, seq }, reported]
    }
  }
}
