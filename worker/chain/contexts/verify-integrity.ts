import type { Input, Output } from '../api/operations.ts'
import { rowsTogether, type Scope } from '../scope.ts'
import { type Sql, statementOf } from './condition.ts'
import { cursorOf, placeOf } from './cursor.ts'
import { type Finding, findingsOf, type Place, type Stored } from './findings.ts'
import { beyond, lookBy } from './list-contexts.ts'
import { type Counters, nextCounters } from './verify-counters.ts'

/** So many contexts are looked at for a page. */
const MOST_LOOKED_AT = 500

/**
 * A page of everything in the chain that does not fit together (B2-15). First every context is looked at, in the order of
 * time, with its way up, its versions and its children; then the counters are counted again, space by space. A finding
 * that is about no single context has '' for its `contextId`.
 *
 * @throws ChainError INVALID_CURSOR
 */
export async function verifyIntegrity(
  scope: Scope,
  { limit, cursor }: Input<'verifyIntegrity'>,
): Promise<Output<'verifyIntegrity'>> {
  const self = { list: 'integrity', of: {} }
  const place = placeOf(scope, self, ['', 0, 0, 0, ''], cursor) ?? ['contexts', -1, -1, 0, '']
  const [part, createdAt, row, done, space] = place
  const looked =
    part === 'contexts'
      ? await lookAtContexts(scope, [Number(createdAt), Number(row)])
      : fromCounters(await nextCounters(scope, String(space)))
  // What was given of this look already is left out: a look may find more than one page takes.
  const skip = Number(done)
  const items = looked.findings.slice(skip, skip + limit)
  if (looked.findings.length > skip + limit)
    return { items, next: cursorOf(scope, self, [...place.slice(0, 3), skip + limit, ...place.slice(4)]) }
  return { items, next: looked.next && cursorOf(scope, self, looked.next) }
}

interface Look {
  readonly findings: readonly Finding[]
  /** Where the next look begins; null after the last. */
  readonly next: readonly (string | number)[] | null
}

function fromCounters({ findings, next }: Counters): Look {
  return { findings, next: next === null ? null : ['counters', 0, 0, 0, next] }
}

/** The contexts after a place, and what is wrong with each. After the last of them the counters begin. */
async function lookAtContexts(scope: Scope, after: readonly number[]): Promise<Look> {
  const look = lookBy('contexts_by_time', beyond(after))
  const page: Sql = (bind) => `${look(bind)} LIMIT ${MOST_LOOKED_AT}`
  const [found, lines] = (await rowsTogether(scope, [
    statementOf(scope, (bind) => storedSql(page(bind))),
    statementOf(scope, (bind) => linesSql(page(bind))),
  ])) as unknown as readonly [readonly StoredRow[], readonly LineRow[]]
  const byStart = Map.groupBy(lines, ({ start }) => start)
  const findings = found.flatMap((row) => findingsOf(storedOf(row, (byStart.get(row.id) ?? []).map(placeOfRow))))
  const last = found.at(-1)
  const isLast = last === undefined || found.length < MOST_LOOKED_AT
  return { findings, next: isLast ? ['counters', 0, 0, 0, ''] : ['contexts', last.created_at, last.row, 0, ''] }
}

interface PlaceRow {
  readonly id: string
  readonly parent_id: string | null
  readonly root_id: string
  readonly depth: number
}

interface LineRow extends PlaceRow {
  /** Whose line it is. */
  readonly start: string
}

interface StoredRow extends PlaceRow {
  readonly row: number
  readonly created_at: number
  readonly version: number
  readonly child_count: number
  readonly children: number
  readonly versions: number
  readonly least: number | null
  readonly most: number | null
  readonly counted: number
}

function storedSql(page: string): string {
  const versions = (what: string) =>
    `(SELECT ${what} FROM context_versions WHERE tenant = ?1 AND context_id = contexts.id)`
  return `SELECT contexts.row, contexts.created_at, contexts.id, contexts.parent_id, contexts.root_id, contexts.depth,
      contexts.version, contexts.child_count,
      (SELECT count(*) FROM contexts AS child INDEXED BY contexts_by_parent
        WHERE child.tenant = ?1 AND child.parent_id = contexts.id) AS children,
      ${versions('count(*)')} AS versions, ${versions('min(version)')} AS least, ${versions('max(version)')} AS most,
      EXISTS (SELECT 1 FROM context_counts WHERE tenant = ?1 AND space = contexts.space AND status = contexts.status
          AND depth = contexts.depth AND leaf = (contexts.child_count = 0))
        AND (contexts.parent_id IS NULL
          OR EXISTS (SELECT 1 FROM contexts AS parent WHERE parent.tenant = ?1 AND parent.id = contexts.parent_id)
          OR EXISTS (SELECT 1 FROM missing_parents WHERE tenant = ?1 AND id = contexts.parent_id)) AS counted
    FROM (${page}) AS looked CROSS JOIN contexts ON contexts.row = looked.row`
}

/** For each of a page's contexts, it and everything above it. UNION keeps nothing twice, so that a circle ends. */
function linesSql(page: string): string {
  return `WITH RECURSIVE line (start, id) AS (
      SELECT begun.id, begun.id FROM (${page}) AS looked CROSS JOIN contexts AS begun ON begun.row = looked.row
      UNION SELECT line.start, below.parent_id
      FROM line CROSS JOIN contexts AS below ON below.tenant = ?1 AND below.id = line.id
      WHERE below.parent_id IS NOT NULL
    )
    SELECT line.start, contexts.id, contexts.parent_id, contexts.root_id, contexts.depth
    FROM line CROSS JOIN contexts ON contexts.tenant = ?1 AND contexts.id = line.id`
}

function storedOf(row: StoredRow, line: readonly Place[]): Stored {
  return {
    ...placeOfRow(row),
    version: row.version,
    childCount: row.child_count,
    children: row.children,
    versions: { count: row.versions, least: row.least, most: row.most },
    isCounted: row.counted === 1,
    line,
  }
}

function placeOfRow({ id, parent_id, root_id, depth }: PlaceRow): Place {
  return { id, parentId: parent_id, rootId: root_id, depth }
}
