import * as fc from 'fast-check'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { link } from '../../worker/core/graph/document/link.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import { academicScenario, lena } from './academic-scenario.ts'
import { anyHappenings, happen, type Taken } from './any-events.ts'
import { anyGraph } from './any-graph.ts'
import { coach, coachingGraph, coachingScenario } from './coaching.ts'
import { SERVED } from './corpus/implementation.ts'
import { graphOf } from './corpus/subject.ts'
import { expertScenario, tomas } from './expert-scenario.ts'
import { baseData, defectLibrary, documentFrom } from './graph-document.ts'
import { sampleNpc, sampleScenario } from './sample-scenario.ts'
import { callingGraph } from './versioned-graphs.ts'
import { walkedGraph } from './walked-conversation.ts'
import { runs } from './runs.ts'

/** A kind of graph, and the colleague who speaks in graphs of this kind. */
export interface Walked {
  readonly name: string
  readonly graphs: fc.Arbitrary<Graph>
  readonly scenario: Scenario
  readonly npc: Npc
}

/** Every backbone, with the content of a sample colleague. */
export const TIERS: readonly Walked[] = [
  tier('TECHNICAL', sampleScenario, sampleNpc),
  tier('ACADEMIC', academicScenario, lena),
  tier('EXPERT', expertScenario, tomas),
  tier('a guide', sampleScenario, { ...sampleNpc, walk: 'guide' }),
]

/** Context graphs. Some were written by hand. Others are generated, and no lint has checked these. */
const CONTEXT_GRAPHS: readonly Walked[] = [
  { name: 'a coaching session', graphs: fc.constant(coachingGraph()), scenario: coachingScenario, npc: coach },
  written('a pain visit', painVisit()),
  written('a call inside a call', callingGraph),
  written('a clinic', graphOf(SERVED, { graph: 'clinic' })),
  written('graphs that call each other', graphOf(SERVED, { graph: 'spiral' })),
]

const ANY_GRAPH: Walked = { name: 'any graph', graphs: anyGraph, scenario: sampleScenario, npc: sampleNpc }

export const EVERY_KIND: readonly Walked[] = [...TIERS, ...CONTEXT_GRAPHS, ANY_GRAPH]

/** Plays random events in graphs of one kind, with good and bad answers. Then calls `check` with each whole walk. */
export function everyWalk(
  { graphs }: Walked,
  check: (graph: Graph, taken: readonly Taken[]) => void,
  numRuns = runs('costly'),
): void {
  fc.assert(
    fc.property(graphs, anyHappenings, (graph, happenings) => check(graph, happen(graph, happenings))),
    { numRuns },
  )
}

/** Plays random events in graphs of one kind, and calls `check` with each single step. */
export function everyStep(walked: Walked, check: (graph: Graph, taken: Taken) => void, numRuns?: number): void {
  everyWalk(walked, (graph, taken) => taken.forEach((each) => check(graph, each)), numRuns)
}

function tier(name: string, scenario: Scenario, npc: Npc): Walked {
  return { name, graphs: fc.constant(walkedGraph(scenario, npc)), scenario, npc }
}

function written(name: string, graph: Graph): Walked {
  return { name, graphs: fc.constant(graph), scenario: sampleScenario, npc: sampleNpc }
}

function painVisit(): Graph {
  const linked = link(documentFrom(baseData()), { library: defectLibrary(), scenario: null, npc: null })
  if (!linked.ok) throw new Error(linked.findings.map(({ code, at, message }) => `${code} ${at} ${message}`).join('\n'))
  return linked.graph
}
