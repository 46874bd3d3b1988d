import { isDeepStrictEqual } from 'node:util'
import { readHints } from '../../worker/core/text/hints.ts'
import { offersOf } from '../../worker/core/walk/ask.ts'
import type { Recalled, Request, Trace, WalkEvent } from '../../worker/core/walk/event.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { type Graph, nodeOf, speaks } from '../../worker/core/graph/graph.ts'
import type { RecordedWalk } from './compare-walks.ts'
import type { Stored } from './stored-conversation.ts'

/** A recorded conversation. If the code can't walk the conversation again, `walk` says why. */
export interface Recorded {
  readonly scenario: string
  readonly npc: string
  readonly seed: number
  /** The number of turns whose reply had a report. */
  readonly turns: number
  readonly walk: ({ readonly ok: true } & RecordedWalk) | { readonly ok: false; readonly why: string }
}

/** Reads a stored conversation. Returns null if the conversation never began, or was erased. */
export function recordedIn({ session, events, turns, records, earlier }: Stored): Recorded | null {
  const [row] = session
  if (!row) return null
  const { scenario, npc, graph: stored, engine, seed, person } = row.info
  const graph = stored as unknown as Graph
  const answered = turns.filter(({ report }) => report !== null).length
  const read = { scenario: scenario.id, npc, seed, turns: answered }
  const not = (why: string): Recorded => ({ ...read, walk: { ok: false, why } })
  if (engine === 'legacy') return not('the count-based engine walked it, whose reports say nothing about nodes')
  if (earlier.length > 0) return not('it moved to another version of its graph on the way')
  const traces = tracesOf(records)
  const again = eventsOf({ graph, walk: startWalk(graph, person) }, { events, turns, traces })
  if (again === null || !isSameWalk(again.walk, row.walk))
    return not('this version of the code walks its own graph otherwise than it was recorded')
  return { ...read, walk: { ok: true, graph, person, events: again.events } }
}

type Traces = ReadonlyMap<string, readonly Trace[]>

/** Returns the trace of each turn, without its messages. */
function tracesOf(records: Stored['records']): Traces {
  const all = new Map<string, Trace[]>()
  for (const { turn, entry } of records.flatMap(({ body }) => body)) {
    if (entry.type === 'message') continue
    all.set(turn, [...(all.get(turn) ?? []), entry as unknown as Trace])
  }
  return all
}

interface Rows extends Pick<Stored, 'events' | 'turns'> {
  readonly traces: Traces
}

interface Again {
  readonly events: RecordedWalk['events']
  readonly walk: Walk
}

/**
 * Collects the events of a stored walk, and walks these events again. A report is read from the row of its turn, a
 * choice of a card from the log, and the answer to one of the walker's requests from the trace entries after the
 * request. Returns null if a row is missing, or if the new trace differs from the stored trace.
 */
function eventsOf(start: { graph: Graph; walk: Walk }, { events, turns, traces }: Rows): Again | null {
  const { graph } = start
  const found: { turn: number; event: WalkEvent }[] = []
  const behaviors = behaviorsOf(graph, traces)
  const rest = new Map([...traces].map(([turn, trace]) => [turn, withoutSent(trace)]))
  let { walk } = start
  for (const { body } of events.toSorted((a, b) => a.seq - b.seq)) {
    if (body.type === 'pivot-end' && body.choice && body.typed === undefined) {
      const event = { type: 'pivot-choice', node: body.pivot, choice: body.choice.id } as const
      found.push({ turn: body.turn, event })
      walk = step(graph, walk, event).walk
    }
    if (body.type !== 'turn') continue
    const row = turns.find(({ id }) => id === body.turn)
    if (!row) return null
    const turnId = String(row.id)
    const left = rest.get(turnId) ?? []
    if (walk.end && left.some(isResumed)) {
      const back = step(graph, walk, { type: 'resume' })
      found.push({ turn: row.id, event: { type: 'resume' } })
      walk = back.walk
      left.splice(0, withoutSent(back.trace).length)
    }
    if (body.outcome !== 'complete') continue
    if (!row.report) return null
    let event: WalkEvent | null = saidIn(row, walk)
    while (event !== null) {
      const next = step(graph, walk, event)
      found.push({ turn: row.id, event })
      walk = next.walk
      const trace = withoutSent(next.trace)
      if (!isDeepStrictEqual(plain(trace), plain(left.splice(0, trace.length)))) return null
      event = null
      if (!walk.open) continue
      const asked = next.effects.find((effect) => effect.type !== 'command' && effect.type !== 'send')
      if (asked === undefined) return null
      event =
        asked.type === 'brief'
          ? { type: 'report', turnId, seq: walk.seq + 1, report: row.report, quality: row.quality ?? 'clean' }
          : answerTo(asked, { graph, walk, turnId, left, behavior: behaviors.get(turnId) ?? null })
    }
    if (left.length > 0) return null
  }
  return { events: found, walk }
}

function saidIn({ id, learner }: Stored['turns'][number], { seq, end }: Walk): WalkEvent {
  const said = { type: 'learner', turnId: String(id), seq: seq + 1, hints: readHints(learner) } as const
  return end ? { ...said, isAfter: true } : said
}

function withoutSent(trace: readonly Trace[]): Trace[] {
  return trace.filter(({ type }) => type !== 'sent')
}

function isResumed(entry: Trace): boolean {
  return entry.type === 'decision' && entry.decision.reason === 'resumed'
}

interface Asked {
  readonly graph: Graph
  readonly walk: Walk
  readonly turnId: string
  /** The entries of the turn's trace that the new walk has not produced yet. */
  readonly left: readonly Trace[]
  readonly behavior: string | null
}

function answerTo(asked: Request, { graph, walk, turnId, left, behavior }: Asked): WalkEvent {
  const at = { turnId, request: asked.request }
  const [next] = left
  switch (asked.type) {
    case 'behavior-request':
      return { type: 'behavior', ...at, behavior }
    case 'selection-request': {
      if (next?.type === 'action-selected') return { type: 'selection', ...at, pick: { action: next.action } }
      const node = nodeOf(graph, walk.node)
      if (next?.type !== 'exit-selected' || !(speaks(node) || node.kind === 'decide'))
        return { type: 'selection', ...at, pick: null }
      const exit = offersOf(graph, walk, node).exits.findIndex(({ id }) => id === next.exit)
      return { type: 'selection', ...at, pick: { exit } }
    }
    case 'recall-request':
      return { type: 'memories', ...at, memories: recalledIn(left, asked.node) }
    case 'reflection-request': {
      const isIts = next?.type === 'thought' && next.thought.kind === 'reflection'
      return { type: 'reflection', ...at, text: isIts && next.thought.kind === 'reflection' ? next.thought.text : '' }
    }
  }
}

/** Returns the memories that a node recalled, from the first entries of a trace. */
function recalledIn(trace: readonly Trace[], node: string): readonly Recalled[] {
  const recalled: Recalled[] = []
  for (const entry of trace) {
    if (entry.type !== 'thought' || entry.thought.kind !== 'recall' || entry.thought.node !== node) break
    recalled.push({ query: entry.thought.query, found: entry.thought.found })
  }
  return recalled
}

/**
 * Returns the behavior that matched in each turn. In a turn without an entry in the result, no behavior matched. The
 * trace doesn't say whether the active behavior matched again in a turn in which the walker kept it. The function
 * assumes that the active behavior matched again, except in the last turns before the walker released it. The walker
 * releases a behavior only after several turns without a match.
 */
function behaviorsOf({ policy }: Graph, traces: Traces): ReadonlyMap<string, string> {
  const matched = new Map<string, string>()
  const kept: string[] = []
  let active: string | null = null
  for (const [turn, trace] of traces) {
    const activated = trace.find((entry) => entry.type === 'behavior-activated')
    if (activated) {
      active = activated.behavior
      matched.set(turn, active)
      kept.length = 0
    } else if (trace.some(({ type }) => type === 'behavior-kept')) {
      if (active !== null) matched.set(turn, active)
      kept.push(turn)
    } else if (trace.some(({ type }) => type === 'behavior-released')) {
      for (const unmatched of kept.slice(-policy.inside.behaviorPatience)) matched.delete(unmatched)
      active = null
    }
  }
  return matched
}

/**
 * Returns true if a walk visited the same nodes as the stored walk, and ended in the same way. Does not compare
 * anything else.
 */
function isSameWalk(walk: Walk, stored: Stored['session'][number]['walk']): boolean {
  const { node, visits, end } = walk
  return isDeepStrictEqual(
    plain({ node, visits, end }),
    plain({ node: stored.node, visits: stored.visits, end: stored.end }),
  )
}

/** Returns a value as it would be after it was stored as JSON. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
