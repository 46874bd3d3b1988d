import type { RunPlace } from '../chain/runs/run-data.ts'
import type { Graph } from '../core/graph/graph.ts'
import type { Scenario } from '../core/scenario/scenario.ts'
import type { WalkEngine } from '../core/walk/engine.ts'
import type { Learner } from '../trust/learner.ts'

/**
 * The data that a conversation began with. The data is stored whole, so that a deployment changes a running
 * conversation only by a declared migration.
 */
export interface SessionInfo {
  readonly session: string
  /** The id of the conversation's log. A client with a cursor of another epoch gets the whole log. */
  readonly epoch: string
  readonly scenario: Scenario
  readonly npc: string
  readonly graph: Graph
  /** Which of the two walkers (`WalkEngine`) the conversation uses, from its beginning to its end. */
  readonly engine: WalkEngine
  /** The number that chose among the wordings ("framings") of the backbone. */
  readonly seed: number
  readonly person: 'new' | 'returning'
  /** The learner: verified by the host's server, or anonymous. */
  readonly learner: Learner
  /** The conversation's position in the chain; null if it is part of no run. */
  readonly run: RunPlace | null
  readonly createdAt: number
}

/**
 * Reads the stored data that a session began with.
 *
 * @throws if the stored graph has a shape that this version of the code does not know
 */
export function readInfo(text: string): SessionInfo {
  const info = JSON.parse(text) as SessionInfo
  if (info.graph.ir !== 2) throw new Error('this version does not know the shape of the stored graph')
  return info
}
