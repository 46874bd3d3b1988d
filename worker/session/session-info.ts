import type { RunPlace } from '../chain/runs/run-data.ts'
import type { Graph } from '../core/graph/graph.ts'
import type { Scenario } from '../core/scenario/scenario.ts'
import type { WalkEngine } from '../core/walk/engine.ts'
import type { Learner } from '../trust/learner.ts'

/** The data that a conversation began with. Stored whole, so that a deployment never changes a conversation under way. */
export interface SessionInfo {
  readonly session: string
  /** Names this log. A client that knows another epoch starts from nothing. */
  readonly epoch: string
  readonly scenario: Scenario
  readonly npc: string
  readonly graph: Graph
  /** Which walker walks it to its end. */
  readonly engine: WalkEngine
  /** Picked the framing. */
  readonly seed: number
  readonly person: 'new' | 'returning'
  /** The learner: verified by the host's server, or anonymous. */
  readonly learner: Learner
  /** Its place in the chain; null if it is part of no run. */
  readonly run: RunPlace | null
  readonly createdAt: number
}

/**
 * Reads what a session was begun with, as it was stored.
 *
 * @throws when a later version of this code wrote its graph in a shape that this one does not know
 */
export function readInfo(text: string): SessionInfo {
  const info = JSON.parse(text) as SessionInfo
  if (info.graph.ir !== 2) throw new Error('this version does not know the shape of the stored graph')
  return info
}
