import { rows, rowsTogether, type Scope, statement } from '../scope.ts'
import type { IntegrityFinding } from './integrity.ts'

/** Spaces are counted again until they have so many contexts together; one of them however many it has. */
const MOST_COUNTED = 5_000
const MOST_SPACES = 200

export interface Counters {
  readonly findings: readonly IntegrityFinding[]
  /** The space after which to go on; null after the last. */
  readonly next: string | null
}

/** How many of a kind were counted, and how many there are; what a name counts, and what it should. */
interface CounterComparison {
  readonly what: string
  readonly kept: number
  readonly found: number
}

/**
 * Counts again what is kept of the spaces after this one; before the first of them ('') what is kept of all spaces together
 * and of missing parents. What is kept and what is there are read at one moment, or writes in between would be findings.
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

/** Where the counter of a kind in one of these spaces says anything else than the contexts themselves. */
const SPACES = `SELECT ${NAMED} AS what, sum(kept) AS kept, sum(found) AS found FROM (
    SELECT ${KIND}, n AS kept, 0 AS found FROM context_counts WHERE tenant = ?1 AND space > ?2 AND space <= ?3
    UNION ALL
    SELECT space, status, depth, child_count = 0 AS leaf, 0 AS kept, 1 AS found
    FROM contexts INDEXED BY contexts_by_space WHERE tenant = ?1 AND space > ?2 AND space <= ?3
  ) AS both GROUP BY ${KIND} HAVING sum(kept) <> sum(found)`

/** The same of all spaces together, which are the sum of the others. */
const ALTOGETHER = `SELECT ${NAMED} AS what, sum(kept) AS kept, sum(found) AS found FROM (
    SELECT ${KIND}, n AS kept, 0 AS found FROM context_counts WHERE tenant = ?1 AND space = ''
    UNION ALL
    SELECT '' AS space, status, depth, leaf, 0 AS kept, n AS found FROM context_counts WHERE tenant = ?1 AND space > ''
  ) AS both GROUP BY ${KIND} HAVING sum(kept) <> sum(found)`

/** Names of parents that are there, or that nobody has, or not so many as is kept. */
const MISSING = `SELECT 'children of the missing ' || id AS what, kept, found FROM (
    SELECT missing_parents.id, missing_parents.children AS kept,
      CASE WHEN EXISTS (SELECT 1 FROM contexts AS parent WHERE parent.tenant = ?1 AND parent.id = missing_parents.id)
        THEN 0
        ELSE (SELECT count(*) FROM contexts AS child INDEXED BY contexts_by_parent
          WHERE child.tenant = ?1 AND child.parent_id = missing_parents.id) END AS found
    FROM missing_parents WHERE tenant = ?1
  ) AS both WHERE kept <> found`
