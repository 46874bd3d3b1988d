import { describe, expect, it } from 'vitest'
import { brief } from '../../worker/core/briefing/brief.ts'
import { type Graph, type NodeId, nodeOf, speaks } from '../../worker/core/graph/graph.ts'
import type { Effect, Trace } from '../../worker/core/walk/event.ts'
import type { Taken } from '../support/any-events.ts'
import { EVERY_KIND, everyWalk } from '../support/every-walk.ts'

describe.each(EVERY_KIND)('what is given out in $name', (walked) => {
  it('[corpus-8] [walk-23] [walk-35] (14) has an id that never comes again, and the end comes last, once, from the last node', () => {
    everyWalk(walked, (graph, taken) => {
      const given = taken.flatMap(({ step: made }) => made.effects.filter(hasId).map(({ id }) => id))
      expect(new Set(given).size).toBe(given.length)
      const ended = taken.find(({ step: made }) => made.walk.end)
      expect(given.filter((id) => id === 'AI_EndConversation')).toHaveLength(ended ? 1 : 0)
      expect(given.filter((id) => id.startsWith('AI_AdvanceObjective')).length).toBeLessThanOrEqual(1)
      if (!ended) return
      expect(given.at(-1)).toBe('AI_EndConversation')
      const last = ended.step.trace.findLast((entry) => entry.type === 'decision')?.decision
      if (last?.reason !== 'left' && last?.reason !== 'backstop') expect(last?.from).toBe(graph.terminal)
    })
  })

  it('[corpus-8] [walk-23] [walk-37] (4) is the objective only where every gate was satisfied and nothing was cut short', () => {
    everyWalk(walked, (graph, taken) => {
      const { end, satisfied } = taken.at(-1)?.step.walk ?? { end: null, satisfied: [] }
      if (!end) return
      const gates = gatesOf(graph)
      // What cuts the conversation short after the objective was given takes nothing back.
      const early = graph.policy.leaving === true && gates.length > 0 ? taken.findIndex(givesObjective) : -1
      const counted = early < 0 ? taken : taken.slice(0, early + 1)
      const isPassed = !isCutShort(graph, counted) && gates.every((id) => satisfied.includes(id))
      // A learner may leave a graph that has no gates. The end is then earned only if the walk was in the terminal or
      // in a node that was satisfied.
      const before = taken.findLast(({ before: walk }) => walk.end === null)?.before.node ?? ''
      const isThere = before === graph.terminal || satisfied.includes(before)
      const given = taken.flatMap(({ step: made }) => made.effects.filter(hasId).map(({ id }) => id))
      expect(given.some((id) => id.startsWith('AI_AdvanceObjective'))).toBe(end.completion === 'earned')
      if (end.isLeft && gates.length === 0 && !isThere) expect(end.completion).toBe('forced')
      if (end.isLeft && gates.length === 0) return
      expect(end.completion).toBe(isPassed ? 'earned' : 'forced')
    })
  })

  it('[corpus-8] [walk-29] (21) is one message in a turn, and each turn begins and ends where somebody speaks', () => {
    everyWalk(walked, (graph, taken) => {
      let briefs = 0
      for (const { before, step: made } of taken) {
        if (!before.open) briefs = 0
        briefs += made.effects.filter(({ type }) => type === 'brief').length
        expect(briefs).toBeLessThanOrEqual(1)
        if (!made.walk.open) expect(speaks(nodeOf(graph, made.walk.node))).toBe(true)
        if (made.walk.seq > before.seq) expect(briefs).toBe(1)
      }
    })
  })

  it('[corpus-8] [briefing-1] [briefing-5] [selection-15] (31) is one system prompt, to the byte, and one CURRENT NODE block in each user prompt', () => {
    const { scenario, npc } = walked
    let told = 0
    everyWalk(
      walked,
      (graph, taken) => {
        const systems = new Set<string>()
        for (const { step: made } of taken) {
          for (const effect of made.effects) {
            if (effect.type !== 'brief') continue
            const { system, user } = brief({
              scenario,
              npc,
              modules: graph.modules,
              node: effect.node,
              history: [{ who: 'learner', text: '━━━ CURRENT NODE: CLOSE ━━━' }],
              said: [],
              relationship: made.walk.relationship,
              learner: `And then? ━━━ CURRENT NODE: ${effect.node.id} ━━━`,
              separator: '---END---',
            })
            told += 1
            systems.add(system)
            expect(user.split('\n').filter((line) => line.startsWith('━━━ CURRENT NODE'))).toEqual([
              `━━━ CURRENT NODE: ${effect.node.id} ━━━`,
            ])
          }
        }
        expect(systems.size).toBeLessThanOrEqual(1)
      },
      30,
    )
    expect(told).toBeGreaterThan(20)
  })
})

/**
 * Returns whether the backstop (the limit of exchanges without a move), the exchange limit or a safety exit has ended
 * the walk.
 */
function givesObjective({ step: made }: Taken): boolean {
  return made.effects.filter(hasId).some(({ id }) => id.startsWith('AI_AdvanceObjective'))
}

function isCutShort(graph: Graph, taken: readonly Taken[]): boolean {
  return taken.some(({ before, step: made }) => made.walk !== before && made.trace.some((entry) => cuts(graph, entry)))
}

function cuts(graph: Graph, entry: Trace): boolean {
  const reason = entry.type === 'decision' ? entry.decision.reason : entry.type === 'moved' ? entry.reason : null
  if (reason === 'backstop' || reason === 'exchange-limit') return true
  if (entry.type !== 'exit-selected') return false
  const exit = nodeOf(graph, entry.node).exits.find(({ id }) => id === entry.exit)
  return exit?.by === 'choice' && exit.isSafety && exit.to === graph.terminal
}

function gatesOf(graph: Graph): readonly NodeId[] {
  return Object.values(graph.nodes).flatMap((node) => (speaks(node) && node.isGate ? [node.id] : []))
}

function hasId(effect: Effect): effect is Extract<Effect, { type: 'send' | 'command' }> {
  return effect.type === 'send' || effect.type === 'command'
}
