import type { EditorOperation } from './editor-operations.ts'
import type { Intelligence } from './intelligence.ts'
import type { ActiveEditor, ActivePipeline } from './page-context.ts'
import type { PermissionRequest, Permissions } from './permissions.ts'
import type { RoutedBy, RoutingTrace } from './routing.ts'

/**
 * The state of a conversation with an assistant. The field names are those of the source document (S4-2, S4-3), because
 * hosts read and store the state by these names. `projection.ts` decides which agent is told which field.
 */
export interface ConversationState {
  // Identity
  readonly user_id: string
  readonly conversation_id: string
  readonly session_id: string
  readonly messages: readonly ChatMessage[]
  // Coordination
  readonly current_query: string
  readonly active_agent: string | null
  readonly shared_memory: SharedMemory
  // Results
  readonly intent_classification: IntentClassification | null
  readonly agent_results: Readonly<Record<string, AgentResult>>
  readonly latest_response: string | null
  readonly chat_agent_response: string | null
  // The editor
  readonly editor_operations: readonly EditorOperation[]
  readonly manuscript_edit: ManuscriptEdit | null
  // Flow
  readonly requires_user_input: boolean
  readonly is_complete: boolean
  readonly error_state: string | null
  // Context
  readonly persona: AssistantPersona
  readonly conversation_topic: string | null
  readonly conversation_intelligence: Intelligence
  readonly metadata: ConversationMetadata
  // Autonomy
  readonly active_agent_checkpoint: string | null
  readonly orchestrator_routing_decision: RoutingDecision | null
  readonly agent_insights: Readonly<Record<string, readonly string[]>>
  readonly pending_operations: readonly PendingOperation[]
  readonly pending_permission_requests: readonly PermissionRequest[]
}

/** A message of the conversation. A tool exchange is a `call` and the `result` with the same `call`. */
export type ChatMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly agent: string; readonly text: string }
  | {
      readonly role: 'call'
      readonly agent: string
      readonly call: string
      readonly tool: string
      readonly text: string
    }
  | { readonly role: 'result'; readonly call: string; readonly tool: string; readonly text: string }

/** What agents share. The first four are always there; the others only if the page or the conversation has them. */
export interface SharedMemory {
  readonly search_results: SearchResults
  readonly conversation_context: Readonly<Record<string, string>>
  readonly agent_handoffs: readonly Handoff[]
  readonly data_sufficiency: Readonly<Record<string, boolean>>
  readonly active_editor?: ActiveEditor
  readonly pipeline_preference?: 'prefer' | 'ignore'
  readonly active_pipeline_id?: string
  readonly active_pipeline?: ActivePipeline
  readonly locked_agent?: string
  readonly permissions?: Permissions
  readonly research_findings?: Readonly<Record<string, string>>
}

/** Results of a search, by where it was made. Both lists are always there ([assistant-2]). */
export interface SearchResults {
  readonly local: readonly SearchResult[]
  readonly web: readonly SearchResult[]
}

export interface SearchResult {
  readonly title: string
  readonly url: string
  readonly text: string
}

/** One agent passing the conversation on to another. Times are milliseconds since 1970. */
export interface Handoff {
  readonly from: string
  readonly to: string
  readonly why: string
  readonly at: number
}

export interface IntentClassification {
  readonly agent: string
  /** From 0 to 1. */
  readonly confidence: number
  readonly by: 'model' | 'listener'
}

export interface AgentResult {
  readonly text: string
  readonly at: number
}

/** The changes of one reply, and how far the person has decided about them. */
export interface ManuscriptEdit {
  readonly filename: string
  readonly offered: readonly string[]
  readonly accepted: readonly string[]
  readonly rejected: readonly string[]
}

/** How the assistant speaks (S4-9). */
export interface AssistantPersona {
  readonly ai_name: string
  readonly persona_style: 'professional' | 'casual' | 'technical'
  readonly political_bias: 'neutral' | 'liberal' | 'conservative'
}

export interface ConversationMetadata {
  readonly title: string
  readonly created_at: number
  readonly updated_at: number
  readonly tags: readonly string[]
  readonly description: string
  readonly is_pinned: boolean
  readonly is_archived: boolean
}

export interface RoutingDecision {
  readonly agent: string
  readonly by: RoutedBy
  readonly trace: readonly RoutingTrace[]
}

/** An operation that waits for a permission or a result. */
export interface PendingOperation {
  readonly id: string
  readonly type: string
  readonly summary: string
  readonly permission_required: boolean
  readonly status: 'pending' | 'approved' | 'denied'
  readonly created_at: number
}
