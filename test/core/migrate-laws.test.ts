import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { targetsOf, type Graph, nodeOf, speaks, type UnknownNodePolicy } from '../../worker/core/graph/graph.ts'
import type { Trace } from '../../worker/core/walk/event.ts'
import { migrate } from '../../worker/core/walk/migrate.ts'
import { step } from '../../worker/core/walk/step.ts'
import type { Walk } from '../../worker/core/walk/walk.ts'
import { deepFreeze } from '../../worker/deep-freeze.ts'
import { graphOf } from '../support/sample-scenario.ts'
import { type Answers, tellAll } from '../support/state-events.ts'
import { callingGraph, newerBackbone, newerCallingGraph } from '../support/versioned-graphs.ts'
import { anyActs, play } from '../support/walk-events.ts'
import { IS_LONG, runs } from '../support/runs.ts'

const backbone = graphOf()
const anyPolicy = fc.constantFrom<UnknownNodePolicy>('fail', 'restart', 'nearest-ancestor')
const anyTurns: fc.Arbitrary<Answers[]> = fc.array(
  fc.record({
    picks: fc.array(fc.oneof(fc.record({ action: fc.nat(2) }), fc.record({ exit: fc.nat(2) }), fc.constant(null)), {
      maxLength: 4,
    }),
    behavior: fc.constantFrom(null, 'in-a-hurry'),
  }),
  { maxLength: 10 },
)
const RIGHT = [
  ['talk', 'chat'],
  ['wrap', 'round_up'],
  ['help@1/ask', 'help@2/ask'],
] as const
/**
 * Generates the node maps that an author might write for a migration. One map is correct; the others lack entries or
 * have wrong ones.
 */
const anyMap = fc
  .oneof(
    fc.constant(RIGHT),
    fc.subarray([
      ...RIGHT,
      ['greet', 'chat'],
      ['deep@1/dig', 'help@2/ask'],
      ['end_session', 'gone'],
      ['greet', 'note'],
    ] as const),
  )
  .map((entries): Record<string, string> => Object.fromEntries(entries))

/**
 * Generates conversations on a backbone or a context graph. In the middle, each conversation moves to a newer version
 * of its graph, and then goes on.
 */
const anyCrossing: fc.Arbitrary<{ from: Walk; to: Graph; goOn: (walk: Walk) => After }> = fc.oneof(
  fc.tuple(anyActs, anyActs, anyPolicy).map(([before, after, policy]) => {
    const to = newerBackbone(policy)
    const goOn = (walk: Walk): After => {
      const played = play(to, after, walk)
      return { walk: played.walk, trace: played.trace, events: played.steps.map(({ event }) => event) }
    }
    return { from: play(backbone, before.slice(0, 12)).walk, to, goOn }
  }),
  fc.tuple(anyTurns, anyTurns, anyPolicy, anyMap).map(([before, after, unknown, nodes]) => {
    const to = newerCallingGraph({ nodes, unknown })
    return { from: tellAll(callingGraph, before).walk, to, goOn: (walk: Walk) => tellAll(to, after, walk) }
  }),
)

type After = Pick<ReturnType<typeof tellAll>, 'walk' | 'trace' | 'events'>

const RUNS = { numRuns: runs('usual') }

describe('laws of a walk that was taken over', () => {
  it('[version-11] it stands at the image of its node or where a named policy put it, and is traced; otherwise nothing changes', () => {
    const seen = { moved: 0, elsewhere: 0, refused: 0, kept: 0 }
    fc.assert(
      fc.property(anyCrossing, ({ from, to }) => {
        const before = deepFreeze(structuredClone(from))
        const result = migrate(before, deepFreeze(structuredClone(to)))
        expect(migrate(from, to)).toEqual(result)
        seen[result.outcome] += 1
        const [migration] = to.migrations
        if (result.outcome === 'refused') {
          expect(migration?.unknown).not.toBe('restart')
          expect([from.node, ...from.stack]).toContain(result.error.node)
        }
        if (result.outcome !== 'moved') return
        const { walk, trace } = result
        expect(trace[0]).toEqual({ type: 'migrated', from: from.node, to: walk.node, version: 2 })
        expect(walk.graph).toEqual({ id: to.id, version: to.version, hash: to.hash })
        expect(speaks(nodeOf(to, walk.node))).toBe(true)
        expect(walk.visits.at(-1)?.node).toBe(walk.node)
        if (walk.visits.length === from.visits.length) {
          expect(walk.node).toBe(migration?.nodes[from.node] ?? from.node)
          return
        }
        seen.elsewhere += 1
        expect(migration?.unknown).not.toBe('fail')
        const visited = from.visits.map(({ node }) => migration?.nodes[node] ?? node)
        expect(migration?.unknown === 'restart' ? [to.entry] : visited).toContain(walk.node)
      }),
      RUNS,
    )
    if (IS_LONG) for (const times of Object.values(seen)) expect(times).toBeGreaterThan(20)
  })

  it('[version-12] it is the fold of its events, and goes on the same after being stored and read', () => {
    everyCrossing(({ walk, to, after }) => {
      let folded = walk
      for (const event of after.events) folded = step(to, JSON.parse(JSON.stringify(folded)) as Walk, event).walk
      expect(folded).toEqual(after.walk)
    })
  })

  it('[version-12] no id comes twice in the whole conversation, and none that was given out is lost', () => {
    everyCrossing(({ from, walk, after }) => {
      expect(walk.emitted).toEqual(from.emitted)
      expect(new Set(after.walk.emitted).size).toBe(after.walk.emitted.length)
    })
  })

  it('[version-12] it ends within the bounds of the newer graph', () => {
    fc.assert(
      fc.property(anyTurns, anyPolicy, anyMap, (before, unknown, nodes) => {
        const to = newerCallingGraph({ nodes, unknown })
        const result = migrate(tellAll(callingGraph, before).walk, to)
        if (result.outcome !== 'moved') return
        const { walk } = tellAll(
          to,
          Array.from({ length: to.policy.exchangeLimit ?? 0 }, () => ({})),
          result.walk,
        )
        expect(walk.end).not.toBeNull()
      }),
      RUNS,
    )
  })

  it('[version-13] later visits are joined by the newer graph, earlier ones are images, and between them stands the trace', () => {
    everyCrossing(({ from, walk, to, after }) => {
      const image = (id: string) => to.migrations[0]?.nodes[id] ?? id
      expect(walk.visits.slice(0, from.visits.length)).toEqual(
        from.visits.map((visit) => ({ ...visit, node: image(visit.node) })),
      )
      const moves = after.trace.filter((entry) => entry.type === 'moved')
      expect(moves.map((move) => move.to)).toEqual(after.walk.visits.slice(walk.visits.length).map(({ node }) => node))
      let at = walk.node
      for (const { from: left, to: entered, reason } of moves) {
        expect(left).toBe(at)
        if (reason === 'backstop' || reason === 'exchange-limit') expect(entered).toBe(to.terminal)
        else if (reason !== 'jumpback') expect(targetsOf(nodeOf(to, left))).toContain(entered)
        at = entered
      }
      expect(after.walk.node).toBe(at)
    })
  })

  it('[version-14] every return point belongs to a call of the newer graph, and the end of that call leads to it', () => {
    let returns = 0
    everyCrossing(({ walk, to, after }) => {
      walk.stack.forEach((frame, i) => {
        const inside = nodeOf(to, walk.stack[i + 1] ?? walk.node).module
        const calls = Object.values(to.nodes).flatMap(({ exits }) => exits.filter(({ returnTo }) => returnTo === frame))
        expect(calls.some((exit) => exit.to !== null && nodeOf(to, exit.to).module === inside)).toBe(true)
      })
      if (walk.stack.length === 0) expect(nodeOf(to, walk.node).module).toBe(nodeOf(to, to.terminal).module)
      expect(unwind(walk.stack, after.trace)).toEqual(after.walk.stack)
      returns += walk.stack.length > 0 && after.trace.some(({ type }) => type === 'jumpback') ? 1 : 0
    })
    expect(returns).toBeGreaterThan(IS_LONG ? 2 : 0)
  })
})

/**
 * Returns the stack (the return points of the open calls) after the steps of a trace. A call pushes its return point. A
 * return pops the last one. The backstop and the exchange limit empty the stack.
 */
function unwind(stack: readonly string[], trace: readonly Trace[]): readonly string[] {
  const left = [...stack]
  for (const entry of trace) {
    if (entry.type === 'called') left.push(entry.returnTo)
    if (entry.type === 'jumpback') expect(left.pop()).toBe(entry.to)
    if (entry.type === 'moved' && (entry.reason === 'backstop' || entry.reason === 'exchange-limit')) left.length = 0
  }
  return left
}

function everyCrossing(check: (crossed: { from: Walk; walk: Walk; to: Graph; after: After }) => void) {
  let crossed = 0
  fc.assert(
    fc.property(anyCrossing, ({ from, to, goOn }) => {
      const result = migrate(from, to)
      if (result.outcome !== 'moved') return
      crossed += 1
      check({ from, walk: result.walk, to, after: goOn(result.walk) })
    }),
    RUNS,
  )
  expect(crossed).toBeGreaterThan(runs('usual') / 4)
}
