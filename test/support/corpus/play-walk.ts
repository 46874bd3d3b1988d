import type { NodeBrief } from '../../../worker/core/briefing/briefing.ts'
import type { Graph } from '../../../worker/core/graph/graph.ts'
import { EMPTY_REPORT } from '../../../worker/core/reply/report.ts'
import type { Effect, Request, Step, Trace, WalkEvent } from '../../../worker/core/walk/event.ts'
import { levelOf } from '../../../worker/core/walk/relationship.ts'
import type { Walk } from '../../../worker/core/walk/walk.ts'
import type { Act, Answer, From, Then, TurnAct } from './case.ts'
import type { Implementation } from './implementation.ts'

/** What one act of a case led to. */
export interface Played {
  readonly walk: Walk
  readonly effects: readonly Effect[]
  readonly trace: readonly Trace[]
}

/** A case fails if one of its turns takes more steps than this. */
const STEPS = 80

export function beginCase(by: Implementation, graph: Graph, { person = 'new', score, engine = 'graph' }: From): Walk {
  const walk = by.begin(engine, graph, person)
  if (score === undefined) return walk
  return { ...walk, relationship: { score, level: levelOf(score, graph.policy.relationship) } }
}

/** Plays an act once, or as many times as the act's field `times` says. */
export function playAct(by: Implementation, graph: Graph, from: Walk, act: Act): Played {
  const played = { walk: from, effects: [] as Effect[], trace: [] as Trace[] }
  for (let i = 0; i < (act.times ?? 1); i++) {
    const next = playOnce(by, graph, played.walk, act)
    played.walk = next.walk
    played.effects.push(...next.effects)
    played.trace.push(...next.trace)
  }
  return played
}

function playOnce(by: Implementation, graph: Graph, walk: Walk, { turn, choose, event }: Act): Played {
  if (turn) return playTurn(by, graph, walk, turn)
  if (choose !== undefined) return by.step(graph, walk, { type: 'pivot-choice', node: walk.node, choice: choose })
  if (event) return by.step(graph, walk, event)
  throw new Error('an act is a turn, a choice or an event')
}

/**
 * Plays a whole turn, from the learner's message to the turn's end. Answers each request of the walker as the case
 * says.
 */
function playTurn(by: Implementation, graph: Graph, from: Walk, turn: TurnAct): Played {
  const at = { turnId: `turn ${from.seq + 1}`, seq: from.seq + 1 }
  const answers = [...(turn.answers ?? [])]
  const effects: Effect[] = []
  const trace: Trace[] = []
  let walk = from
  let event: WalkEvent | null = { type: 'learner', ...at }
  for (let i = 0; event; i++) {
    if (i > STEPS) throw new Error('the turn does not end')
    const stepped: Step = by.step(graph, walk, event)
    walk = stepped.walk
    effects.push(...stepped.effects)
    trace.push(...stepped.trace)
    event = nextEvent(stepped, at, turn, answers)
  }
  return { walk, effects, trace }
}

function nextEvent(
  { effects }: Step,
  at: { turnId: string; seq: number },
  turn: TurnAct,
  answers: Answer[],
): WalkEvent | null {
  for (const effect of effects) {
    if (effect.type === 'brief') return { type: 'report', ...at, ...reported(turn) }
    if (effect.type !== 'command' && effect.type !== 'send') return answerTo(effect, at.turnId, answers)
  }
  return null
}

function reported({ satisfied = false, detour = false, engagement = 0, report = {}, quality = 'clean' }: TurnAct) {
  const own = { node_satisfied: satisfied, detour_detected: detour, engagement_score: engagement }
  return { report: { ...EMPTY_REPORT, ...own, ...report }, quality }
}

/**
 * Returns the case's next answer if it answers this kind of request. Otherwise returns the default answer for this kind
 * of request.
 */
function answerTo(request: Request, turnId: string, answers: Answer[]): WalkEvent {
  const at = { turnId, request: request.request }
  const take = <K extends string>(key: K) => {
    const [first] = answers
    if (!first || !(key in first)) return null
    answers.shift()
    return first as Extract<Answer, Record<K, unknown>>
  }
  switch (request.type) {
    case 'behavior-request':
      return { type: 'behavior', ...at, behavior: take('behavior')?.behavior ?? null }
    case 'selection-request': {
      const taken = take('pick')
      const plain = request.actions.length > 0 ? { action: 0 } : { exit: 0 }
      return { type: 'selection', ...at, pick: taken ? taken.pick : plain }
    }
    case 'recall-request': {
      const taken = take('found')
      const queries = request.queries ?? taken?.queries ?? ['whatever was said']
      return { type: 'memories', ...at, memories: queries.map((query) => ({ query, found: taken?.found ?? [] })) }
    }
    case 'reflection-request':
      return { type: 'reflection', ...at, text: take('text')?.text ?? 'so it is' }
  }
}

/** Returns everything about an act that a case can compare, under the names of the fields of `then`. */
export function observed({ walk, effects, trace }: Played): Required<Omit<Then, 'traced' | 'untraced'>> & {
  types: readonly string[]
} {
  return {
    walk,
    decisions: trace.flatMap((entry) =>
      entry.type === 'decision' ? [[entry.decision.from, entry.decision.to, entry.decision.reason] as const] : [],
    ),
    moves: trace.flatMap((entry) => (entry.type === 'moved' ? [[entry.from, entry.to, entry.reason] as const] : [])),
    given: effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : [])),
    sent: effects.flatMap((effect) => (effect.type === 'send' ? [effect.node] : [])),
    asked: effects.flatMap(({ type }) => (type === 'command' || type === 'send' ? [] : [type])),
    offered: effects.flatMap((effect) =>
      effect.type === 'selection-request' ? [{ actions: effect.actions, exits: effect.exits }] : [],
    ),
    recalls: effects.flatMap((effect) =>
      effect.type === 'recall-request' ? [{ queries: effect.queries, performed: effect.performed }] : [],
    ),
    told: effects.flatMap((effect) => (effect.type === 'brief' ? [toldOf(effect.node)] : [])),
    ignored: trace.flatMap((entry) => (entry.type === 'ignored' ? [entry.why] : [])),
    types: trace.map(({ type }) => type),
  }
}

function toldOf({ id, state, overlay, escalated }: NodeBrief) {
  return { node: id, action: state?.action?.index ?? null, overlay: overlay?.lines ?? null, escalated }
}
