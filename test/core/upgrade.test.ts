import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { scenarioSchema } from '../../sims/authoring/scenario-schema.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { lint } from '../../worker/core/graph/lint.ts'
import { EMPTY_REPORT, type ReportQuality } from '../../worker/core/reply/report.ts'
import { walkOn } from '../../worker/core/walk/engine.ts'
import type { Effect, Step, Trace, WalkEvent } from '../../worker/core/walk/event.ts'
import type { GraphV1, ScenarioV1, WalkV1 } from '../../worker/core/walk/stored-v1.ts'
import { upgradeGraph, upgradeScenario, upgradeWalk } from '../../worker/core/walk/upgrade.ts'
import type { Walk } from '../../worker/core/walk/walk.ts'

interface Stored {
  readonly info: { readonly scenario: ScenarioV1; readonly npc: string; readonly graph: GraphV1 }
  readonly forked: GraphV1
  readonly cases: readonly {
    readonly graph: 'technical' | 'forked'
    readonly walk: WalkV1
    readonly then: readonly { readonly event: string; readonly came: string }[]
  }[]
}

const stored = JSON.parse(readFileSync(path.join(import.meta.dirname, '../fixtures/stored-v1.json'), 'utf8')) as Stored
const graphs = { technical: upgradeGraph(stored.info.graph), forked: upgradeGraph(stored.forked) }

describe('reading what was stored', () => {
  it.each(stored.cases.map((one, i) => ({ ...one, name: `${i + 1}: ${one.graph} at ${one.walk.node}` })))(
    '[version-15] conversation $name goes on as it would have',
    ({ graph, walk: before, then }) => {
      let walk = upgradeWalk(before)
      for (const { event, came } of then) {
        const stepped = walkOn(graphs[graph], walk, readEvent(event, graphs[graph]))
        expect([event, lineOf(stepped)]).toEqual([event, came])
        walk = stepped.walk
      }
    },
  )

  it('[version-15] the fixture shows every decision there was, and turns stored while they were open', () => {
    const came = stored.cases.flatMap(({ then }) => then.map((one) => one.came)).join('\n')
    for (const reason of [
      'satisfied',
      'max-turns',
      'backstop',
      'pivot-choice',
      'pivot-timeout',
      'pivot-armed',
      'pivot-open',
      'gate-hold',
      'detour-grace',
      'dwell',
      'overlay key_reveal',
      'escalated',
      'PIVOT_2 > CLOSE',
      'AI_EndConversation earned',
      'AI_EndConversation forced',
    ])
      expect(came).toContain(reason)
    expect(stored.cases.filter(({ walk }) => walk.open).length).toBeGreaterThan(5)
    expect(stored.cases.some(({ walk }) => walk.open?.overlay === 'KEY_REVEAL')).toBe(true)
  })

  it('[version-15] an open turn goes back to what stood before it', () => {
    for (const { graph, walk: before } of stored.cases) {
      if (!before.open) continue
      const walk = upgradeWalk(before)
      expect(walk.open).toMatchObject(before.open)
      const { walk: after } = walkOn(graphs[graph], walk, { type: 'abort', turnId: before.open.turnId })
      expect(after).toEqual(upgradeWalk({ ...before, open: null }))
    }
  })

  it('[version-15] a graph keeps its identity and has nothing a lint would refuse', () => {
    const graph = upgradeGraph(stored.info.graph)
    const { id, version, hash, order, closing } = stored.info.graph
    expect(graph).toMatchObject({ ir: 2, id, version, hash, order, closing, returning: graph.entry })
    expect(Object.keys(graph.modules)).toEqual(['technical@1'])
    expect(lint(graph).filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('[version-15] a scenario has today’s shape, and what it said before is unchanged', () => {
    const scenario = upgradeScenario(stored.info.scenario)
    expect(scenarioSchema.safeParse(scenario).error?.issues ?? []).toEqual([])
    expect(scenario).toMatchObject(stored.info.scenario)
    expect(scenario.npcs.map(({ walk, depth, challenges }) => ({ walk, depth, challenges }))).toEqual(
      stored.info.scenario.npcs.map(() => ({ walk: 'tier', depth: [], challenges: [] })),
    )
  })

  it('[version-16] what has today’s shape is given back as it is', () => {
    const graph = upgradeGraph(stored.info.graph)
    expect(upgradeGraph(graph)).toBe(graph)
    for (const one of stored.cases) {
      const walk = upgradeWalk(one.walk)
      expect(upgradeWalk(walk)).toBe(walk)
    }
    const scenario = upgradeScenario(stored.info.scenario)
    expect(upgradeScenario(scenario)).toBe(scenario)
  })

  it('[version-16] a shape that is not known is an error', () => {
    const walk = stored.cases[0]?.walk
    expect(() => upgradeWalk({ ...walk, v: 3 } as unknown as Walk)).toThrow('the stored walk is of a shape')
    expect(() => upgradeGraph({ ...stored.info.graph, ir: 3 } as unknown as Graph)).toThrow('the stored graph is of')
  })
})

/** `report <turn> <seq> <quality> <engagement> <mood>` and whatever it claims, each a word. */
function readEvent(line: string, graph: Graph): WalkEvent {
  const [type, first = '', second = '', quality, engagement, mood = '', ...claims] = line.split(' ')
  if (type === 'learner') return { type, turnId: first, seq: Number(second) }
  if (type === 'abort') return { type, turnId: first }
  if (type === 'pivot-choice') return { type, node: first, choice: second }
  const report = {
    ...EMPTY_REPORT,
    engagement_score: Number(engagement),
    emotional_state: mood,
    node_satisfied: claims.includes('satisfied'),
    detour_detected: claims.includes('detour'),
    objective_complete: claims.includes('objective') ? graph.closing.objective.id : null,
    is_conversation_complete: claims.includes('over'),
  }
  return { type: 'report', turnId: first, seq: Number(second), report, quality: quality as ReportQuality }
}

function lineOf({ walk, effects, trace }: Step): string {
  const at = `at ${walk.node} ${walk.seq} ${walk.turns}`
  // A move is told by its decision already; it was not traced on its own then.
  const told = trace.filter(({ type }) => type !== 'moved')
  return [...told.map(traceLine), ...effects.map(effectLine), at].join('; ')
}

function traceLine(entry: Trace): string {
  switch (entry.type) {
    case 'decision':
      return `${entry.decision.reason} ${entry.decision.from} > ${entry.decision.to}`
    case 'ignored':
      return `ignored ${entry.event} ${entry.why}`
    case 'overreach':
      return `overreach ${entry.field}`
    default:
      return entry.type
  }
}

function effectLine(effect: Effect): string {
  if (effect.type === 'command') {
    const { command } = effect
    return command.name === 'AI_EndConversation' ? `${effect.id} ${command.completion}` : effect.id
  }
  if (effect.type !== 'brief') return effect.type
  const { node } = effect
  const words = [
    'brief',
    node.id,
    String(node.turns),
    node.escalated ? 'escalated' : '',
    node.isTerminal ? 'terminal' : '',
    node.pivot?.armed === true ? 'armed' : '',
    node.overlay ? `overlay ${node.overlay.source}` : '',
  ]
  return words.filter((word) => word !== '').join(' ')
}
