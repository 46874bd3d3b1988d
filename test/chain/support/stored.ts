import { rowsTogether, type Scope, statement, type SqlValue } from '../../../worker/chain/scope.ts'
import { oldestFirst, type Model, view } from './model-tree.ts'

type Row = Readonly<Record<string, SqlValue>>

/** The rows of a tenant, read directly from the tables. */
export interface Stored {
  readonly contexts: readonly Row[]
  readonly versions: readonly Row[]
}

const CONTEXTS = `SELECT id, parent_id, root_id, depth, purpose, description, space, user_id, participants, conversation_id,
  message_ids, data, status, auto_complete, created_at, updated_at, completed_at, version, updated_by, waits_for, child_count
  FROM contexts WHERE tenant = ?1 ORDER BY created_at, row`
const VERSIONS = `SELECT context_id, version, status, purpose, description, data, at, made_by
  FROM context_versions WHERE tenant = ?1 ORDER BY context_id, version`
export async function storedIn(scope: Scope): Promise<Stored> {
  const asked = [CONTEXTS, VERSIONS].map((sql) => statement(scope, sql))
  const [contexts = [], versions = []] = await rowsTogether(scope, asked)
  return { contexts: contexts.map(read), versions: versions.map(read) }
}

/** Returns the rows that the model expects. */
export function storedOf(model: Model): unknown {
  const entries = oldestFirst(model.entries)
  const byId = entries.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return {
    contexts: entries.map((entry) => {
      const now = view(model, entry)
      return {
        id: now.id,
        parent_id: now.parentId,
        root_id: now.rootId,
        depth: now.depth,
        purpose: now.purpose,
        description: now.description,
        space: now.memorySpaceId,
        user_id: now.userId,
        participants: now.participants,
        conversation_id: now.conversationRef?.conversationId ?? null,
        message_ids: now.conversationRef?.messageIds ?? null,
        data: now.data,
        status: now.status,
        auto_complete: now.autoComplete,
        created_at: now.createdAt,
        updated_at: now.updatedAt,
        completed_at: now.completedAt,
        version: now.version,
        updated_by: now.updatedBy,
        waits_for: entry.after,
        child_count: now.childCount,
      }
    }),
    versions: byId.flatMap(({ id, versions }) =>
      versions.slice(0, -1).map(({ timestamp, updatedBy, ...version }) => ({
        context_id: id,
        ...version,
        at: timestamp,
        made_by: updatedBy,
      })),
    ),
  }
}

/** Returns a row with its JSON columns parsed. */
function read(row: Row): Row {
  const json = ['participants', 'message_ids', 'data']
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, json.includes(key) ? JSON.parse(String(value)) : value]),
  ) as Row
}
