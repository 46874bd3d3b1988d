import { brief } from '../core/briefing/brief.ts'
import type { Briefing, Line, NodeBrief } from '../core/briefing/briefing.ts'
import { walkOn } from '../core/walk/engine.ts'
import type { Step } from '../core/walk/event.ts'
import type { Walk } from '../core/walk/walk.ts'
import { historyBefore, notesIn } from './history.ts'
import type { Conversing } from './stage.ts'
import type { StoredTurn } from './session-store.ts'

/**
 * Opens a turn: what the walk stands like then, and what it asks for first. A turn left open by an attempt that died
 * is taken back before, with everything that was done in it.
 *
 * @throws when the walk takes no turn now, which its caller has to rule out.
 */
export function openTurn(stage: Pick<Conversing, 'info'>, walk: Walk, turn: number): Step {
  const { graph } = stage.info
  const closed = walk.open ? walkOn(graph, walk, { type: 'abort', turnId: walk.open.turnId }).walk : walk
  const opened = walkOn(graph, closed, { type: 'learner', turnId: String(turn), seq: closed.seq + 1 })
  if (!opened.walk.open) throw new Error('the walk takes no turn now')
  return opened
}

/** What the actor is told where the walk has come to, with its turn open. */
export function briefingFor(stage: Conversing, told: Told, walk: Walk, node: NodeBrief): Briefing {
  const { npc, info } = stage
  return brief({
    scenario: info.scenario,
    npc,
    modules: info.graph.modules,
    node,
    relationship: walk.relationship,
    separator: stage.separator(),
    ...told,
  })
}

/** What was said before a turn, and the message it answers. */
export interface Told {
  readonly history: readonly Line[]
  readonly said: readonly string[]
  readonly learner: string
  /** What the learner's page told of itself, with this message; null when it told nothing. */
  readonly page: string | null
}

/** Reads the log once for a whole turn: nothing is written to it before the turn's end. */
export function toldBefore({ store, npc, info }: Pick<Conversing, 'store' | 'npc' | 'info'>, turn: StoredTurn): Told {
  return {
    history: historyBefore(turn.id, store.eventsAfter(0), { npc, graph: info.graph }, notesIn(store.recorded())),
    said: store.reports().flatMap(({ information_revealed }) => information_revealed),
    learner: turn.learner,
    page: turn.page,
  }
}
