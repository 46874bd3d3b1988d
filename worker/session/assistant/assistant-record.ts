import type { ConversationState, SharedMemory } from '../../core/assistant/conversation-state.ts'
import { NO_INTELLIGENCE } from '../../core/assistant/intelligence.ts'
import { NO_PERMISSIONS } from '../../core/assistant/permissions.ts'
import type { Need, Told, ToldReason } from '../../core/assistant/projection.ts'
import type { RoutedBy, RoutingTrace } from '../../core/assistant/routing.ts'
import type { ToolCall } from '../../core/assistant/tools.ts'
import type { Walk } from '../../core/walk/walk.ts'
import type { SessionInfo } from '../session-info.ts'

/** What a session of an assistant stores besides its log: the state without what the log has, and each agent's walk. */
export interface AssistantRecord {
  readonly v: 1
  readonly state: StoredState
  readonly walks: Readonly<Record<string, Walk>>
  /** Who answers the turn that runs, or the last one. */
  readonly turn: RoutedTurn | null
  /** The tool calls of earlier turns that are over, the latest last. Only the agent that made one is told of it. */
  readonly exchanges: readonly Exchange[]
}

/** A tool call of an earlier turn. A long result is cut. */
export interface Exchange {
  readonly turn: number
  readonly agent: string
  readonly call: ToolCall
}

/** The state without the messages and the query, which are in the log, and without the page, which has its own table. */
export type StoredState = Omit<ConversationState, 'messages' | 'current_query'>

/** Who answers a turn, and why. Stored before the agent speaks, so that a new attempt has the same agent. */
export interface RoutedTurn {
  readonly id: number
  readonly agent: string
  readonly by: RoutedBy
  readonly query: string
  readonly trace: readonly RoutingTrace[]
  /** The tools used in this turn, in order. Only the last one can be open. */
  readonly calls: readonly ToolCall[]
  /** The agent to which this turn's agent has handed the conversation over; missing if it has not. */
  readonly handedTo?: string
}

/** What was sent in one step of a turn, for the operator: the parts with the reason for each, and what was left out. */
export interface ToldRecord {
  readonly turn: number
  readonly attempt: number
  /** `classifier`: who should answer. `tool`: whether a tool is needed. `nobody`: nobody was asked anything. */
  readonly step: 'classifier' | 'tool' | 'reply' | 'nobody'
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number
  /** The agent that was told; null for the classifier. */
  readonly agent: string | null
  readonly by: RoutedBy
  readonly trace: readonly RoutingTrace[]
  readonly because: readonly ToldReason[]
  readonly leftOut: readonly ToldReason[]
  /** What the agent's file does not ask for, so that it was not told; missing for the classifier. */
  readonly withheld?: readonly Need[]
  readonly bytes: number
  /** Exactly what was told. */
  readonly told: Partial<Told>
}

/** What was sent in some of a conversation's turns, and in which turns something was sent. */
export interface ToldTurns {
  readonly turns: readonly number[]
  readonly told: readonly ToldRecord[]
}

const EMPTY_MEMORY: SharedMemory = {
  search_results: { local: [], web: [] },
  conversation_context: {},
  agent_handoffs: [],
  data_sufficiency: {},
  permissions: NO_PERMISSIONS,
}

/** Returns the record of a session that has just begun. */
export function newAssistantRecord({ session, learner, run, scenario, createdAt }: SessionInfo): AssistantRecord {
  const { assistant, title } = scenario
  return {
    v: 1,
    walks: {},
    turn: null,
    exchanges: [],
    state: {
      user_id: learner.id,
      conversation_id: run?.id ?? session,
      session_id: session,
      active_agent: null,
      shared_memory: EMPTY_MEMORY,
      intent_classification: null,
      agent_results: {},
      latest_response: null,
      chat_agent_response: null,
      editor_operations: [],
      manuscript_edit: null,
      requires_user_input: true,
      is_complete: false,
      error_state: null,
      persona: assistant?.persona ?? { ai_name: '', persona_style: 'professional', political_bias: 'neutral' },
      conversation_topic: null,
      conversation_intelligence: NO_INTELLIGENCE,
      metadata: {
        title,
        created_at: createdAt,
        updated_at: createdAt,
        tags: [],
        description: '',
        is_pinned: false,
        is_archived: false,
      },
      active_agent_checkpoint: null,
      orchestrator_routing_decision: null,
      agent_insights: {},
      pending_operations: [],
      pending_permission_requests: [],
    },
  }
}
