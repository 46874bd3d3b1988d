import { commit, guard, untilCommitted } from '../commit.ts'
import { rows, type Scope, statement } from '../scope.ts'
import { removeContexts } from './remove-contexts.ts'
import { tombstones } from './tombstones.ts'

/** What was too old to be kept, counted. */
export interface RetentionCounts {
  readonly sessions: number
  readonly contexts: number
  readonly memories: number
  readonly facts: number
  /** Conversations whose object could not be emptied: they are tried again by the next run, and hold up no other. */
  readonly failed: number
  /** Whether there was more than one run does. */
  readonly isMore: boolean
}

/** What a fact's source is that a conversation has brought, before the conversation's id. */
const SOURCE = 'conversation '

const PAGE = { sessions: 10, contexts: 100, memories: 200, facts: 200 } as const

/** So much later than it says may a conversation have been in use: `seen` is told once a day at most. */
const UNTOLD_MS = 86_400_000

/**
 * Forgets what has not been touched since `before` (milliseconds since 1970), tenant by tenant, a page at a time: whole
 * conversations with their objects, contexts, memories and facts, then contexts, memories and facts that belong to none.
 * What is left is joined together as after an erasure. What dies in between is done again by the next run.
 *
 * @param pieces so many pages at most
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
 * Every tenant that may have something so old, in their order. Whoever has nothing is passed over here and costs no page,
 * so that however many there are, a run comes to those that have.
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

/** The next of all that have anything, by the beginning of each table's index; null after the last. */
function tenantAfter(tenant: string): string {
  const each = KINDS.map((table) => `SELECT min(tenant) AS tenant FROM ${table} WHERE tenant > ${tenant}`)
  return `(SELECT min(tenant) FROM (${each.join(' UNION ALL ')}))`
}

interface ForgottenPage {
  readonly forgotten: number
  readonly failed?: number
}

/**
 * Each forgets a page and says how much that was; less than a page is the last. `passed`: how many of the oldest could not be
 * forgotten in this run, and are still there.
 */
const FORGET: Readonly<Record<Kind, (scope: Scope, before: number, passed: number) => Promise<ForgottenPage>>> = {
  async sessions(scope, before, passed) {
    const page = await untilCommitted(() => markOldest(scope, before - UNTOLD_MS, passed))
    if (page === null || page.length === 0) return { forgotten: 0 }
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
    return { forgotten: emptied.length, failed: page.length - emptied.length }
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

/** A page of conversations, marked as gone for good; null when one of them was used in between. */
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

/** A context of a conversation, or the root of a run, is as old as that. */
function isOld(context: string, parameter: string): string {
  return `(${context}.updated_at < ${parameter}
    AND ${isOfNone(`${context}.conversation_id`)}
    AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.tenant = ?1 AND s.run_id = ${context}.id))`
}

/** What is of a conversation is as old as that, and goes with it. */
function isOfNone(session: string): string {
  return `NOT EXISTS (SELECT 1 FROM sessions s WHERE s.tenant = ?1 AND s.session = ${session})`
}

/** What else there is of the conversations in `?2`. Their rows are last. */
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
