import { commit, guard, untilCommitted } from '../commit.ts'
import { rows, type Scope, statement } from '../scope.ts'
import { removeContexts } from './remove-contexts.ts'
import { tombstones } from './tombstones.ts'

/** The number of records of each kind that a retention run (one call of `retain`) deleted. */
export interface RetentionCounts {
  readonly sessions: number
  readonly contexts: number
  readonly memories: number
  readonly facts: number
  /**
   * Number of conversations whose Durable Object could not be emptied. The retention run skips these conversations, and
   * the next one tries them again.
   */
  readonly failed: number
  /** True if there is more to delete than one retention run may delete. */
  readonly isMore: boolean
}

/** The prefix of a fact's source if the fact came from a conversation; the conversation's id follows. */
const SOURCE = 'conversation '

const PAGE = { sessions: 10, contexts: 100, memories: 200, facts: 200 } as const

/**
 * A conversation tells the chain at most once a day that it is used, with the event `seen`. So its last use may be
 * later than the chain knows, by up to this many milliseconds.
 */
const UNTOLD_MS = 86_400_000

/**
 * Deletes data that nobody has used since `before` (milliseconds since 1970), tenant by tenant and batch by batch:
 * first whole conversations with their objects, contexts, memories and facts, then contexts, memories and facts outside
 * conversations. Remaining children of deleted contexts move to the nearest remaining ancestor, or become roots. After
 * a crash, the next retention run continues.
 *
 * @param pieces the most batches that one retention run deletes
 */
export async function retain(
  scopeOf: (tenant: string) => Scope,
  { before, pieces }: { before: number; pieces: number },
): Promise<RetentionCounts> {
  const done = { sessions: 0, contexts: 0, memories: 0, facts: 0, failed: 0 }
  let left = pieces
  for (const tenant of await tenantsWithOld(scopeOf(''), before)) {
    const scope = scopeOf(tenant)
    for (const kind of KINDS) {
      for (let passed = 0; ;) {
        if (left === 0) return { ...done, isMore: true }
        left -= 1
        const { forgotten, failed = 0 } = await FORGET[kind](scope, before, passed)
        done[kind] += forgotten
        done.failed += failed
        passed += failed
        if (forgotten + failed < PAGE[kind]) break
      }
    }
  }
  return { ...done, isMore: false }
}

const KINDS = ['sessions', 'contexts', 'memories', 'facts'] as const
type Kind = (typeof KINDS)[number]

/**
 * Returns every tenant that may have data older than `before`, in order. No batch is spent on other tenants, so a
 * retention run reaches every tenant with old data.
 */
async function tenantsWithOld(scope: Scope, before: number): Promise<readonly string[]> {
  const found = await rows<{ tenant: string }>(
    scope,
    `WITH RECURSIVE every (tenant) AS (
       SELECT ${tenantAfter('?1')}
       UNION ALL
       SELECT ${tenantAfter('every.tenant')} FROM every WHERE every.tenant IS NOT NULL
     )
     SELECT tenant FROM every
     WHERE EXISTS (SELECT 1 FROM sessions WHERE tenant = every.tenant AND active_at < ?2)
       OR EXISTS (SELECT 1 FROM contexts WHERE tenant = every.tenant AND created_at < ?2 AND updated_at < ?2)
       OR EXISTS (SELECT 1 FROM memories WHERE tenant = every.tenant AND created_at < ?2)
       OR EXISTS (SELECT 1 FROM facts WHERE tenant = every.tenant AND at < ?2)`,
    before,
  )
  return found.map(({ tenant }) => tenant)
}

/**
 * Returns SQL for the tenant that comes after a tenant in order; null after the last. SQLite finds the next tenant with
 * one look-up in each table's index.
 */
function tenantAfter(tenant: string): string {
  const each = KINDS.map((table) => `SELECT min(tenant) AS tenant FROM ${table} WHERE tenant > ${tenant}`)
  return `(SELECT min(tenant) FROM (${each.join(' UNION ALL ')}))`
}

interface ForgottenPage {
  readonly forgotten: number
  readonly failed?: number
}

/**
 * For each kind of data, a function that deletes one batch and returns the number of deleted records. A batch that is
 * not full is the last one. `passed` is the number of conversations that could not be deleted earlier in this retention
 * run. These conversations are still the oldest, so the function that deletes conversations skips that number of rows.
 */
const FORGET: Readonly<Record<Kind, (scope: Scope, before: number, passed: number) => Promise<ForgottenPage>>> = {
  async sessions(scope, before, passed) {
    const page = await untilCommitted(() => markOldest(scope, before - UNTOLD_MS, passed))
    if (page === null || page.length === 0) return { forgotten: 0 }
    const forgotten = await forget(scope, page)
    return { forgotten, failed: page.length - forgotten }
  },

  async contexts(scope, before) {
    const page = await rows<{ id: string }>(
      scope,
      `SELECT id FROM contexts WHERE tenant = ?1 AND created_at < ?2 AND ${isOld('contexts', '?2')}
       ORDER BY created_at, row LIMIT ${PAGE.contexts}`,
      before,
    )
    if (page.length === 0) return { forgotten: 0 }
    const ids = page.map(({ id }) => id)
    await commit(scope, { guards: [], writes: removeContexts(scope, ids, { doomed: isOld, value: before }) })
    return { forgotten: page.length }
  },

  memories: (scope, before) =>
    deletedFrom(
      scope,
      `DELETE FROM memories WHERE tenant = ?1 AND row IN (
         SELECT row FROM memories WHERE tenant = ?1 AND created_at < ?2 AND ${isOfNone('memories.conversation_id')}
         LIMIT ${PAGE.memories}) RETURNING row`,
      before,
    ),

  facts: (scope, before) =>
    deletedFrom(
      scope,
      `DELETE FROM facts WHERE tenant = ?1 AND (user_id, key) IN (
         SELECT user_id, key FROM facts WHERE tenant = ?1 AND at < ?2
           AND ${isOfNone(`substr(facts.source, ${SOURCE.length + 1})`)} LIMIT ${PAGE.facts}) RETURNING key`,
      before,
    ),
}

interface OldSession {
  readonly session: string
  readonly context_id: string
}

/**
 * Deletes a conversation: its object, and its data in the chain. A conversation without data in the chain only loses its
 * object. A repeated call changes nothing.
 */
export async function forgetConversation(scope: Scope, session: string): Promise<void> {
  const page = await rows<OldSession>(
    scope,
    'SELECT session, context_id FROM sessions WHERE tenant = ?1 AND session = ?2',
    session,
  )
  await commit(scope, { guards: [], writes: [await tombstones(scope, [session])] })
  if (page.length === 0) return scope.erasing.conversation(session)
  if ((await forget(scope, page)) === 0) throw new Error('the conversation could not be emptied')
}

/**
 * Empties the objects of conversations and deletes their data in the chain. Returns for how many this succeeded; the
 * others keep their data.
 */
async function forget(scope: Scope, page: readonly OldSession[]): Promise<number> {
  const tried = await Promise.allSettled(page.map(({ session }) => scope.erasing.conversation(session)))
  const emptied = page.filter((_, place) => tried[place]?.status === 'fulfilled')
  const list = JSON.stringify(emptied.map(({ session }) => session))
  const contexts = emptied.map(({ context_id: context }) => context)
  const isListed = (context: string, parameter: string) =>
    `${context}.id IN (SELECT value FROM json_each(${parameter}))`
  await commit(scope, {
    guards: [],
    writes: [
      ...removeContexts(scope, contexts, { doomed: isListed, value: JSON.stringify(contexts) }),
      ...OF_CONVERSATIONS.map((sql) => statement(scope, sql, list)),
    ],
  })
  return emptied.length
}

/**
 * Writes tombstones (rows that mark conversations as erased) for a batch of the conversations that have been unused for
 * longest, so that the chain applies none of their events any more. Returns null if one of these conversations was used
 * meanwhile.
 */
async function markOldest(scope: Scope, before: number, passed: number): Promise<readonly OldSession[] | null> {
  const page = await rows<OldSession>(
    scope,
    `SELECT session, context_id FROM sessions WHERE tenant = ?1 AND active_at < ?2
     ORDER BY active_at, session LIMIT ${PAGE.sessions} OFFSET ?3`,
    before,
    passed,
  )
  if (page.length === 0) return page
  const sessions = page.map(({ session }) => session)
  const used = `EXISTS (SELECT 1 FROM sessions
    WHERE tenant = ?1 AND session IN (SELECT value FROM json_each(?2)) AND active_at >= ?3)`
  const marked = await commit(scope, {
    guards: [guard(scope, `NOT ${used}`, JSON.stringify(sessions), before)],
    writes: [await tombstones(scope, sessions)],
  })
  return marked.ok ? page : null
}

/**
 * Returns the condition that a context is old, belongs to no conversation and is no run's root. A context of a
 * conversation is deleted together with the conversation.
 */
function isOld(context: string, parameter: string): string {
  return `(${context}.updated_at < ${parameter}
    AND ${isOfNone(`${context}.conversation_id`)}
    AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.tenant = ?1 AND s.run_id = ${context}.id))`
}

/**
 * Returns the condition that no conversation has an id. Data of a conversation is deleted together with the
 * conversation.
 */
function isOfNone(session: string): string {
  return `NOT EXISTS (SELECT 1 FROM sessions s WHERE s.tenant = ?1 AND s.session = ${session})`
}

/**
 * The statements that delete the data of the conversations in a JSON list (`?2`), except their contexts. The
 * conversations' own rows come last.
 */
const OF_CONVERSATIONS = [
  'DELETE FROM memories WHERE tenant = ?1 AND conversation_id IN (SELECT value FROM json_each(?2))',
  `DELETE FROM facts WHERE tenant = ?1 AND (user_id, source) IN (
     SELECT user_id, '${SOURCE}' || session FROM sessions
     WHERE tenant = ?1 AND session IN (SELECT value FROM json_each(?2)))`,
  `UPDATE contexts SET conversation_id = NULL, message_ids = NULL
   WHERE tenant = ?1 AND conversation_id IN (SELECT value FROM json_each(?2))`,
  'DELETE FROM sessions WHERE tenant = ?1 AND session IN (SELECT value FROM json_each(?2))',
]

async function deletedFrom(scope: Scope, sql: string, before: number): Promise<ForgottenPage> {
  const committed = await commit(scope, { guards: [], writes: [statement(scope, sql, before)] })
  return { forgotten: committed.ok ? (committed.wrote[0]?.rows.length ?? 0) : 0 }
}
