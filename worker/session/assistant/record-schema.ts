import * as z from 'zod'
import { NO_INTELLIGENCE } from '../../core/assistant/intelligence.ts'
import { NO_PERMISSIONS } from '../../core/assistant/permissions.ts'
import { once } from '../../core/once.ts'
import type { Walk } from '../../core/walk/walk.ts'
import type { AssistantRecord } from './assistant-record.ts'

/** The schema of a record. Most conversations have none, so it is made when one is first read. */
const recordSchema = once(() => {
  const text = z.string()
  const at = z.number()
  const texts = z.array(text)
  const table = <T extends z.ZodType>(value: T) => z.record(text, value)

  const routedBy = z.enum(['safety', 'mention', 'lock', 'request', 'classifier', 'default'])
  const trace = z.array(
    z.object({
      type: z.enum(['unknown-mention', 'ambiguous-mention', 'unknown-lock', 'unknown-request', 'unknown-safety']),
      name: text,
    }),
  )

  const call = z.object({
    id: text,
    tool: text,
    input: text,
    status: z.enum(['asking', 'waiting', 'claimed', 'done', 'failed', 'denied', 'expired', 'late']),
    runs: z.literal('deployment').exactOptional(),
    result: text,
    until: at,
  })

  const turn = z.object({
    id: z.int(),
    agent: text,
    by: routedBy,
    query: text,
    trace,
    calls: z.array(call),
    handedTo: text.exactOptional(),
  })

  const walk = z.custom<Walk>((value) => {
    const { v, node, visits, relationship } = Object(value) as Partial<Walk>
    return v === 1 && typeof node === 'string' && Array.isArray(visits) && typeof relationship === 'object'
  })

  const safety = z.enum(['low', 'medium', 'high'])
  const request = z.object({
    id: text,
    operation: text,
    agent: text,
    call: text,
    reasoning: text,
    estimatedCost: text.nullable(),
    safety,
    askedAt: at,
    expiresAt: at,
  })
  const grant = z.object({
    request: text,
    operation: text,
    scope: z.enum(['once', 'conversation']),
    call: text.nullable(),
    expiresAt: at,
  })
  const permissions = z.object({ pending: z.array(request), grants: z.array(grant), settled: texts })

  const hit = z.object({ title: text, url: text, text })
  const memory = z.object({
    search_results: z.object({ local: z.array(hit), web: z.array(hit) }).catch({ local: [], web: [] }),
    conversation_context: table(text).catch({}),
    agent_handoffs: z.array(z.object({ from: text, to: text, why: text, at })).catch([]),
    data_sufficiency: table(z.boolean()).catch({}),
    locked_agent: text.exactOptional(),
    // A grant that cannot be read permits nothing.
    permissions: permissions.catch(NO_PERMISSIONS as z.infer<typeof permissions>),
    research_findings: table(text).catch({}),
  })

  const result = z.object({
    content: text,
    query: text.optional(),
    result_type: z.enum(['research', 'search', 'analysis', 'answer']),
    source_agent: text,
    timestamp: at,
    confidence_score: z.number(),
    topics: texts,
    citations: texts,
  })
  const intelligence = z.object({
    cached_results: table(result),
    current_topic: text.nullable(),
    topic_history: texts,
    topic_transitions: z.array(z.object({ from: text, to: text, at })),
    agent_outputs: table(z.array(z.object({ at, text }))),
    collaboration_suggestions: texts,
    research_cache: table(text),
    source_cache: table(z.object({ summary: text, at })),
    query_coverage_cache: table(z.number()),
    last_updated: at,
    intelligence_version: z.number(),
  })

  const operation = z.object({
    id: text,
    op: z.enum(['replace', 'insert', 'delete']),
    start: z.number(),
    expected: text,
    text,
    before: text,
    after: text,
    why: text,
  })

  const pending = z.object({
    id: text,
    type: text,
    summary: text,
    permission_required: z.boolean(),
    status: z.enum(['pending', 'approved', 'denied']),
    created_at: at,
  })

  const state = z.object({
    user_id: text,
    conversation_id: text,
    session_id: text,
    active_agent: text.nullable().catch(null),
    shared_memory: memory,
    intent_classification: z
      .object({ agent: text, confidence: z.number(), by: z.enum(['model', 'listener']) })
      .nullable()
      .catch(null),
    agent_results: table(z.object({ text, at })).catch({}),
    latest_response: text.nullable().catch(null),
    chat_agent_response: text.nullable().catch(null),
    editor_operations: z.array(operation).catch([]),
    manuscript_edit: z
      .object({ filename: text, offered: texts, accepted: texts, rejected: texts })
      .nullable()
      .catch(null),
    requires_user_input: z.boolean().catch(true),
    is_complete: z.boolean().catch(false),
    error_state: text.nullable().catch(null),
    persona: z.object({
      ai_name: text,
      persona_style: z.enum(['professional', 'casual', 'technical']),
      political_bias: z.enum(['neutral', 'liberal', 'conservative']),
    }),
    conversation_topic: text.nullable().catch(null),
    conversation_intelligence: intelligence.catch(NO_INTELLIGENCE as z.infer<typeof intelligence>),
    metadata: z.object({
      title: text,
      created_at: at,
      updated_at: at,
      tags: texts,
      description: text,
      is_pinned: z.boolean(),
      is_archived: z.boolean(),
    }),
    active_agent_checkpoint: text.nullable().catch(null),
    orchestrator_routing_decision: z.object({ agent: text, by: routedBy, trace }).nullable().catch(null),
    agent_insights: table(texts).catch({}),
    pending_operations: z.array(pending).catch([]),
    pending_permission_requests: z.array(request).catch([]),
  })

  return z.object({
    v: z.literal(1),
    state,
    walks: table(walk).catch({}),
    turn: turn.nullable().catch(null),
    exchanges: z.array(z.object({ turn: z.int(), agent: text, call })).catch([]),
  }) satisfies z.ZodType<AssistantRecord>
})

/**
 * Reads a stored record. A part that is missing, because an older version did not have it, or that is damaged, is as in a
 * conversation that has just begun. Returns null for a record of another version, and if it does not say whose it is.
 */
export function readAssistantRecord(stored: string): AssistantRecord | null {
  try {
    const read = recordSchema().safeParse(JSON.parse(stored))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
