import type { Graph } from '../../worker/core/graph/graph.ts'
import { EMPTY_REPORT, type Report } from '../../worker/core/reply/report.ts'
import type { Effect, Pick, Request, Step, Trace, WalkEvent } from '../../worker/core/walk/event.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'

/**
 * How a test answers the requests of a walk. If an answer is missing here, a default is used, such as the first action
 * or no memory.
 */
export interface Answers {
  /** The picks for the selections in order. After the last one, the default is the first action or the first exit. */
  picks?: readonly (Pick | null)[]
  behavior?: string | null
  found?: readonly string[]
  queries?: readonly string[]
  reflection?: string
  report?: Partial<Report>
}

export interface Told {
  readonly walk: Walk
  readonly effects: readonly Effect[]
  readonly trace: readonly Trace[]
  readonly events: readonly WalkEvent[]
}

/** Plays one whole turn, from the learner's message until the walk waits for the next message. */
export function tell(graph: Graph, from: Walk, answers: Answers = {}): Told {
  const picks = [...(answers.picks ?? [])]
  const told = { effects: [] as Effect[], trace: [] as Trace[], events: [] as WalkEvent[] }
  const turnId = `t${from.seq + 1}`
  let walk = from
  let event: WalkEvent | null = { type: 'learner', turnId, seq: from.seq + 1 }
  while (event) {
    const stepped: Step = step(graph, walk, event)
    told.events.push(event)
    told.effects.push(...stepped.effects)
    told.trace.push(...stepped.trace)
    walk = stepped.walk
    event = nextEvent(stepped, turnId, from.seq + 1, answers, picks)
  }
  return { walk, ...told }
}

function nextEvent(
  { effects }: Step,
  turnId: string,
  seq: number,
  answers: Answers,
  picks: (Pick | null)[],
): WalkEvent | null {
  const asked = effects.find((effect) => effect.type === 'brief' || effect.type.endsWith('-request'))
  if (!asked) return null
  if (asked.type === 'brief') {
    const report = { ...EMPTY_REPORT, ...answers.report }
    return { type: 'report', turnId, seq, report, quality: 'clean' }
  }
  return answerTo(asked as Request, turnId, answers, picks)
}

function answerTo(request: Request, turnId: string, answers: Answers, picks: (Pick | null)[]): WalkEvent {
  const at = { turnId, request: request.request }
  switch (request.type) {
    case 'behavior-request':
      return { type: 'behavior', ...at, behavior: answers.behavior ?? null }
    case 'selection-request': {
      const plain: Pick = request.actions.length > 0 ? { action: 0 } : { exit: 0 }
      return { type: 'selection', ...at, pick: picks.length > 0 ? (picks.shift() ?? null) : plain }
    }
    case 'recall-request': {
      const queries = request.queries ?? answers.queries ?? ['what was written']
      return { type: 'memories', ...at, memories: queries.map((query) => ({ query, found: answers.found ?? [] })) }
    }
    case 'reflection-request':
      return { type: 'reflection', ...at, text: answers.reflection ?? 'so it is' }
  }
}

/** Plays several turns one after the other. */
export function tellAll(graph: Graph, turns: readonly Answers[], from: Walk = startWalk(graph)): Told {
  let walk = from
  const all = { effects: [] as Effect[], trace: [] as Trace[], events: [] as WalkEvent[] }
  for (const answers of turns) {
    const told = tell(graph, walk, answers)
    walk = told.walk
    all.effects.push(...told.effects)
    all.trace.push(...told.trace)
    all.events.push(...told.events)
  }
  return { walk, ...all }
}
