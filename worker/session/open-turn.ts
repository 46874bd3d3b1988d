import { brief } from '../core/briefing/brief.ts'
import type { Briefing } from '../core/briefing/briefing.ts'
import { step } from '../core/walk/step.ts'
import type { Walk } from '../core/walk/walk.ts'
import { historyBefore } from './history.ts'
import type { Stage } from './stage.ts'
import type { StoredTurn } from './session-store.ts'

/** The walk with a turn opened in it. A turn left open by an attempt that died is taken back first. */
export function withTurnOpen(stage: Stage, walk: Walk, turn: number): Walk {
  return openTurn(stage, walk, turn).walk
}

/** What the actor is told for a turn that is open in the stored walk. */
export function briefingFor(stage: Stage, turn: StoredTurn): Briefing {
  const { store, npc, info, separator } = stage
  const walk = store.walk()
  const { node } = openTurn(stage, walk, turn.id)
  return brief({
    scenario: info.scenario,
    npc,
    node,
    history: historyBefore(turn.id, store.eventsAfter(0), npc),
    said: store.reports().flatMap(({ information_revealed }) => information_revealed),
    relationship: walk.relationship,
    learner: turn.learner,
    separator,
  })
}

function openTurn(stage: Stage, walk: Walk, turn: number) {
  const turnId = String(turn)
  const graph = stage.info.graph
  const closed = walk.open ? step(graph, walk, { type: 'abort', turnId: walk.open.turnId }).walk : walk
  const opened = step(graph, closed, { type: 'learner', turnId, seq: closed.seq + 1 })
  const effect = opened.effects.find(({ type }) => type === 'brief')
  if (effect?.type !== 'brief') throw new Error('the walk takes no turn now')
  return { walk: opened.walk, node: effect.node }
}
