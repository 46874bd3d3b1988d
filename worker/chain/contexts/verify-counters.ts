import { rows, rowsTogether, type Scope, statement } from '../scope.ts'
import type { IntegrityFinding } from './integrity.ts'

/** The most contexts that one page counts. Only a page with a single space may count more. */
const MOST_COUNTED = 5_000
const MOST_SPACES = 200

export interface Counters {
  readonly findings: readonly IntegrityFinding[]
  /** The last space that this page counted. The next page begins after this space. Null on the last page. */
  readonly next: string | null
}

/** The name of a counter, its stored value (`kept`) and its true value (`found`). */
interface CounterComparison {
  readonly what: string
  readonly kept: number
  readonly found: number
}

/**
 * Counts the contexts of the spaces after the space `after` and compares the numbers with the stored counters. The
 * first page (`after` is '') also checks the totals and the missing parents. Counters and contexts are read at one
 * moment, so that a simultaneous write does not look like a finding.
 */
export async function nextCounters(scope: Scope, after: string): Promise<Counters> {
  const spaces = await spacesAfter(scope, after)
  const last = spaces.at(-1)
  const asked = [
    ...(last === undefined ? [] : [statement(scope, SPACES, after, last)]),
    ...(after === '' ? [statement(scope, ALTOGETHER), statement(scope, MISSING)] : []),
  ]
  const compared = asked.length === 0 ? [] : (await rowsTogether(scope, asked)).flat()
  return { findings: (compared as unknown as readonly CounterComparison[]).map(findingOf), next: last ?? null }
}

async function spacesAfter(scope: Scope, after: string): Promise<readonly string[]> {
  const sql = `SELECT space, sum(n) AS n FROM context_counts WHERE tenant = ?1 AND space > ?2
    GROUP BY space ORDER BY space LIMIT ${MOST_SPACES}`
  const found = await rows<{ space: string; n: number }>(scope, sql, after)
  let sum = 0
  return found.filter(({ n }, at) => (sum += n) <= MOST_COUNTED || at === 0).map(({ space }) => space)
}

function findingOf({ what, kept, found }: CounterComparison): IntegrityFinding {
  return { kind: 'wrong-count', contextId: '', found: `${what}: ${kept}`, expected: String(found) }
}

const KIND = 'space, status, depth, leaf'
const NAMED = "json_array(space, status, depth, CASE leaf WHEN 1 THEN 'leaf' ELSE 'parent' END)"

/** Selects the counters of the spaces after `?2` up to `?3` that differ from the number of contexts. */
const SPACES = `SELECT ${NAMED} AS what, sum(kept) AS kept, sum(found) AS found FROM (
    SELECT ${KIND}, n AS kept, 0 AS found FROM context_counts WHERE tenant = ?1 AND space > ?2 AND space <= ?3
    UNION ALL
    SELECT space, status, depth, child_count = 0 AS leaf, 0 AS kept, 1 AS found
    FROM contexts INDEXED BY contexts_by_space WHERE tenant = ?1 AND space > ?2 AND space <= ?3
  ) AS both GROUP BY ${KIND} HAVING sum(kept) <> sum(found)`

/** Selects the totals over all spaces (stored under '') that differ from the sum of the spaces' counters. */
const ALTOGETHER = `SELECT ${NAMED} AS what, sum(kept) AS kept, sum(found) AS found FROM (
    SELECT ${KIND}, n AS kept, 0 AS found FROM context_counts WHERE tenant = ?1 AND space = ''
    UNION ALL
    SELECT '' AS space, status, depth, leaf, 0 AS kept, n AS found FROM context_counts WHERE tenant = ?1 AND space > ''
  ) AS both GROUP BY ${KIND} HAVING sum(kept) <> sum(found)`

/** Selects the rows of `missing_parents` that are wrong: the parent exists, or its number of children differs. */
const MISSING = `SELECT 'children of the missing ' || id AS what, kept, found FROM (
    SELECT missing_parents.id, missing_parents.children AS kept,
      CASE WHEN EXISTS (SELECT 1 FROM contexts AS parent WHERE parent.tenant = ?1 AND parent.id = missing_parents.id)
        THEN 0
        ELSE (SELECT count(*) FROM contexts AS child INDEXED BY contexts_by_parent
          WHERE child.tenant = ?1 AND child.parent_id = missing_parents.id) END AS found
    FROM missing_parents WHERE tenant = ?1
  ) AS both WHERE kept <> found`
