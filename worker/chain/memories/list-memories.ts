import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { rows, type Scope, type Statement, statement } from '../scope.ts'
import { MEMORY_COLUMNS, memoryOf, type MemoryRow } from './read-memory.ts'
import { conditionsOf, type MemoryWhere } from './memory-where.ts'
import { searchMemories } from './search-memories.ts'

/**
 * The most memories that a search returns. A search has one page, because the order of its results depends on all
 * matches.
 */
const MOST_FOUND = 100

/**
 * Returns a page of the memories that match a filter, oldest first. With `q`, returns the matches of a search, the best
 * first. `rootId` selects the memories of all contexts of a workflow.
 *
 * @throws ChainError INVALID_CURSOR
 */
export async function listMemories(
  scope: Scope,
  input: OperationInput<'listMemories'>,
): Promise<OperationOutput<'listMemories'>> {
  const { q, limit, cursor, ...where } = input
  if (q !== undefined)
    return { items: await searchMemories(scope, where, { q, limit: Math.min(limit, MOST_FOUND) }), next: null }
  const asked = listStatement(scope, where, {
    limit: limit + 1,
    after: cursor === undefined ? START : positionIn(cursor),
  })
  const found = await rows<MemoryRow>(scope, asked.sql, ...asked.values.slice(1))
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(memoryOf),
    next: found.length > limit && last ? `${last.created_at}.${last.row}` : null,
  }
}

function listStatement(
  scope: Pick<Scope, 'tenant'>,
  where: MemoryWhere,
  { limit, after }: { limit: number; after: PagePosition },
): Statement {
  const { sql, values } = conditionsOf(where, 5)
  const conditions = ['tenant = ?1', ...sql, '(created_at, row) > (?2, ?3)'].join(' AND ')
  return statement(
    scope,
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE ${conditions} ORDER BY created_at, row LIMIT ?4`,
    after.createdAt,
    after.row,
    limit,
    ...values,
  )
}

interface PagePosition {
  readonly createdAt: number
  readonly row: number
}

const START: PagePosition = { createdAt: -1, row: -1 }

function positionIn(cursor: string): PagePosition {
  const [, createdAt, row] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? []
  if (createdAt === undefined || row === undefined)
    throw new ChainError('INVALID_CURSOR', 'Take the cursor from the page before.', '/query/cursor')
  return { createdAt: Number(createdAt), row: Number(row) }
}
