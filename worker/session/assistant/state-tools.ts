import { callMessages, type ToolSpec } from '../../core/assistant/tools.ts'
import type { Told } from '../../core/assistant/projection.ts'
import type { Graph } from '../../core/graph/graph.ts'
import type { ConverseDeps, StateUse, TurnDeps, Used } from '../turn-deps.ts'
import type { StoredTurn } from '../turn.ts'
import { type AssistantRecord, newAssistantRecord } from './assistant-record.ts'
import { dropOpenCalls, useTools } from './tool-calls.ts'

/**
 * Returns the dependencies of a turn in which the states of a context graph may use their tools.
 *
 * @param alive says that the turn makes progress
 */
export function withStateTools(deps: TurnDeps, alive = () => {}): ConverseDeps {
  const { info, npc } = deps
  return {
    ...deps,
    useTools: (use, signal) => {
      beginUse(deps, use.turn)
      const tellOf = (record: AssistantRecord) => {
        alive()
        return toldOf(info.learner.id, use.turn, record)
      }
      return useStateTools(deps, { ...use, agent: npc }, tellOf, signal)
    },
  }
}

/**
 * Uses the tools of a state before its reply: those that the message's page says it runs, and those of the deployment.
 * Returns the calls of the turn, also those of an earlier attempt.
 */
export async function useStateTools(
  deps: TurnDeps,
  use: StateUse & { readonly agent: { readonly id: string } },
  tellOf: (record: AssistantRecord) => Told,
  signal: AbortSignal,
): Promise<'parked' | 'aborted' | Used> {
  const tools = toolsAtHand(deps, use.turn, use.tools)
  const outcome = await useTools(deps, { ...use, tools }, tellOf, signal)
  if (outcome !== 'ready') return outcome
  const routed = deps.store.assistant.read()?.turn
  return { used: routed?.id === use.turn.id ? routed.calls : [] }
}

/** Returns those of the tools that can be run for a message: by its page, or by the deployment. */
export function toolsAtHand(deps: TurnDeps, { context }: StoredTurn, tools: readonly ToolSpec[]): readonly ToolSpec[] {
  const page = context ? deps.store.assistant.page(context) : null
  return tools.filter(({ name, runs }) => (runs === 'page' ? page?.tools?.includes(name) : 'callTool' in deps))
}

/** Returns true if a state of the graph may have something done by the page. */
export function asksPage({ nodes }: Graph): boolean {
  return Object.values(nodes).some((node) => 'tools' in node && node.tools?.some(({ runs }) => runs === 'page'))
}

/** Begins the record of the turn's calls. What waited in an earlier turn is over. */
function beginUse({ store, info, npc }: TurnDeps, { id, learner }: StoredTurn): void {
  const before = store.assistant.read() ?? newAssistantRecord(info)
  if (before.turn?.id === id) return
  const turn = { id, agent: npc.id, by: 'default', query: learner, trace: [], calls: [] } as const
  store.assistant.write({ ...dropOpenCalls(before), turn })
}

function toldOf(learner: string, turn: StoredTurn, { state, turn: routed }: AssistantRecord): Told {
  return {
    messages: callMessages(routed?.agent ?? '', routed?.calls ?? []),
    user_id: learner,
    current_query: turn.learner,
    persona: state.persona,
    active_agent: null,
    conversation_topic: null,
    shared_memory: {},
  }
}
