import { type CommitResult, commit, guard } from '../commit.ts'
import { rows, type Scope, type Statement, statement, type SqlValue } from '../scope.ts'
import type { ErasureJob } from './erasing.ts'
import { erasureRow, STEP_NAMES, type ErasureStep } from './erasure.ts'
import { NAMED, namesOf, scrubContexts, scrubGrants, scrubMemories } from './names.ts'
import { idsOf, isOf, ofPerson } from './person.ts'
import { PERSON_SESSIONS } from './get-person.ts'
import { countRemoval, countSubtrees, isIn, removeContexts, removeSubtrees } from './remove-contexts.ts'
import { tombstones } from './tombstones.ts'

/**
 * The page size of each step of an erasure: the number of rows in one transaction or, for `conversations`, of objects
 * called at once.
 */
export type PageSizes = Readonly<
  Record<'conversations' | 'memories' | 'facts' | 'contexts' | 'names' | 'sessions', number>
>

const PAGE: PageSizes = {
  conversations: 10,
  memories: 200,
  facts: 200,
  contexts: 100,
  names: 500,
  sessions: 100,
}

/** The next piece of work of an erasure. */
export interface ErasurePiece {
  readonly step: ErasureStep
  act(): Promise<unknown>
}

/**
 * Returns the next piece of an erasure; null if nothing is left to do. A piece may be repeated after a crash, or run
 * twice at once. So the transaction of each piece first checks that the erasure is still at the piece's step and
 * cursor. The same transaction deletes and counts the deleted rows.
 */
export async function nextPiece(scope: Scope, job: ErasureJob, sizes = PAGE): Promise<ErasurePiece | null> {
  const row = await erasureRow(scope, job.id)
  if (row === null || row.step === 'done') return null
  const { step, cursor } = row
  return { step, act: () => STEPS[step](at(scope, job, { step, cursor }, sizes), cursor) }
}

/** The state of an erasure that a step needs, and functions that make the step's statements. */
interface StepContext {
  readonly scope: Scope
  readonly job: ErasureJob
  readonly sizes: PageSizes
  /** The person's ids, as a JSON list. */
  readonly ids: string
  /** Commits statements, if the erasure is still at this step and cursor. */
  readonly write: (...writes: readonly Statement[]) => Promise<CommitResult>
  /** Adds the columns of a one-row select to the erasure's counts. */
  readonly count: (columns: readonly string[], select: string, ...values: readonly SqlValue[]) => Statement
  /** Moves the erasure to `cursor`, or to the next step if `cursor` is null. */
  readonly goOn: (cursor: string | null) => Statement
  /** Moves the erasure to the next step if the condition `left` does not hold. */
  readonly goOnUnless: (left: string, ...values: readonly SqlValue[]) => Statement
}

function at(
  scope: Scope,
  job: ErasureJob,
  { step, cursor: after }: { step: ErasureStep; cursor: string },
  sizes: PageSizes,
): StepContext {
  const next = STEP_NAMES[STEP_NAMES.indexOf(step) + 1] ?? 'done'
  const here = 'EXISTS (SELECT 1 FROM erasures WHERE tenant = ?1 AND id = ?2 AND step = ?3 AND cursor = ?4)'
  return {
    scope,
    job,
    sizes,
    ids: idsOf(job.person),
    write: (...writes) => commit(scope, { guards: [guard(scope, here, job.id, step, after)], writes }),
    count: (columns, select, ...values) => {
      const sums = columns.map((column) => `${column} = erasures.${column} + counted.${column}`)
      const id = `?${values.length + 2}`
      return statement(
        scope,
        `UPDATE erasures SET ${sums.join(', ')} FROM (${select}) AS counted WHERE erasures.tenant = ?1 AND erasures.id = ${id}`,
        ...values,
        job.id,
      )
    },
    goOn: (cursor) =>
      statement(
        scope,
        'UPDATE erasures SET step = ?3, cursor = ?4 WHERE tenant = ?1 AND id = ?2',
        job.id,
        cursor === null ? next : step,
        cursor ?? '',
      ),
    goOnUnless: (left, ...values) =>
      statement(
        scope,
        `UPDATE erasures SET step = CASE WHEN ${left} THEN step ELSE '${next}' END WHERE tenant = ?1 AND id = ?${values.length + 2}`,
        ...values,
        job.id,
      ),
  }
}

const STEPS: Readonly<Record<ErasureStep, (place: StepContext, cursor: string) => Promise<unknown>>> = {
  /**
   * Empties the Durable Object of each conversation, with its running turn, its sockets and its outboxes. Before that,
   * the step writes tombstones (rows that mark the conversations as erased), so that the chain applies none of their
   * events any more.
   */
  async conversations({ scope, ids, write, goOn, sizes }, cursor) {
    const page = await rows<{ session: string }>(
      scope,
      `SELECT session FROM ${PERSON_SESSIONS} WHERE tenant = ?1 AND ${isOf('user_id', '?2')} AND session > ?3
       ORDER BY session LIMIT ${sizes.conversations}`,
      ids,
      cursor,
    )
    const sessions = page.map(({ session }) => session)
    const last = sessions.at(-1)
    if (last === undefined) return write(goOn(null))
    const marked = await write(await tombstones(scope, sessions))
    if (!marked.ok) return
    await Promise.all(sessions.map((session) => scope.erasing.conversation(session)))
    return write(goOn(last))
  },

  /**
   * Counts the ledgers before the step `ledgers` deletes them. If one step did both, a crash between deleting and
   * counting would lose the number.
   */
  async 'count-ledgers'({ scope, job, write, count, goOn }) {
    const counts = await Promise.all(job.person.ids.map((id) => scope.erasing.countLedgers(id, scope.now())))
    const ledgers = counts.reduce((sum, each) => sum + each, 0)
    return write(count(['ledgers'], 'SELECT ?2 AS ledgers', ledgers), goOn(null))
  },

  async ledgers({ scope, job, write, goOn }) {
    await Promise.all(job.person.ids.map((id) => scope.erasing.eraseLedgers(id, scope.now())))
    return write(goOn(null))
  },

  memories({ scope, ids, write, count, goOnUnless, sizes }) {
    const page = `SELECT row FROM memories WHERE tenant = ?1 AND ${isOf('user_id', '?2')} LIMIT ${sizes.memories}`
    return write(
      count(['memories'], `SELECT count(*) AS memories FROM (${page})`, ids),
      statement(scope, `DELETE FROM memories WHERE row IN (${page})`, ids),
      goOnUnless(`EXISTS (${page})`, ids),
    )
  },

  facts({ scope, ids, write, count, goOnUnless, sizes }) {
    const page = `SELECT user_id, key FROM facts WHERE tenant = ?1 AND ${isOf('user_id', '?2')} LIMIT ${sizes.facts}`
    return write(
      count(['facts'], `SELECT count(*) AS facts FROM (${page})`, ids),
      statement(scope, `DELETE FROM facts WHERE tenant = ?1 AND (user_id, key) IN (${page})`, ids),
      goOnUnless(`EXISTS (${page})`, ids),
    )
  },

  async contexts({ scope, job, ids, write, count, goOn, sizes }) {
    const found = await rows<{ id: string }>(
      scope,
      `SELECT id FROM contexts WHERE tenant = ?1 AND ${isOf('user_id', '?2')} LIMIT ${sizes.contexts}`,
      ids,
    )
    const page = found.map(({ id }) => id)
    if (page.length === 0) return write(goOn(null))
    const list = JSON.stringify(page)
    if (job.mode === 'subtree') {
      return write(
        count(
          ['deleted'],
          countSubtrees((context) => `${isIn(context, '?2')} AND ${ofPerson(context, '?3')}`),
          list,
          ids,
        ),
        removeSubtrees(scope, page, ids),
      )
    }
    const inPage = (context: string) => `${isIn(context, '?2')} AND ${ofPerson(context, '?3')}`
    return write(
      count(
        ['deleted', 'reparented', 'promoted'],
        countRemoval(inPage, (context) => ofPerson(context, '?3')),
        list,
        ids,
      ),
      ...removeContexts(scope, page, { doomed: ofPerson, value: ids }),
    )
  },

  /**
   * Removes the person's names from the remaining records: authors of versions, participants, memory spaces, sources of
   * facts, and references to the person's conversations.
   */
  async names({ scope, job, ids, write, count, goOn, sizes }, cursor) {
    const [end] = await rows<{ id: string; more: number }>(
      scope,
      `SELECT max(id) AS id, count(*) = ${sizes.names} AS more
       FROM (SELECT id FROM contexts WHERE tenant = ?1 AND id > ?2 ORDER BY id LIMIT ${sizes.names})`,
      cursor,
    )
    const to = end?.id ?? cursor
    const names = await namesOf(scope, job.person)
    const named = `SELECT count(*) AS scrubbed FROM contexts c
      WHERE c.tenant = ?1 AND c.id > ?4 AND c.id <= ?5 AND ${NAMED}`
    return write(
      count(['scrubbed'], named, ids, names, cursor, to),
      ...(cursor === '' ? [...scrubMemories(scope, names), ...scrubGrants(scope, job.person, names)] : []),
      ...scrubContexts(scope, job.person, names, { from: cursor, to }),
      goOn(end?.more === 1 ? to : null),
    )
  },

  /**
   * Deletes the rows of the person's conversations. These rows are deleted last, because earlier steps find other data
   * through them.
   */
  sessions({ scope, ids, write, count, goOnUnless, sizes }) {
    const page = `SELECT session FROM sessions WHERE tenant = ?1 AND ${isOf('user_id', '?2')} LIMIT ${sizes.sessions}`
    return write(
      count(['sessions'], `SELECT count(*) AS sessions FROM (${page})`, ids),
      statement(
        scope,
        `UPDATE memories SET conversation_id = NULL, message_ids = NULL
         WHERE tenant = ?1 AND conversation_id IN (${page})`,
        ids,
      ),
      statement(scope, `DELETE FROM sessions WHERE tenant = ?1 AND session IN (${page})`, ids),
      goOnUnless(`EXISTS (${page})`, ids),
    )
  },

  /**
   * Marks the erasure as done, so that new conversations of the person may begin. Earlier conversations stay erased.
   */
  close({ scope, job, write, goOn }) {
    return write(
      statement(
        scope,
        `UPDATE tombstones SET running = 0 WHERE tenant = ?1 AND subject IN (SELECT value FROM json_each(?2))`,
        JSON.stringify(job.person.subjects),
      ),
      statement(
        scope,
        "UPDATE erasures SET status = 'done', done_at = ?3 WHERE tenant = ?1 AND id = ?2",
        job.id,
        scope.now(),
      ),
      goOn(null),
    )
  },
}
