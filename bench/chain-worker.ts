import { plant } from '../test/chain/support/plant.ts'
import { watched } from '../test/chain/support/watched.ts'
import { handlers } from '../worker/chain/api/handlers.ts'
import type { OperationName } from '../worker/chain/api/operations.ts'
import { applyEvents } from '../worker/chain/runs/apply-events.ts'
import { beginConversation } from '../worker/chain/runs/begin-conversation.ts'
import type { SessionEvent } from '../worker/chain/session-events.ts'
import { migrateChain } from '../worker/chain/migrate.ts'
import { openScope } from '../worker/chain/open-scope.ts'
import { beginErasure } from '../worker/chain/people/begin-erasure.ts'
import { NOT_ERASING } from '../worker/chain/people/erasing.ts'
import { subjectOf } from '../worker/chain/people/tombstones.ts'
import type { Scope } from '../worker/chain/scope.ts'
import { scenarios } from '../build/scenarios.ts'
import type { Asked, EventLoad, Measured } from './chain-operations.ts'

interface Env {
  readonly SMALL: D1Database
  readonly LARGE: D1Database
}

/**
 * The worker that chain-scale.ts calls. The worker fills a database with workflows, or runs an operation in a database
 * and returns the operation's cost.
 */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { db, tenant, fill, ask, events } = (await request.json()) as {
      db: keyof Env
      tenant: string
      fill?: { from: number; to: number }
      ask?: Asked
      events?: EventLoad
    }
    await migrateChain(env[db])
    const scope = openScope({
      db: env[db],
      tenant,
      by: 'bench',
      secret: 'a secret of the bench',
      conversations: { transcript: () => Promise.resolve([]) },
    })
    if (events) return Response.json(await deliverEvents(scope, events))
    if (fill) return Response.json(await plantWorkflows(scope, fill))
    return Response.json(ask ? await measured(scope, ask) : null)
  },
}

const AT_ONCE = 16

/** Applies the events of many conversations, sixteen conversations at once. Returns how many milliseconds that took. */
async function deliverEvents(scope: Scope, { conversations, events, together }: EventLoad): Promise<number> {
  const scenario = scenarios.find(({ id }) => id === 'launch-decision')
  const npc = scenario?.npcs.find(({ id }) => id === 'maya')
  if (!scenario || !npc) throw new Error('there is no launch decision')
  const sessions = Array.from({ length: conversations }, (_, n) => `${scope.tenant}-${n}`)
  for (const session of sessions) {
    const learner = { kind: 'verified', id: session } as const
    if (!(await beginConversation(scope, { session, scenario, npc, learner, run: null })).ok)
      throw new Error('a conversation did not begin')
  }
  const from = performance.now()
  const waiting = sessions.values()
  const deliver = async () => {
    for (const session of waiting)
      for (let number = 1; number <= events; number += together)
        await applyEvents(
          scope,
          session,
          number,
          Array.from({ length: together }, (_, place) => heard(number + place)),
        )
  }
  await Promise.all(Array.from({ length: AT_ONCE }, deliver))
  return performance.now() - from
}

function heard(number: number): SessionEvent {
  const said = 'In the pilot the gate caught 98.6% of the medical prompts.'
  return { type: 'heard', at: number, facts: [{ fact: `fact-${number}`, said, turn: number }] }
}

/**
 * Measures an operation. The runtime's clock advances only while the worker waits for something, so the time is that of
 * the calls to the database.
 */
async function measured(scope: Scope, { operation, input }: Asked): Promise<Measured> {
  const { scope: asked, watch } = watched(scope)
  // In a deployment a Durable Object begins an erasure and counts the ledgers. Here the operation begins it itself, so
  // that its database calls count too, and there are no ledgers.
  const seen: Scope = {
    ...asked,
    erasing: { ...NOT_ERASING, countLedgers: () => Promise.resolve(0), begin: (job) => beginErasure(seen, job) },
  }
  await scope.db.prepare('SELECT 1').run()
  const from = performance.now()
  const handler = handlers[operation as OperationName] as (scope: Scope, input: unknown) => Promise<unknown>
  const answer = await handler(seen, input).catch((error: unknown) => ({ failed: String(error) }))
  return { ms: performance.now() - from, rows: watch.rows, written: watch.written, calls: watch.calls, answer }
}

/**
 * Adds workflows of twenty-five contexts. Three of four workflows are wide: a root, four contexts under the root, and
 * five contexts under each of the four. The fourth workflow is deep: a line of eleven levels, and fourteen more
 * contexts under the root. Each workflow has a person, a conversation, eight memory spaces that ten workflows share and
 * one that all share, four contexts with a second version, four completed contexts, five memories, nine facts, and an
 * earlier erasure of the person.
 */
async function plantWorkflows(scope: Scope, { from, to }: { from: number; to: number }): Promise<null> {
  const numbers = Array.from({ length: to - from }, (_, at) => from + at)
  const contexts = numbers.flatMap(workflow)
  await plant(scope, contexts)
  const ids = JSON.stringify(contexts.map(({ id }) => id))
  const erased = await Promise.all(
    numbers.map(async (n) => ({ id: `era_${n}`, subject: await subjectOf(scope, `person-${n}`) })),
  )
  await scope.db.batch([
    scope.db
      .prepare(
        `UPDATE contexts SET version = version + 1, status = 'blocked', updated_at = updated_at + 1000
         WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2))`,
      )
      .bind(scope.tenant, JSON.stringify(contexts.filter((_, at) => (at % 25) % 6 === 3).map(({ id }) => id))),
    scope.db
      .prepare(
        `INSERT INTO memories (tenant, id, space, user_id, content, kind, importance, context_id, root_id, purpose,
           conversation_id, message_ids, metadata, created_at)
         SELECT tenant, 'mem_' || substr(id, 5), space, user_id, 'remembers ' || purpose, 'note', 50, id, root_id, purpose,
           conversation_id, '[]', '{}', created_at
         FROM contexts WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2))`,
      )
      .bind(scope.tenant, JSON.stringify(contexts.filter((_, at) => at % 5 === 0).map(({ id }) => id))),
    scope.db
      .prepare(
        `INSERT INTO sessions (tenant, session, user_id, learner, scenario, npc, run_id, context_id, created_at, active_at)
         SELECT tenant, conversation_id, user_id, 'anonymous', 'bench', 'maya', root_id, id, created_at, created_at
         FROM contexts WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2)) AND conversation_id IS NOT NULL`,
      )
      .bind(scope.tenant, ids),
    scope.db
      .prepare(
        `INSERT INTO facts (tenant, user_id, key, value, source, confidence, at)
         SELECT tenant, user_id, 'of_' || id, purpose, 'bench', 1, created_at
         FROM contexts WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2)) AND user_id IS NOT NULL`,
      )
      .bind(scope.tenant, ids),
    scope.db
      .prepare(
        `INSERT INTO erasures (tenant, id, status, mode, step, cursor, requested_at, done_at)
         SELECT ?1, value ->> 'id', 'done', 'preserve', 'done', '', 1, 2 FROM json_each(?2)`,
      )
      .bind(scope.tenant, JSON.stringify(erased)),
    scope.db
      .prepare(
        `INSERT INTO erasure_subjects (tenant, subject, requested_at, erasure)
         SELECT ?1, value ->> 'subject', 1, value ->> 'id' FROM json_each(?2)`,
      )
      .bind(scope.tenant, JSON.stringify(erased)),
  ])
  return null
}

function workflow(n: number) {
  const id = (at: number) => `ctx_${n}_${at}`
  const wide = (at: number) => (at <= 4 ? 0 : 1 + Math.floor((at - 5) / 5))
  const deep = (at: number) => (at <= 10 ? at - 1 : 0)
  return Array.from({ length: 25 }, (_, at) => ({
    id: id(at),
    parentId: at === 0 ? null : id(n % 4 === 3 ? deep(at) : wide(at)),
    purpose: `step ${at} of case${n}`,
    description: `what has to be done for case${n}`,
    space: at % 5 === 0 ? 'everybody' : `team-${Math.floor(n / 10)}-${at % 10}`,
    userId: at % 3 ? null : `person-${n}`,
    conversationId: at === 0 ? `talk-${n}` : null,
    data: { step: at, case: n, note: 'n'.repeat(200) },
    ...(at < 20 || at === 21 ? {} : { status: 'completed' as const, completedAt: 1_700_000_000_500 + n * 1_000 }),
    createdAt: 1_700_000_000_000 + n * 1_000 + at,
  }))
}
