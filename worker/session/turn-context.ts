import { brief } from '../core/briefing/brief.ts'
import type { Told } from '../core/assistant/projection.ts'
import { type ToolCall, usedLine } from '../core/assistant/tools.ts'
import type { Brought } from '../core/briefing/brought.ts'
import type { Briefing, HistoryLine, NodeBrief } from '../core/briefing/briefing.ts'
import type { Walk } from '../core/walk/walk.ts'
import { historyBefore, notesIn } from './history.ts'
import type { ConverseDeps, Used } from './turn-deps.ts'
import type { StoredTurn } from './turn.ts'

/** Returns the briefing for a walk with an open turn, at its current node. */
export function briefingFor(deps: ConverseDeps, context: TurnContext, walk: Walk, node: NodeBrief): Briefing {
  const { npc, info } = deps
  return brief({
    scenario: info.scenario,
    npc,
    modules: info.graph.modules,
    node,
    relationship: walk.relationship,
    separator: deps.separator(),
    ...context,
  })
}

/**
 * The history before a turn, the points that the colleague has revealed in that history, and the message that the turn
 * answers.
 */
export interface TurnContext {
  readonly history: readonly HistoryLine[]
  readonly said: readonly string[]
  readonly learner: string
  /** True if the last report said that the learner had changed the subject. */
  readonly strayed: boolean
  /** What the embedding page said about itself (`data-page`) with the learner's message; null if it said nothing. */
  readonly page: string | null
  /**
   * What the colleague is told about the learner's other conversations; null for nothing; missing for work other than a
   * reply.
   */
  readonly brought?: Brought | null
  /** For an agent of an assistant: exactly what the agent may know. */
  readonly told?: Told
  /** The tools that were used for this reply, in a state of a context graph. */
  readonly used?: readonly ToolCall[]
}

/** Returns the messages that an agent is told, as lines of a transcript. */
function toldHistory({ messages }: Told): readonly HistoryLine[] {
  return messages.map((message): HistoryLine =>
    message.role === 'user'
      ? { who: 'learner', text: message.text }
      : message.role === 'assistant'
        ? { who: 'npc', text: message.text }
        : { who: 'marker', text: `${message.role} of ${message.tool}: ${message.text}` },
  )
}

/** Returns a turn's context with the tools that were used for its reply. */
export function withUsed(context: TurnContext, { used, told }: Used): TurnContext {
  if (told) return { ...context, told, history: toldHistory(told), used }
  const lines = used.map((call): HistoryLine => ({ who: 'marker', text: `for what they say now: ${usedLine(call)}` }))
  return { ...context, history: [...context.history, ...lines], used }
}

/**
 * Reads a turn's context from the log. One read is enough for the whole turn, because no event is written to the log
 * before the turn's end.
 */
export function turnContextOf(
  { store, npc, info, told }: Pick<ConverseDeps, 'store' | 'npc' | 'info' | 'told'>,
  turn: StoredTurn,
): TurnContext {
  const reports = store.reports()
  if (told)
    return { history: toldHistory(told), strayed: false, said: [], learner: told.current_query, page: null, told }
  return {
    history: historyBefore(turn.id, store.eventsAfter(0), { npc, graph: info.graph }, notesIn(store.recorded())),
    strayed: reports.at(-1)?.detour_detected ?? false,
    said: reports.flatMap(({ information_revealed }) => information_revealed),
    learner: turn.learner,
    page: turn.page,
  }
}
