import { commit, committedOrBusy, guard } from '../commit.ts'
import type { ContextStatus, FreeData } from '../context.ts'
import { joinUpwards } from '../contexts/participants.ts'
import { sameVersion } from '../contexts/read-context.ts'
import { factWrite } from '../memories/facts.ts'
import { memoryInsert } from '../memories/store-memory.ts'
import { subjectOf } from '../people/tombstones.ts'
import { type Scope, rowsTogether, type Statement, statement } from '../scope.ts'
import type { SessionEvent } from '../session-events.ts'
import { effectsOfEvents, type EventEffects, type ConversationStanding } from './follow.ts'
import { handOverContent } from './run-data.ts'
import { insertUnder, nextVersion, takeHandOvers } from './run-writes.ts'

/** The result of applying a conversation's events. */
export type ApplyResult =
  /** All events up to the number `applied` are applied. */
  | { readonly type: 'applied'; readonly applied: number }
  /** Events are missing between the number `applied` and the first event of the request. Nothing was applied. */
  | { readonly type: 'gap'; readonly applied: number }
  /** The conversation is erased or being erased. Its events are never applied. */
  | { readonly type: 'gone' }

/**
 * Applies events of a conversation to the chain, each exactly once. The same transaction stores the number of the last
 * applied event. Events that were applied before are skipped. If an event before `from` is missing, no event is
 * applied.
 *
 * @param from the number of the first event, from 1
 * @throws ChainError BUSY, or an error of D1; after an error, either no event or every event was applied
 */
export function applyEvents(
  scope: Scope,
  session: string,
  from: number,
  events: readonly SessionEvent[],
): Promise<ApplyResult> {
  return committedOrBusy(() => applyOnce(scope, session, from, events))
}

async function applyOnce(
  scope: Scope,
  session: string,
  from: number,
  events: readonly SessionEvent[],
): Promise<ApplyResult | null> {
  const found = await readSnapshot(scope, session)
  if (found === null) return { type: 'gone' }
  const { applied } = found.session
  if (from > applied + 1) return { type: 'gap', applied }
  const fresh = events.slice(applied + 1 - from)
  if (fresh.length === 0) return { type: 'applied', applied }
  const effects = effectsOfEvents(found.standing, fresh)
  const now = applied + fresh.length
  const committed = await commit(scope, {
    guards: guardsOf(scope, session, found),
    writes: [
      ...contextWrites(scope, found, effects),
      ...memoryWrites(scope, session, found, fresh),
      cursorWrite(scope, session, now, effects),
    ],
  })
  return committed.ok ? { type: 'applied', applied: now } : null
}

/** Everything that the effects of the events depend on, read at one moment. */
interface SessionSnapshot {
  readonly session: SessionRow
  readonly context: ContextRow | null
  readonly root: ContextRow | null
  readonly standing: ConversationStanding
  /**
   * A text that changes when an event is applied in the run, and when a conversation or a context of the run is added
   * or changed.
   */
  readonly pulse: string
  readonly subjects: readonly string[]
}

interface SessionRow {
  readonly user_id: string
  readonly npc: string
  readonly run_id: string
  readonly context_id: string
  readonly applied: number
  readonly met_at: number | null
  readonly ended_at: number | null
  readonly active_at: number
}

interface ContextRow {
  readonly id: string
  readonly root_id: string
  readonly purpose: string
  readonly status: ContextStatus
  readonly data: string
  readonly version: number
}

interface OtherRow {
  readonly session: string
  readonly npc: string
  readonly context_id: string
  readonly ended_at: number | null
  readonly status: ContextStatus | null
}

const OWN = 'SELECT user_id, npc, run_id, context_id, applied, met_at, ended_at, active_at FROM sessions'
const THIS = 'tenant = ?1 AND session = ?2'
const CONTEXT = 'SELECT id, root_id, purpose, status, data, version FROM contexts WHERE tenant = ?1 AND id ='
const PULSE = (
  run: string,
) => `(SELECT count(*) || ' ' || sum(applied) FROM sessions WHERE tenant = ?1 AND run_id = ${run})
  || (SELECT ' ' || count(*) || ' ' || total(version) FROM contexts WHERE tenant = ?1 AND root_id = ${run})`
const ERASED = `EXISTS (SELECT 1 FROM tombstones WHERE tenant = ?1 AND subject IN (SELECT value FROM json_each(?2))
  AND (kind = 'session' OR running = 1))`

/** Returns null if the conversation is erased or being erased. */
async function readSnapshot(scope: Scope, session: string): Promise<SessionSnapshot | null> {
  const run = `(SELECT run_id FROM sessions WHERE ${THIS})`
  const [[own], [context], [root], others, [pulse]] = (await rowsTogether(scope, [
    statement(scope, `${OWN} WHERE ${THIS}`, session),
    statement(scope, `${CONTEXT} (SELECT context_id FROM sessions WHERE ${THIS})`, session),
    statement(scope, `${CONTEXT} ${run}`, session),
    statement(
      scope,
      `SELECT s.session, s.npc, s.context_id, s.ended_at, c.status FROM sessions s
       LEFT JOIN contexts c ON c.tenant = ?1 AND c.id = s.context_id
       WHERE s.tenant = ?1 AND s.run_id = ${run} AND s.session <> ?2 ORDER BY s.created_at, s.session`,
      session,
    ),
    statement(scope, `SELECT ${PULSE(run)} AS pulse`, session),
  ])) as unknown as [SessionRow[], ContextRow[], ContextRow[], OtherRow[], { pulse: string }[]]
  if (!own) return null
  const subjects = await Promise.all([subjectOf(scope, session), subjectOf(scope, own.user_id)])
  const [[erased]] = (await rowsTogether(scope, [
    statement(scope, `SELECT ${ERASED} AS erased`, JSON.stringify(subjects)),
  ])) as unknown as [{ erased: number }[]]
  if (erased?.erased === 1) return null
  return {
    session: own,
    context: context ?? null,
    root: root ?? null,
    pulse: pulse?.pulse ?? '',
    subjects,
    standing: {
      npc: own.npc,
      metAt: own.met_at,
      endedAt: own.ended_at,
      activeAt: own.active_at,
      context: read(context),
      root: read(root),
      others: others.map(({ npc, context_id, ended_at, status }) => ({
        npc,
        context: context_id,
        endedAt: ended_at,
        status,
      })),
    },
  }
}

function read(row: ContextRow | undefined): ConversationStanding['root'] {
  return row ? { status: row.status, data: JSON.parse(row.data) as FreeData } : null
}

/** Returns guards that hold while nothing has changed since the snapshot was read. */
function guardsOf(scope: Scope, session: string, found: SessionSnapshot): readonly Statement[] {
  const { context, pulse, subjects } = found
  return [
    guard(scope, `EXISTS (SELECT 1 FROM sessions WHERE ${THIS} AND applied = ?3)`, session, found.session.applied),
    guard(scope, `${PULSE('?2')} = ?3`, found.session.run_id, pulse),
    guard(scope, `NOT ${ERASED}`, JSON.stringify(subjects)),
    // `PULSE` does not cover the conversation's context if a request has moved that context to another root.
    ...(context === null ? [] : [sameVersion(scope, context.id, context.version)]),
  ]
}

function contextWrites(
  scope: Scope,
  { session, context, root }: SessionSnapshot,
  effects: EventEffects,
): readonly Statement[] {
  const { user_id: userId, npc, run_id: run } = session
  const handedOver = effects.handOvers.flatMap(({ next, at, takenBy }) => {
    if (context === null) return []
    const id = scope.newId('ctx')
    return [
      insertUnder(scope, context.id, { id, content: handOverContent(npc, next), space: next.npc, userId, at }),
      joinUpwards(scope, context.id, next.npc),
      ...(takenBy === null ? [] : [takeHandOvers(scope, { run, npc: next.npc, context: takenBy, at })]),
    ]
  })
  return [
    // Hand-overs are written first, so that no context gets a child after the context is completed.
    ...handedOver,
    ...(context === null ? [] : effects.versions.map((version) => nextVersion(scope, context.id, version))),
    ...(root === null || effects.completesRunAt === null
      ? []
      : [nextVersion(scope, root.id, { status: 'completed', data: {}, at: effects.completesRunAt })]),
  ]
}

/** The importance of an author's annotation: below anything that a learner said. */
const NOTE = 10

/**
 * Makes the statements that write memories. A memory's id is made of the session, the event's number and the memory's
 * place in the event, so that no memory is stored twice.
 */
function memoryWrites(
  scope: Scope,
  session: string,
  { session: own, context }: SessionSnapshot,
  events: readonly SessionEvent[],
): readonly Statement[] {
  const common = {
    memorySpaceId: own.npc,
    userId: own.user_id,
    contextId: context?.id,
    rootId: context?.root_id ?? null,
    purpose: context?.purpose ?? null,
    conversationRef: { conversationId: session, messageIds: [] },
  }
  const idOf = (event: number, place: number) => `mem_${session}`.slice(0, 44) + `-${own.applied + 1 + event}-${place}`
  return events.flatMap((event, number): readonly Statement[] => {
    if (event.type === 'annotation') {
      const { node, text, at } = event
      const note = { content: text, kind: 'annotation', importance: NOTE, metadata: { node }, createdAt: at } as const
      return [memoryInsert(scope, { id: idOf(number, 0), ...common, ...note })]
    }
    if (event.type !== 'remembered') return []
    const { at, memories, facts } = event
    return [
      ...memories.map((memory, place) =>
        memoryInsert(scope, { id: idOf(number, place), ...common, ...memory, metadata: {}, createdAt: at }),
      ),
      ...facts.map((fact) => factWrite(scope, own.user_id, { ...fact, source: `conversation ${session}`, at })),
    ]
  })
}

function cursorWrite(scope: Scope, session: string, applied: number, effects: EventEffects): Statement {
  return statement(
    scope,
    `UPDATE sessions SET applied = ?3, met_at = ?4, ended_at = ?5, active_at = ?6 WHERE ${THIS}`,
    session,
    applied,
    effects.metAt,
    effects.endedAt,
    effects.activeAt,
  )
}
