import * as fc from 'fast-check'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { EMPTY_REPORT, type Report } from '../../worker/core/reply/report.ts'
import type { Effect, Step, Trace, WalkEvent } from '../../worker/core/walk/event.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'

/** What the learner does. An event of a walk also has a turn id and a sequence number, which are added later. */
export type Act =
  | { act: 'turn'; report: Report; quality: 'clean' | 'missing'; asks?: boolean }
  | { act: 'choose'; choice: string }

export interface Played {
  readonly walk: Walk
  readonly steps: readonly { event: WalkEvent; before: Walk; step: Step }[]
  readonly effects: readonly Effect[]
  readonly trace: readonly Trace[]
}

/** Plays acts on a graph through `step`, one event after the other. */
export function play(graph: Graph, acts: readonly Act[], from: Walk = startWalk(graph)): Played {
  const steps: { event: WalkEvent; before: Walk; step: Step }[] = []
  let walk = from
  for (const act of acts) {
    for (const event of eventsOf(act, walk)) {
      const taken = step(graph, walk, event)
      steps.push({ event, before: walk, step: taken })
      walk = taken.walk
    }
  }
  return {
    walk,
    steps,
    effects: steps.flatMap((taken) => taken.step.effects),
    trace: steps.flatMap((taken) => taken.step.trace),
  }
}

export function eventsOf(act: Act, walk: Walk): readonly WalkEvent[] {
  const turnId = `t${walk.seq + 1}`
  const seq = walk.seq + 1
  switch (act.act) {
    case 'turn':
      return [
        { type: 'learner', turnId, seq, ...(act.asks && { hints: { goodbye: false, question: true } }) },
        { type: 'report', turnId, seq, report: act.report, quality: act.quality },
      ]
    case 'choose':
      return [{ type: 'pivot-choice', node: walk.node, choice: act.choice }]
  }
}

export function turn(satisfied: boolean, detour = false, engagement = 0): Act {
  const report = { ...EMPTY_REPORT, node_satisfied: satisfied, detour_detected: detour, engagement_score: engagement }
  return { act: 'turn', report, quality: 'clean' }
}

/** A turn in which the learner asks something, and has not satisfied the node. */
export const question: Act = { act: 'turn', report: EMPTY_REPORT, quality: 'clean', asks: true }

export const choose = (choice: string): Act => ({ act: 'choose', choice })

/** Walks to a node. On the way, each turn satisfies its node, and the learner picks the first card of each fork. */
export function walkTo(graph: Graph, node: string): Walk {
  let walk = startWalk(graph)
  for (let i = 0; i < 40 && walk.node !== node; i++) {
    const armed = walk.pivots[walk.node]?.state === 'armed'
    walk = play(graph, [armed ? choose('a') : turn(true)], walk).walk
  }
  if (walk.node !== node) throw new Error(`no way to ${node}`)
  return walk
}

export const anyReport: fc.Arbitrary<Report> = fc.record({
  emotional_state: fc.constantFrom('neutral', 'trusting', 'furious', ''),
  information_revealed: fc.array(fc.string({ maxLength: 12 }), { maxLength: 3 }),
  internal_thought: fc.string({ maxLength: 12 }),
  objective_complete: fc.constantFrom(null, 'launch-risk', 'another'),
  is_conversation_complete: fc.boolean(),
  hint_given: fc.boolean(),
  agreement_signal: fc.constantFrom('neutral', 'agree', 'disagree'),
  engagement_score: fc.constantFrom(-99, -2, -1, 0, 1, 2, 99, Number.NaN),
  node_satisfied: fc.boolean(),
  detour_detected: fc.boolean(),
  went_on: fc.boolean(),
  pivot_choice: fc.constantFrom(null, null, 'a', 'b', 'own', 'z', '__proto__'),
  learner_leaving: fc.constantFrom(false, false, false, false, true),
  document_given: fc.boolean(),
  fact_registered: fc.constant(false),
})

export const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('turn' as const),
      report: anyReport,
      quality: fc.constantFrom('clean' as const, 'missing' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('choose' as const), choice: fc.constantFrom('a', 'b', 'z') }) },
)

export const anyActs = fc.array(anyAct, { maxLength: 60 })
