import { QUERIES, QUERY_CHARACTERS } from '../../core/reply/read-queries.ts'
import { cap } from '../../core/reply/characters.ts'
import type { TaskScene } from '../../core/briefing/task.ts'
import type { Request } from '../../core/walk/event.ts'

/**
 * The queries for a recall that has none of its own: what is requested, taken apart where it lists things; without a
 * request, what the learner wrote. What was asked before is not asked again.
 */
export function writeQueries(
  { requested, performed }: Extract<Request, { type: 'recall-request' }>,
  { learner }: TaskScene,
): readonly string[] {
  const asked = new Set(performed.map(folded))
  const parts = requested === null ? [learner] : requested.split(/[;\n]+|,\s+(?:and\s+)?|[.?!]\s+/)
  const queries = parts.map((part) =>
    cap(
      part
        .replace(/\s+/g, ' ')
        .trim()
        .replace(/[.?!]$/, ''),
      QUERY_CHARACTERS,
    ),
  )
  const fresh = queries.filter((query) => /[\p{L}\p{N}]/u.test(query) && !asked.has(folded(query)))
  return [...new Map(fresh.map((query) => [folded(query), query])).values()].slice(0, QUERIES)
}

function folded(query: string): string {
  return query.toLowerCase().trim()
}
