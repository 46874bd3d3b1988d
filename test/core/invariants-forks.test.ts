import { describe, expect, it } from 'vitest'
import { type Graph, nodeOf, speaks, type Guard } from '../../worker/core/graph/graph.ts'
import type { Effect } from '../../worker/core/walk/event.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { EVERY_KIND, everyStep, everyWalk } from '../support/every-walk.ts'

describe.each(EVERY_KIND)('forks and overlays in $name', (walked) => {
  it('[corpus-8] [walk-12] (10) a fork is put once in a visit, with one command', () => {
    everyWalk(walked, (graph, taken) => {
      const asked = taken.flatMap(({ step: made }) => made.effects.filter(isPivotMoment))
      // One reply may serve two nodes. The walk then comes to the fork and arms it in the same turn.
      const armed = taken.flatMap(({ step: { trace, walk } }) =>
        trace.flatMap((entry) =>
          entry.type === 'decision' && entry.decision.reason === 'pivot-armed'
            ? [{ node: entry.decision.from, visit: walk.visits.length }]
            : [],
        ),
      )
      expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length)
      expect(asked.map(({ command }) => command.name === 'AI_PivotMoment' && command.pivot)).toEqual(
        armed.map(({ node }) => node),
      )
      expect(new Set(armed.map(({ visit }) => visit)).size).toBe(armed.length)
      for (const { node } of armed) expect(nodeOf(graph, node).kind).toBe('pivot')
    })
  })

  it('[corpus-8] [walk-20] (10) a choice where none was put, or of something else, changes nothing', () => {
    everyStep(walked, (graph, { step: made }) => {
      const { walk } = made
      const isArmed = walk.pivots[walk.node]?.state === 'armed' && walk.open === null && walk.end === null
      const wrong = isArmed ? ['c', 'constructor', ''] : ['a', 'b', '__proto__']
      for (const choice of wrong) {
        const picked = step(graph, walk, { type: 'pivot-choice', node: walk.node, choice })
        expect(picked.walk).toBe(walk)
        expect(picked.trace.map(({ type }) => type)).toEqual(['ignored'])
      }
    })
  })

  it('[corpus-8] [walk-20] (11) a choice takes no exchange and no dwell', () => {
    everyStep(walked, (_, { event, before, step: made }) => {
      if (event.type !== 'pivot-choice' || made.walk === before) return
      expect(made.walk.seq).toBe(before.seq)
      expect(made.walk.visits.slice(0, before.visits.length)).toEqual(before.visits)
      if (!made.walk.end && made.walk.visits.length > before.visits.length)
        expect([made.walk.turns, made.walk.stall]).toEqual([0, 0])
    })
  })

  it('[corpus-8] [walk-22] (12) an overlay opens once, only while its condition holds, and moves nothing', () => {
    everyWalk(walked, (graph, taken) => {
      let shown = startWalk(graph).overlays
      for (const { event, before, step: made } of taken) {
        const brief = made.effects.find((effect) => effect.type === 'brief')
        const node = brief?.type === 'brief' ? nodeOf(graph, brief.node.id) : null
        if (brief?.type === 'brief' && brief.node.overlay && node && speaks(node) && node.overlay) {
          expect(made.walk.overlays).not.toContain(node.overlay.id)
          expect(isTrue(graph, node.overlay.when, made.walk)).toBe(true)
          expect(made.walk.node).toBe(node.id)
        }
        if (made.walk.overlays.length > before.overlays.length) expect(event.type).toBe('report')
        expect(new Set(made.walk.overlays).size).toBe(made.walk.overlays.length)
        expect(made.walk.overlays.slice(0, shown.length)).toEqual(shown)
        shown = made.walk.overlays
      }
    })
  })

  it('[corpus-8] [walk-22] (12) what is shown in a node decides nothing', () => {
    everyWalk(walked, (graph, taken) => {
      const bare = { ...graph, nodes: withoutOverlays(graph) }
      let walk = startWalk(bare)
      for (const { event, step: made } of taken) {
        walk = step(bare, walk, event).walk
        expect([walk.node, walk.seq, walk.stack, walk.end]).toEqual([
          made.walk.node,
          made.walk.seq,
          made.walk.stack,
          made.walk.end,
        ])
      }
    })
  })
})

function withoutOverlays(graph: Graph): Graph['nodes'] {
  return Object.fromEntries(
    Object.entries(graph.nodes).map(([id, node]) => [id, speaks(node) ? { ...node, overlay: null } : node]),
  )
}

function isPivotMoment(effect: Effect): effect is Extract<Effect, { type: 'command' }> {
  return effect.type === 'command' && effect.command.name === 'AI_PivotMoment'
}

/**
 * Evaluates an overlay's condition. A condition is a relationship level, a satisfied node, or a combination of
 * conditions.
 */
function isTrue(graph: Graph, guard: Guard, walk: Walk): boolean {
  if ('all' in guard) return guard.all.every((part) => isTrue(graph, part, walk))
  if ('any' in guard) return guard.any.some((part) => isTrue(graph, part, walk))
  if ('not' in guard) return !isTrue(graph, guard.not, walk)
  if ('satisfied' in guard) return walk.satisfied.includes(guard.satisfied)
  const least = graph.policy.relationship.levels.find(({ level }) => level === guard.relationship.atLeast)
  return least !== undefined && walk.relationship.score >= least.from
}
