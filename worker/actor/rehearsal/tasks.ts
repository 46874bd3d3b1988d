import { type ClassifyTask, listenFor } from '../../core/assistant/classify.ts'
import type { ToolTask } from '../../core/assistant/tools.ts'
import { pickTool } from '../assistant/speak.ts'
import type { PickTask, Task, TaskScene } from '../../core/briefing/task.ts'
import { pickFromWords } from '../../core/memory/told-of-themselves.ts'
import { cap } from '../../core/reply/characters.ts'
import { MAX_QUERIES, MAX_QUERY_CHARACTERS } from '../../core/reply/read-answer.ts'
import { synonymsOf } from '../../core/text/stems.ts'
import type { Request } from '../../core/walk/event.ts'
import { bestOf, likenesses } from './likeness.ts'
import { concludeReflection } from './conclude.ts'
import { hearMessage } from './hear.ts'
import { select } from './select.ts'
import { readable } from './spanish.ts'
import type { WordTable } from './word-table.ts'
import { firstNamesIn } from './vocabulary.ts'

/** Does a task by comparing words, and returns the answer in the JSON form that a model uses. */
export function rehearseTask(task: Task | PickTask | ClassifyTask | ToolTask, table: WordTable | null = null): string {
  if (task.request.type === 'tool-request') return JSON.stringify(pickTool(task.request, table))
  if (task.request.type === 'classify-request') {
    const { message, agents } = task.request
    return JSON.stringify({ agent: listenFor(message, agents)?.agent ?? null })
  }
  if (!('scene' in task)) return JSON.stringify(pickFromWords(task.request.said))
  const { request } = task
  const scene = readable(task.scene)
  switch (request.type) {
    case 'selection-request':
      return JSON.stringify({ action: null, exit: null, ...select(request, scene) })
    case 'behavior-request':
      return JSON.stringify({ behavior: matchTrigger(request, scene) })
    case 'recall-request':
      return JSON.stringify({ queries: request.queries ?? writeQueries(request, scene) })
    case 'reflection-request':
      return JSON.stringify({ reflection: concludeReflection(request, scene) })
  }
}

/**
 * A behavior matches only if its likeness to the message is at least `MATCHES_FROM`, and leads that of every other
 * behavior by at least `MATCHES_AHEAD`.
 */
const MATCHES_FROM = 0.5
const MATCHES_AHEAD = 0.1

/**
 * Returns the behavior that the learner's message triggers; null if none matches clearly. An active behavior that still
 * matches stays, unless another behavior matches clearly better.
 */
export function matchTrigger(
  { offered, active }: Extract<Request, { type: 'behavior-request' }>,
  { learner, scenario }: TaskScene,
): string | null {
  const candidates = offered.map(({ triggers }) => ({ descriptions: triggers, cues: [] }))
  const scores = likenesses(hearMessage(learner, firstNamesIn(scenario)), candidates, synonymsOf(scenario))
  const best = bestOf(scores)
  if (best === null || best.score < MATCHES_FROM) return null
  if (best.lead >= MATCHES_AHEAD) return offered[best.index]?.id ?? null
  const inForce = scores[offered.findIndex(({ id }) => id === active)] ?? 0
  return inForce >= MATCHES_FROM ? active : null
}

/**
 * Writes the queries of a recall whose author gave no queries: the parts of the information that the author described,
 * or else the learner's message. The result repeats no earlier query.
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
      MAX_QUERY_CHARACTERS,
    ),
  )
  const fresh = queries.filter((query) => /[\p{L}\p{N}]/u.test(query) && !asked.has(folded(query)))
  return [...new Map(fresh.map((query) => [folded(query), query])).values()].slice(0, MAX_QUERIES)
}

function folded(query: string): string {
  return query.toLowerCase().trim()
}
