import * as z from 'zod'
import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { personExport } from '../api/people-operations.ts'
import type { ContextVersion, FreeData } from '../context.ts'
import { CONTEXT_COLUMNS, contextOf, type ContextRow } from '../contexts/read-context.ts'
import { listGrants } from '../grants/grants.ts'
import { MEMORY_COLUMNS, memoryOf, type MemoryRow } from '../memories/read-memory.ts'
import type { PersonFact } from '../memory.ts'
import { rows, type Scope } from '../scope.ts'
import {
  countPerson,
  isNobody,
  nobody,
  PERSON_SESSIONS,
  SESSION_COLUMNS,
  sessionOf,
  type SessionRow,
} from './get-person.ts'
import { personOf } from './person.ts'

/**
 * Number of rows that an export reads at a time. An export of any length keeps only one page and one conversation in
 * memory.
 */
const PAGE = 100

/**
 * Returns everything known about a person as one JSON document, in pieces: conversations as the learner saw them,
 * contexts with all versions, memories, facts, grants. The rows are read in pages, and each page shows the data at the moment
 * when the page is read.
 *
 * @throws ChainError PERSON_NOT_FOUND before the first piece
 */
async function exportPersonText(scope: Scope, user: string): Promise<AsyncIterable<string>> {
  const person = await personOf(scope, user)
  if (isNobody(await countPerson(scope, person))) throw nobody()
  return document(scope, user, person.ids)
}

/** Returns the export of a person as a stream of bytes, so that the response is sent while the database is read. */
export async function exportPersonStream(scope: Scope, user: string): Promise<ReadableStream<Uint8Array>> {
  const pieces = (await exportPersonText(scope, user))[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}

/** Returns the export of a person as one value. */
export async function exportPerson(
  scope: Scope,
  { user }: OperationInput<'exportPerson'>,
): Promise<OperationOutput<'exportPerson'>> {
  let text = ''
  for await (const piece of await exportPersonText(scope, user)) text += piece
  return JSON.parse(text) as OperationOutput<'exportPerson'>
}

async function* document(scope: Scope, user: string, ids: readonly string[]): AsyncGenerator<string> {
  const head = { schema: PERSON_EXPORT_SCHEMA, exportedAt: scope.now(), userId: user }
  yield JSON.stringify(head).slice(0, -1)
  yield* list('sessions', sessions(scope, ids))
  yield* list('contexts', contexts(scope, ids))
  yield* list('memories', memories(scope, ids))
  yield* list('facts', facts(scope, ids))
  yield* list('grants', grants(scope, ids))
  yield '}'
}

async function* list(name: string, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = `,${JSON.stringify(name)}:[`
  for await (const item of items) {
    yield before + JSON.stringify(item)
    before = ','
  }
  yield before === ',' ? ']' : `${before}]`
}

async function* sessions(scope: Scope, ids: readonly string[]): AsyncGenerator<unknown> {
  const sql = `SELECT ${SESSION_COLUMNS} FROM ${PERSON_SESSIONS} WHERE tenant = ?1 AND user_id = ?2 AND session > ?3
    ORDER BY session LIMIT ${PAGE}`
  for (const id of ids) {
    yield* paged<SessionRow, string>(
      '',
      async (after) => rows(scope, sql, id, after),
      ({ session }) => session,
      async (row) => ({
        ...sessionOf(row),
        messages: (await scope.conversations.transcript(row.session)) ?? [],
      }),
    )
  }
}

async function* contexts(scope: Scope, ids: readonly string[]): AsyncGenerator<unknown> {
  const sql = `SELECT ${CONTEXT_COLUMNS} FROM contexts
    WHERE contexts.tenant = ?1 AND contexts.user_id = ?2 AND (contexts.created_at, contexts.row) > (?3, ?4)
    ORDER BY contexts.created_at, contexts.row LIMIT ${PAGE}`
  for (const id of ids) {
    yield* paged<ContextRow, RowPosition>(
      START,
      async ([at, row]) => rows(scope, sql, id, at, row),
      positionOfRow,
      async (row) => ({
        ...contextOf(row),
        previousVersions: row.version > 1 ? await versions(scope, row.id) : [],
      }),
    )
  }
}

async function versions(scope: Scope, context: string): Promise<readonly ContextVersion[]> {
  const sql = `SELECT version, status, purpose, description, data, at, made_by FROM context_versions
    WHERE tenant = ?1 AND context_id = ?2 AND version > ?3 ORDER BY version LIMIT ${PAGE}`
  const all: ContextVersion[] = []
  for (;;) {
    const page = await rows<VersionRow>(scope, sql, context, all.at(-1)?.version ?? 0)
    all.push(...page.map(versionOf))
    if (page.length < PAGE) return all
  }
}

interface VersionRow extends Omit<ContextVersion, 'data' | 'timestamp' | 'updatedBy'> {
  readonly data: string
  readonly at: number
  readonly made_by: string
}

function versionOf({ data, at: timestamp, made_by: updatedBy, ...rest }: VersionRow): ContextVersion {
  return { ...rest, data: JSON.parse(data) as FreeData, timestamp, updatedBy }
}

async function* memories(scope: Scope, ids: readonly string[]): AsyncGenerator<unknown> {
  const sql = `SELECT ${MEMORY_COLUMNS} FROM memories
    WHERE tenant = ?1 AND user_id = ?2 AND (created_at, row) > (?3, ?4) ORDER BY created_at, row LIMIT ${PAGE}`
  for (const id of ids) {
    yield* paged<MemoryRow, RowPosition>(
      START,
      async ([at, row]) => rows(scope, sql, id, at, row),
      positionOfRow,
      memoryOf,
    )
  }
}

async function* facts(scope: Scope, ids: readonly string[]): AsyncGenerator<unknown> {
  const sql = `SELECT key, value, source, confidence, at FROM facts
    WHERE tenant = ?1 AND user_id = ?2 AND key > ?3 ORDER BY key LIMIT ${PAGE}`
  for (const id of ids) {
    yield* paged<PersonFact, string>(
      '',
      async (after) => rows(scope, sql, id, after),
      ({ key }) => key,
      (row) => row,
    )
  }
}

async function* grants(scope: Scope, ids: readonly string[]): AsyncGenerator<unknown> {
  for (const person of ids) {
    let cursor: string | undefined
    do {
      const page = await listGrants(scope, { person, limit: PAGE, cursor })
      yield* page.items
      cursor = page.next ?? undefined
    } while (cursor !== undefined)
  }
}

/** The position of a page's last row: the row's creation time and number. */
type RowPosition = readonly [number, number]
const START: RowPosition = [-1, -1]

function positionOfRow({ created_at, row }: { readonly created_at: number; readonly row: number }): RowPosition {
  return [created_at, row]
}

async function* paged<Row, At>(
  start: At,
  read: (after: At) => Promise<readonly Row[]>,
  positionOf: (row: Row) => At,
  tell: (row: Row) => unknown,
): AsyncGenerator<unknown> {
  let after = start
  for (;;) {
    const page = await read(after)
    for (const row of page) yield await tell(row)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = positionOf(last)
  }
}

/** The id of the export's schema. A changed format gets another number. */
export const PERSON_EXPORT_SCHEMA = 'https://walkon.dev/schema/person-export-1.json'

/** Returns the JSON Schema (2020-12) of an export, made from the zod schema `personExport`. */
export function personExportSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(personExport, { io: 'output' })
  return { $schema, $id: PERSON_EXPORT_SCHEMA, title: 'Everything that is known of a person', ...schema }
}
