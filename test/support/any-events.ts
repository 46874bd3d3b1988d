import * as fc from 'fast-check'
import { type Graph, nodeOf } from '../../worker/core/graph/graph.ts'
import type { Report } from '../../worker/core/reply/report.ts'
import type { Pick, Step, WalkEvent } from '../../worker/core/walk/event.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { anyReport } from './walk-events.ts'

/** A generated event. The ids and the sequence number are still missing, because they depend on the walk. */
export interface Happening {
  readonly what: 'fitting' | 'choose' | 'again' | 'wrong'
  readonly n: number
  readonly pick: Pick | null
  readonly found: boolean
  readonly behavior: string | null
  readonly report: Report
}

export interface Taken {
  readonly event: WalkEvent
  readonly before: Walk
  readonly step: Step
}

/**
 * Generates an event. Most events are what the walk is waiting for, with a good or a bad answer. A few are not what the
 * walk expects.
 */
export const anyHappening: fc.Arbitrary<Happening> = fc.record({
  what: fc.oneof(
    { weight: 40, arbitrary: fc.constant('fitting' as const) },
    { weight: 2, arbitrary: fc.constant('choose' as const) },
    { weight: 1, arbitrary: fc.constant('again' as const) },
    { weight: 2, arbitrary: fc.constant('wrong' as const) },
  ),
  n: fc.nat(30),
  pick: fc.oneof(
    { weight: 8, arbitrary: fc.nat(2).map((exit): Pick => ({ exit })) },
    { weight: 3, arbitrary: fc.nat(1).map((action): Pick => ({ action })) },
    { weight: 1, arbitrary: fc.constantFrom<Pick | null>(null, { exit: -1 }, { action: 0.5 }, { exit: Number.NaN }) },
  ),
  found: fc.boolean(),
  behavior: fc.constantFrom(null, 'calm', 'crisis', 'unheard-of'),
  report: anyReport,
})

export const anyHappenings = fc.array(anyHappening, { maxLength: 80, size: 'max' })

/** Feeds events to a walk, one after the other. Each turn gets an id of its own, as in a session. */
export function happen(
  graph: Graph,
  happenings: readonly Happening[],
  from: Walk = startWalk(graph),
): readonly Taken[] {
  const taken: Taken[] = []
  let walk = from
  for (const happening of happenings) {
    const event = eventOf(graph, walk, happening, taken)
    const next = step(graph, walk, event)
    taken.push({ event, before: walk, step: next })
    walk = next.walk
  }
  return taken
}

/** Feeds a walk only events for which the walk is waiting. Stops when the walk has ended or has had `turns` turns. */
export function happenTurns(
  graph: Graph,
  happenings: readonly Happening[],
  turns: number,
  from: Walk,
): readonly Taken[] {
  const taken: Taken[] = []
  let walk = from
  for (let i = 0; !walk.end && walk.seq < turns; i++) {
    const happening = happenings[i % happenings.length]
    if (!happening) break
    const event = fittingEvent(graph, walk, { ...happening, n: happening.n + i }, `turn ${i}`)
    const next = step(graph, walk, event)
    taken.push({ event, before: walk, step: next })
    walk = next.walk
  }
  return taken
}

function eventOf(graph: Graph, walk: Walk, happening: Happening, taken: readonly Taken[]): WalkEvent {
  const name = `turn ${taken.length}`
  switch (happening.what) {
    case 'fitting':
      return fittingEvent(graph, walk, happening, name)
    case 'choose':
      return choiceOf(walk, happening)
    case 'again':
      return taken.at(-1)?.event ?? wrong(walk, happening, name)
    case 'wrong':
      return wrong(walk, happening, name)
  }
}

function wrong(walk: Walk, happening: Happening, name: string): WalkEvent {
  const events = wrongEvents(walk, happening, name)
  return events[happening.n % events.length] ?? choiceOf(walk, happening)
}

function choiceOf(walk: Walk, { n }: Happening): WalkEvent {
  return { type: 'pivot-choice', node: walk.node, choice: ['a', 'b', 'a', '__proto__'][n % 4] ?? 'a' }
}

function fittingEvent(graph: Graph, walk: Walk, happening: Happening, name: string): WalkEvent {
  const { open } = walk
  const seq = walk.seq + 1
  const isAsked = !open && walk.pivots[walk.node]?.state === 'armed'
  if (isAsked && happening.n % 4 < 2) return choiceOf(walk, happening)
  if (!open) return { type: 'learner', turnId: name, seq }
  const { turnId, waiting } = open
  if (!waiting) return { type: 'report', turnId, seq, report: happening.report, quality: 'clean' }
  const at = { turnId, request: waiting.request }
  switch (waiting.for) {
    case 'behavior':
      return { type: 'behavior', ...at, behavior: happening.behavior }
    case 'selection':
      return { type: 'selection', ...at, pick: happening.pick }
    case 'recall':
      return { type: 'memories', ...at, memories: queriesAt(graph, walk, happening).map(found(happening)) }
    case 'reflection':
      return { type: 'reflection', ...at, text: 'one two three four' }
  }
}

function queriesAt(graph: Graph, walk: Walk, { n }: Happening): readonly string[] {
  const node = nodeOf(graph, walk.node)
  const asked = node.kind === 'recall' ? node.queries?.filter((query) => !walk.queries.includes(query)) : null
  return asked ?? [`written ${n}`]
}

function found(happening: Happening) {
  return (query: string) => ({ query, found: happening.found ? [`of ${query}`] : [] })
}

/**
 * Returns events that come at the wrong time: too late, too early, from another turn, or of another kind than the walk
 * is waiting for. None of them may change the walk.
 */
export function wrongEvents(walk: Walk, { pick, report }: Happening, name: string): readonly WalkEvent[] {
  const { open } = walk
  const turnId = open?.turnId ?? name
  const request = open?.waiting?.request ?? `${turnId}:1`
  const waitsFor = open?.waiting?.for
  const seq = walk.seq + 1
  const answers: readonly WalkEvent[] = [
    { type: 'behavior', turnId, request, behavior: 'calm' },
    { type: 'selection', turnId, request, pick },
    { type: 'memories', turnId, request, memories: [{ query: 'q1', found: ['it'] }] },
    { type: 'reflection', turnId, request, text: 'so' },
  ]
  const isSpeaking = open !== null && open.waiting === null && !open.isSpoken
  return [
    { type: 'learner', turnId: name, seq: walk.seq },
    { type: 'learner', turnId: name, seq: walk.seq + 2 },
    { type: 'report', turnId: 'another', seq, report, quality: 'missing' },
    { type: 'report', turnId, seq: walk.seq + 7, report, quality: 'repaired' },
    { type: 'pivot-choice', node: 'nowhere', choice: 'a' },
    ...(open
      ? [
          { type: 'learner', turnId: name, seq } as const,
          { type: 'pivot-choice', node: walk.node, choice: 'a' } as const,
        ]
      : []),
    ...(isSpeaking ? [] : [{ type: 'report', turnId, seq, report, quality: 'clean' } as const]),
    ...answers.filter(({ type }) => waitsFor === undefined || ANSWERS[waitsFor] !== type),
    ...answers.map((answer): WalkEvent => ({ ...answer, request: 'another' }) as WalkEvent),
    ...answers.map((answer): WalkEvent => ({ ...answer, turnId: 'another' }) as WalkEvent),
  ]
}

const ANSWERS = { behavior: 'behavior', selection: 'selection', recall: 'memories', reflection: 'reflection' } as const
