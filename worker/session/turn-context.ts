import { brief } from '../core/briefing/brief.ts'
import type { Briefing, Line, NodeBrief } from '../core/briefing/briefing.ts'
import type { Walk } from '../core/walk/walk.ts'
import { historyBefore, notesIn } from './history.ts'
import type { ConverseDeps } from './turn-deps.ts'
import type { StoredTurn } from './turn.ts'

/** What the actor is told where the walk has come to, with its turn open. */
export function briefingFor(deps: ConverseDeps, told: TurnContext, walk: Walk, node: NodeBrief): Briefing {
  const { npc, info } = deps
  return brief({
    scenario: info.scenario,
    npc,
    modules: info.graph.modules,
    node,
    relationship: walk.relationship,
    separator: deps.separator(),
    ...told,
  })
}

/** What was said before a turn, and the message it answers. */
export interface TurnContext {
  readonly history: readonly Line[]
  readonly said: readonly string[]
  readonly learner: string
  /** What the learner's page told of itself, with this message; null when it told nothing. */
  readonly page: string | null
}

/** Reads the log once for a whole turn: nothing is written to it before the turn's end. */
export function toldBefore(
  { store, npc, info }: Pick<ConverseDeps, 'store' | 'npc' | 'info'>,
  turn: StoredTurn,
): TurnContext {
  return {
    history: historyBefore(turn.id, store.eventsAfter(0), { npc, graph: info.graph }, notesIn(store.recorded())),
    said: store.reports().flatMap(({ information_revealed }) => information_revealed),
    learner: turn.learner,
    page: turn.page,
  }
}
