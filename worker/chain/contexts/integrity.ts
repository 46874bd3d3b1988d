import type { Paging } from '../api/context-shapes.ts'
import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { MAX_CONTEXT_DEPTH } from '../context.ts'
import { rowsTogether, type Scope } from '../scope.ts'
import { cursorOf, readCursor } from './cursor.ts'
import { beyond, lookBy } from './list-contexts.ts'
import { orphanPage } from './orphans.ts'
import { type Sql, statementOf } from './sql.ts'
import { type Counters, nextCounters } from './verify-counters.ts'

/** The most contexts that one page checks. */
const MOST_LOOKED_AT = 500

/**
 * Returns a page of the inconsistencies in the chain. The first pages check every context in the order of creation: its
 * ancestors, its versions and its children. The last pages count the contexts of each space and compare the numbers
 * with the stored counters. A finding that concerns no single context has '' as its `contextId`.
 *
 * @throws ChainError INVALID_CURSOR
 */
export async function verifyIntegrity(
  scope: Scope,
  { kind, limit, cursor }: OperationInput<'verifyIntegrity'>,
): Promise<OperationOutput<'verifyIntegrity'>> {
  if (kind === 'orphan') return await orphanFindings(scope, { limit, cursor })
  const self = { list: 'integrity', of: {} }
  const place = readCursor(scope, self, ['', 0, 0, 0, ''], cursor) ?? ['contexts', -1, -1, 0, '']
  const [part, createdAt, row, done, space] = place
  const looked =
    part === 'contexts'
      ? await lookAtContexts(scope, [Number(createdAt), Number(row)])
      : fromCounters(await nextCounters(scope, String(space)))
  // One check may have more findings than fit into a page. The cursor then contains how many of the check's findings
  // were returned already.
  const skip = Number(done)
  const items = looked.findings.slice(skip, skip + limit)
  if (looked.findings.length > skip + limit)
    return { items, next: cursorOf(scope, self, [...place.slice(0, 3), skip + limit, ...place.slice(4)]) }
  return { items, next: looked.next && cursorOf(scope, self, looked.next) }
}

/** Returns only the orphans, ordered by the id of the missing parent. No other context is read. */
async function orphanFindings(scope: Scope, paging: Paging): Promise<OperationOutput<'verifyIntegrity'>> {
  const { items, next } = await orphanPage(scope, paging)
  return { items: items.map(({ id, parentId }) => ({ contextId: id, ...orphanFinding(parentId) })), next }
}

interface CheckedPart {
  readonly findings: readonly IntegrityFinding[]
  /** The position of the next check; null after the last check. */
  readonly next: readonly (string | number)[] | null
}

function fromCounters({ findings, next }: Counters): CheckedPart {
  return { findings, next: next === null ? null : ['counters', 0, 0, 0, next] }
}

/** Checks the contexts after a position. After the last context, `next` is the position of the counters. */
async function lookAtContexts(scope: Scope, after: readonly number[]): Promise<CheckedPart> {
  const look = lookBy('contexts_by_time', beyond(after))
  const page: Sql = (bind) => `${look(bind)} LIMIT ${MOST_LOOKED_AT}`
  const [found, lines] = (await rowsTogether(scope, [
    statementOf(scope, (bind) => storedSql(page(bind))),
    statementOf(scope, (bind) => linesSql(page(bind))),
  ])) as unknown as readonly [readonly StoredRow[], readonly LineRow[]]
  const byStart = Map.groupBy(lines, ({ start }) => start)
  const findings = found.flatMap((row) => findingsOf(storedOf(row, (byStart.get(row.id) ?? []).map(positionOfRow))))
  const last = found.at(-1)
  const isLast = last === undefined || found.length < MOST_LOOKED_AT
  return { findings, next: isLast ? ['counters', 0, 0, 0, ''] : ['contexts', last.created_at, last.row, 0, ''] }
}

interface PositionRow {
  readonly id: string
  readonly parent_id: string | null
  readonly root_id: string
  readonly depth: number
}

interface LineRow extends PositionRow {
  /** Id of the checked context. `id` is that context or one of its ancestors. */
  readonly start: string
}

interface StoredRow extends PositionRow {
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

/**
 * Returns SQL that selects each of a page's contexts and all ancestors of each. UNION drops repeated rows, so that the
 * recursion also ends if the parents form a cycle.
 */
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

function storedOf(row: StoredRow, line: readonly TreePosition[]): StoredContext {
  return {
    ...positionOfRow(row),
    version: row.version,
    childCount: row.child_count,
    children: row.children,
    versions: { count: row.versions, least: row.least, most: row.most },
    isCounted: row.counted === 1,
    line,
  }
}

function positionOfRow({ id, parent_id, root_id, depth }: PositionRow): TreePosition {
  return { id, parentId: parent_id, rootId: root_id, depth }
}

export type IntegrityFinding = OperationOutput<'verifyIntegrity'>['items'][number]

/** A context as it is stored, and what other rows of the database contain about the context. */
export interface StoredContext {
  readonly id: string
  readonly parentId: string | null
  readonly rootId: string
  readonly depth: number
  readonly version: number
  readonly childCount: number
  /** The number of contexts that name this context as their parent. */
  readonly children: number
  /**
   * The earlier states of this context: their number, and the least and the greatest version (null if there are no
   * earlier states).
   */
  readonly versions: { readonly count: number; readonly least: number | null; readonly most: number | null }
  /**
   * True if the counters include the context: `context_counts` has a row for its space, status, depth and leaf (whether
   * it has no children). If the context's parent is missing, `missing_parents` must also have a row for that parent.
   */
  readonly isCounted: boolean
  /** The context and all its ancestors, in any order. */
  readonly line: readonly TreePosition[]
}

export interface TreePosition {
  readonly id: string
  readonly parentId: string | null
  readonly rootId: string
  readonly depth: number
}

function findingsOf(stored: StoredContext): readonly IntegrityFinding[] {
  return [...positionFindings(stored), ...versionFindings(stored), ...countFindings(stored)]
}

/**
 * Compares a context's root and depth with its ancestors. The true root of an orphan is unknown. So the contexts under
 * an orphan are compared with the root and depth that the orphan has, and only the orphan itself is reported. A cycle
 * of parents has no root and is a finding of its own.
 */
function positionFindings({ id, parentId, rootId, depth, line }: StoredContext): readonly IntegrityFinding[] {
  const ids = new Set(line.map((each) => each.id))
  const top = line.find((each) => each.parentId === null || !ids.has(each.parentId))
  if (!top) return [{ kind: 'cycle', contextId: id, found: `parent ${parentId}`, expected: 'a way up to a root' }]
  const steps = line.length - 1
  const isOrphaned = top.parentId !== null
  const root = isOrphaned ? top.rootId : top.id
  const level = (isOrphaned ? top.depth : 0) + steps
  return [
    ...some(isOrphaned && top.id === id, orphanFinding(parentId)),
    ...some(rootId !== root, { kind: 'wrong-root', found: rootId, expected: root }),
    ...some(depth !== level, { kind: 'wrong-depth', found: String(depth), expected: String(level) }),
    ...some(level > MAX_CONTEXT_DEPTH, {
      kind: 'too-deep',
      found: String(level),
      expected: `at most ${MAX_CONTEXT_DEPTH}`,
    }),
  ].map((each) => ({ contextId: id, ...each }))
}

function orphanFinding(parentId: string | null) {
  return { kind: 'orphan', found: `parent ${parentId}`, expected: 'a parent that is there' } as const
}

/** Checks that every version before the context's present one is stored exactly once, from 1 on. */
function versionFindings({ id, version, versions }: StoredContext): readonly IntegrityFinding[] {
  const { count, least, most } = versions
  const fits = count === version - 1 && (count === 0 || (least === 1 && most === count))
  const range = count === 0 ? 'none' : `${count} from ${least} to ${most}`
  const expected = version === 1 ? 'none' : `${version - 1} from 1 to ${version - 1}`
  return some(!fits, { kind: 'version-gap', contextId: id, found: range, expected })
}

function countFindings({ id, childCount, children, isCounted }: StoredContext): readonly IntegrityFinding[] {
  return [
    ...some(childCount !== children, { kind: 'wrong-count', found: `${childCount} children`, expected: `${children}` }),
    ...some(!isCounted, { kind: 'wrong-count', found: 'not counted', expected: 'counted' }),
  ].map((each) => ({ contextId: id, ...each }))
}

function some<const T>(condition: boolean, finding: T): readonly T[] {
  return condition ? [finding] : []
}
