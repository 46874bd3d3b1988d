import { DEVELOPMENT_TOKEN } from '../../worker/chain/tokens/token-text.ts'
import type { ContextStatus, FreeData } from '../../worker/chain/context.ts'
import type { WorkerServer } from './worker-server.ts'

/** A context to store in the database, with all its states. */
export interface PutContext {
  readonly id: string
  readonly parentId?: string | null
  /** The default root is the first context. The default depth is the parent's depth plus one. */
  readonly rootId?: string
  readonly depth?: number
  readonly space: string
  readonly userId?: string
  readonly participants?: readonly string[]
  readonly conversationId?: string
  readonly messageIds?: readonly string[]
  /**
   * The states of the context, oldest first. The first one is version 1. If a state lacks a field, the field has its
   * value from the state before.
   */
  readonly states: readonly [PutState, ...PutState[]]
}

export interface PutState {
  /** When the state began, in milliseconds since 1970. */
  readonly at: number
  readonly by?: string
  readonly status?: ContextStatus
  readonly purpose?: string
  readonly description?: string | null
  readonly data?: FreeData
}

/**
 * Stores contexts directly in the worker's database, with any times. The chain itself cannot do this, because it always
 * stores the present time. The contexts may also be such that the chain would never store them, so that a test can show
 * them.
 */
export async function putWorkflow(server: WorkerServer, contexts: readonly PutContext[]): Promise<void> {
  // The first request creates the tables.
  const asked = await server.fetch('/api/contexts?limit=1', {
    headers: { Authorization: `Bearer ${DEVELOPMENT_TOKEN}` },
  })
  if (!asked.ok) throw new Error(`no tables: ${asked.status} ${await asked.text()}`)
  const db = await server.database()
  const rows = (sql: string, all: readonly object[]) => db.prepare(sql).bind(JSON.stringify(all))
  await db.batch([rows(INSERT_CONTEXTS, contextRows(contexts)), rows(INSERT_VERSIONS, contexts.flatMap(earlierRows))])
}

// All rows are one value of the statement, so one call of the database is enough. During each call, this process does
// nothing but wait for the worker.
const INSERT_CONTEXTS = `
  INSERT INTO contexts (tenant, id, parent_id, root_id, depth, purpose, description, space, user_id, participants,
    conversation_id, message_ids, data, status, auto_complete, created_at, updated_at, completed_at, version, updated_by)
  SELECT 'walkon', value->>'id', value->>'parentId', value->>'rootId', value->>'depth', value->>'purpose',
    value->>'description', value->>'space', value->>'userId', value->>'participants', value->>'conversationId',
    value->>'messageIds', value->>'data', value->>'status', 'never', value->>'createdAt', value->>'updatedAt',
    value->>'completedAt', value->>'version', value->>'updatedBy'
  FROM json_each(?1)`

const INSERT_VERSIONS = `
  INSERT INTO context_versions (tenant, context_id, version, status, purpose, description, data, at, made_by)
  SELECT 'walkon', value->>'contextId', value->>'version', value->>'status', value->>'purpose', value->>'description',
    value->>'data', value->>'at', value->>'by'
  FROM json_each(?1)`

function contextRows(contexts: readonly PutContext[]): readonly object[] {
  const depths = new Map<string, number>()
  const root = contexts[0]?.id ?? ''
  return contexts.map((context) => {
    const parentId = context.parentId ?? null
    const depth = context.depth ?? (parentId === null ? 0 : (depths.get(parentId) ?? 0) + 1)
    depths.set(context.id, depth)
    const states = wholeStates(context)
    const last = states.at(-1) as WholeState
    return {
      id: context.id,
      parentId,
      rootId: context.rootId ?? (parentId === null ? context.id : root),
      depth,
      purpose: last.purpose,
      description: last.description,
      space: context.space,
      userId: context.userId ?? null,
      participants: JSON.stringify(context.participants ?? [context.space]),
      conversationId: context.conversationId ?? null,
      messageIds: context.conversationId === undefined ? null : JSON.stringify(context.messageIds ?? []),
      data: JSON.stringify(last.data),
      status: last.status,
      createdAt: context.states[0].at,
      updatedAt: last.at,
      completedAt: last.status === 'completed' ? last.at : null,
      version: states.length,
      updatedBy: last.by,
    }
  })
}

/**
 * Returns the rows of a context's earlier states. The last state is not among them, because it is in the row of the
 * context itself.
 */
function earlierRows(context: PutContext): readonly object[] {
  return wholeStates(context)
    .slice(0, -1)
    .map((state, index) => ({
      ...state,
      contextId: context.id,
      version: index + 1,
      data: JSON.stringify(state.data),
    }))
}

type WholeState = Required<PutState>

function wholeStates({ states }: PutContext): readonly WholeState[] {
  const whole: WholeState[] = []
  for (const state of states) {
    const before = whole.at(-1) ?? {
      at: 0,
      by: 'walkon',
      status: 'active',
      purpose: '',
      description: null,
      data: {},
    }
    whole.push({ ...before, ...state })
  }
  return whole
}
