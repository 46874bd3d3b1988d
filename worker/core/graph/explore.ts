import { EMPTY_REPORT } from '../reply/report.ts'
import type { Reason, Step, Trace, WalkEvent } from '../walk/event.ts'
import { cutsShort } from '../walk/move.ts'
import { levelOf } from '../walk/relationship.ts'
import { startWalk, type Walk } from '../walk/walk.ts'
import type { Guard } from './guard.ts'
import { isGuarded } from './exit.ts'
import { type Graph, type NodeId, nodeOf, type SpeakingNode, speaks } from './graph.ts'

/** The walker that is explored. */
export type Walker = (graph: Graph, walk: Walk, event: WalkEvent) => Step

/** One thing that happened on a path, small enough to read in a finding. */
export interface Move {
  readonly node: NodeId
  readonly event: Choice
  readonly reason: Reason | 'ignored'
}

/** What an exploration tries at each step: everything that can matter, at every relationship a rule can tell apart. */
export type Choice =
  | {
      readonly type: 'exchange'
      readonly satisfied: boolean
      readonly detour: boolean
      /** The relationship it finds. */
      readonly score: number
      /** The exchange with which the limit of exchanges is reached. */
      readonly isLast: boolean
    }
  | { readonly type: 'choose'; readonly choice: string; readonly score: number }
  /** Somebody speaks, and something has to be settled before the answer. */
  | { readonly type: 'speak' }
  | { readonly type: 'select'; readonly exit: number | null }
  | { readonly type: 'recall'; readonly found: boolean }
  | { readonly type: 'reflect' }

/** A way a walk can stand, as far as any rule can tell. */
export interface Situation {
  readonly walk: Walk
  /** The quickest way here: the situation before and the move from it. Null at the start. */
  readonly from: { readonly situation: Situation; readonly move: Move } | null
  readonly exits: Passage[]
}

export interface Passage {
  readonly to: Situation
  readonly move: Move
}

/** More than this, and a graph counts as too large to prove. TECHNICAL needs 50. */
const MOST_SITUATIONS = 60_000

export interface Explored {
  readonly situations: readonly Situation[]
  /** False when there were too many to try them all. */
  readonly isWhole: boolean
}

/**
 * Every situation a walk can get into, breadth first from both entries.
 *
 * What a turn began with is read again only by a loop of silent nodes, and what was asked before only matters to one.
 * So situations are told apart without either at first, with recalls that can find something any time; a graph in
 * which even that meets no loop has none, and is proven. Only for the others is it gone through again to the letter.
 */
export function explore(graph: Graph, walker: Walker): Explored {
  const { hasLoops, ...explored } = exploreAll(graph, walker, 'coarse')
  return hasLoops && explored.isWhole ? exploreAll(graph, walker, 'fine') : explored
}

/** How closely situations are told apart. */
type Grain = 'coarse' | 'fine'

function exploreAll(graph: Graph, walker: Walker, grain: Grain): Explored & { readonly hasLoops: boolean } {
  const key = keyFor(graph, grain)
  const known = new Map<string, Situation>()
  const queue: Situation[] = []
  let hasLoops = false
  const meet = (walk: Walk, from: Situation['from']): Situation => {
    const name = key(walk)
    const met = known.get(name)
    if (met) return met
    const situation: Situation = { walk: withoutHistory(walk), from, exits: [] }
    known.set(name, situation)
    queue.push(situation)
    return situation
  }
  meet(startWalk(graph, 'new'), null)
  meet(startWalk(graph, 'returning'), null)
  for (let at = 0; at < queue.length; at++) {
    const here = queue[at]
    if (!here || here.walk.end) continue
    for (const choice of choicesAt(graph, here.walk, walker)) {
      const { walk, move, isLoop } = make(graph, here.walk, choice, { walker, grain })
      here.exits.push({ to: meet(walk, { situation: here, move }), move })
      hasLoops ||= isLoop
    }
    if (known.size > MOST_SITUATIONS) return { situations: queue, isWhole: false, hasLoops }
  }
  return { situations: queue, isWhole: true, hasLoops }
}

/** The moves that lead to a situation, first first. */
export function pathTo(situation: Situation): readonly Move[] {
  const moves: Move[] = []
  for (let here = situation; here.from; here = here.from.situation) moves.push(here.from.move)
  return moves.toReversed()
}

/** Whether a walk is between turns. */
export function isAtRest(walk: Walk): boolean {
  return walk.open === null
}

/** Two walks that no rule can tell apart are one situation: only what a rule reads from here on is kept. */
function keyFor(graph: Graph, grain: Grain): (walk: Walk) => string {
  const gates = new Set<NodeId>()
  for (const node of Object.values(graph.nodes)) {
    if (speaks(node) && node.isGate) gates.add(node.id)
    for (const exit of node.exits) if (isGuarded(exit) && exit.when) satisfiedIn(exit.when, gates)
    if (speaks(node) && node.overlay) satisfiedIn(node.overlay.when, gates)
  }
  const key = (walk: Walk): string => {
    const { node, stack, graceUsed, stall, overlays, queries, end, open, isCutShort } = walk
    const pivot = walk.pivots[node]
    const parts = [
      node,
      stack.join('>'),
      turnsThatCount(graph, walk),
      graceUsed,
      stall,
      walk.satisfied
        .filter((id) => gates.has(id))
        .toSorted()
        .join(),
      overlays.join(),
      grain === 'fine'
        ? queries
            .filter((query) => !query.startsWith(EXPLORED))
            .toSorted()
            .join('\n')
        : '',
      pivot?.state === 'armed' ? pivot.unanswered : '',
      isCutShort,
      end?.completion ?? '',
    ]
    if (open)
      parts.push(
        open.waiting?.for ?? 'speech',
        open.waiting?.refusals ?? 0,
        open.hops,
        open.silentSteps,
        open.passed.toSorted().join(),
        open.isSpoken,
        ...(grain === 'fine' ? [key(open.before), open.home ? key(open.home) : ''] : []),
      )
    return parts.join('|')
  }
  return key
}

/** What only a reader of the log looks at is left out, or a large graph would not fit into memory. */
function withoutHistory(walk: Walk): Walk {
  return {
    ...walk,
    visits: walk.visits.slice(-1),
    forced: [],
    emitted: [],
    thoughts: [],
    engaged: [],
    queries: walk.queries.filter((query) => !query.startsWith(EXPLORED)),
    open: walk.open && { ...walk.open, home: walk.open.home && withoutHistory(walk.open.home), sends: [] },
  }
}

/** Past what a rule asks for, one more turn makes no difference; the stall is counted beside it. */
function turnsThatCount(graph: Graph, walk: Walk): number {
  const node = nodeOf(graph, walk.node)
  if (!speaks(node)) return 0
  return Math.min(walk.turns, Math.max(node.minTurns, node.maxTurns ?? 0))
}

function satisfiedIn(guard: Guard, found: Set<NodeId>): void {
  if ('satisfied' in guard) found.add(guard.satisfied)
  else if ('all' in guard) guard.all.forEach((part) => satisfiedIn(part, found))
  else if ('any' in guard) guard.any.forEach((part) => satisfiedIn(part, found))
  else if ('not' in guard) satisfiedIn(guard.not, found)
}

/** A query nobody wrote: it is new every time. */
const EXPLORED = 'explored '
const TURN = { turnId: 'explored' }

function choicesAt(graph: Graph, walk: Walk, walker: Walker): readonly Choice[] {
  const { open } = walk
  if (!open) return [...picksAt(graph, walk), ...speechAt(graph, walk, walker)]
  if (!open.waiting) return reportsAt(graph, walk)
  switch (open.waiting.for) {
    case 'behavior':
      return [{ type: 'select', exit: null }]
    case 'selection':
      return selectionsAt(graph, walk)
    case 'recall':
      return [true, false].map((found) => ({ type: 'recall', found }))
    case 'reflection':
      return [{ type: 'reflect' }]
  }
}

/** A turn that asks for nothing in between is one move, from the learner's message to the report. */
function speechAt(graph: Graph, walk: Walk, walker: Walker): readonly Choice[] {
  const asked = walker(graph, walk, { type: 'learner', ...TURN, seq: walk.seq + 1 }).walk.open?.waiting
  return asked ? [{ type: 'speak' }] : reportsAt(graph, walk)
}

function reportsAt(graph: Graph, walk: Walk): readonly Choice[] {
  const node = nodeOf(graph, walk.node)
  if (!speaks(node)) return []
  const isJudged = node.exits.some(isGuarded) || node.isGate
  const either = [false, true]
  const lasts = graph.policy.exchangeLimit === null ? [false] : either
  return (isJudged ? either : [false]).flatMap((satisfied) =>
    (isJudged ? either : [false]).flatMap((detour) =>
      scoresAt(graph, node, 0).flatMap((score) =>
        lasts.map((isLast): Choice => ({ type: 'exchange', satisfied, detour, score, isLast })),
      ),
    ),
  )
}

/**
 * Scores to try in a node: where a condition asks for a level, both ends and one for each level. The very ends, not where
 * the last level begins: from there a cost would never hold it.
 *
 * @param mood by how much the score moves before the condition is looked at
 */
function scoresAt({ policy: { relationship: policy } }: Graph, node: SpeakingNode, mood: number): readonly number[] {
  const levels = new Set<string>()
  for (const exit of node.exits) if (isGuarded(exit) && exit.when) levelsIn(exit.when, levels)
  if (node.overlay) levelsIn(node.overlay.when, levels)
  if (levels.size === 0) return [policy.lowest]
  const from = policy.levels.flatMap((step) => (levels.has(step.level) ? [step.from - mood] : []))
  const within = from.map((score) => Math.min(policy.highest, Math.max(policy.lowest, score)))
  return [...new Set([policy.lowest, ...within, policy.highest])]
}

function levelsIn(guard: Guard, found: Set<string>): void {
  if ('relationship' in guard) found.add(guard.relationship.atLeast)
  else if ('all' in guard) guard.all.forEach((part) => levelsIn(part, found))
  else if ('any' in guard) guard.any.forEach((part) => levelsIn(part, found))
  else if ('not' in guard) levelsIn(guard.not, found)
}

function picksAt(graph: Graph, walk: Walk): readonly Choice[] {
  const node = nodeOf(graph, walk.node)
  if (node.kind !== 'pivot' || walk.pivots[node.id]?.state !== 'armed') return []
  return node.pivot.choices.flatMap(({ id, mood }) =>
    scoresAt(graph, node, mood).map((score): Choice => ({ type: 'choose', choice: id, score })),
  )
}

/** Any one action stands for all of them: which is engaged in leads nowhere else. */
function selectionsAt(graph: Graph, walk: Walk): readonly Choice[] {
  const node = nodeOf(graph, walk.node)
  const exits = node.exits.filter((exit) => exit.by === 'choice')
  const picks = exits.map((_, exit): Choice => ({ type: 'select', exit }))
  return speaks(node) ? [{ type: 'select', exit: null }, ...picks] : picks
}

function make(
  graph: Graph,
  from: Walk,
  choice: Choice,
  { walker, grain }: { walker: Walker; grain: Grain },
): { walk: Walk; move: Move; isLoop: boolean } {
  let walk = prepared(graph, from, choice)
  const trace: Trace[] = []
  for (const event of eventsOf(graph, walk, choice, grain)) {
    const stepped = walker(graph, walk, event)
    walk = stepped.walk
    trace.push(...stepped.trace)
  }
  const isLoop = trace.some(({ type }) => type === 'internal-loop')
  return { walk, move: { node: from.node, event: choice, reason: reasonIn(trace) }, isLoop }
}

function prepared(graph: Graph, from: Walk, choice: Choice): Walk {
  const { relationship: policy, exchangeLimit } = graph.policy
  const isLast = choice.type === 'exchange' && choice.isLast
  const walk: Walk = { ...from, seq: isLast ? (exchangeLimit ?? 1) - 1 : 0 }
  if (choice.type !== 'exchange' && choice.type !== 'choose') return walk
  const { score } = choice
  return { ...walk, relationship: { score, level: levelOf(score, policy) } }
}

function eventsOf(graph: Graph, walk: Walk, choice: Choice, grain: Grain): readonly WalkEvent[] {
  const seq = walk.seq + 1
  const request = walk.open?.waiting?.request ?? ''
  switch (choice.type) {
    case 'choose':
      return [{ type: 'pivot-choice', node: walk.node, choice: choice.choice }]
    case 'speak':
      return [{ type: 'learner', ...TURN, seq }]
    case 'select':
      if (walk.open?.waiting?.for === 'behavior') return [{ type: 'behavior', ...TURN, request, behavior: null }]
      return [
        { type: 'selection', ...TURN, request, pick: choice.exit === null ? { action: 0 } : { exit: choice.exit } },
      ]
    case 'recall': {
      const found = choice.found ? ['something'] : []
      const memories = queriesAt(graph, walk, grain).map((query) => ({ query, found }))
      return [{ type: 'memories', ...TURN, request, memories }]
    }
    case 'reflect':
      return [{ type: 'reflection', ...TURN, request, text: 'so' }]
    case 'exchange': {
      const report = { ...EMPTY_REPORT, node_satisfied: choice.satisfied, detour_detected: choice.detour }
      const reported: WalkEvent = { type: 'report', ...TURN, seq, report, quality: 'clean' }
      return walk.open ? [reported] : [{ type: 'learner', ...TURN, seq }, reported]
    }
  }
}

/** What is asked here. Told apart coarsely, as where the actor writes what to ask, it is new every time. */
function queriesAt(graph: Graph, walk: Walk, grain: Grain): readonly string[] {
  const node = nodeOf(graph, walk.node)
  const declared = node.kind === 'recall' && grain === 'fine' ? node.queries : null
  return declared?.filter((query) => !walk.queries.includes(query)) ?? [`${EXPLORED}${walk.queries.length}`]
}

function reasonIn(trace: readonly Trace[]): Move['reason'] {
  const decided = trace.find((entry) => entry.type === 'decision')
  const moves = trace.filter((entry) => entry.type === 'moved')
  const cut = moves.find(({ reason }) => cutsShort(reason))
  return cut?.reason ?? decided?.decision.reason ?? moves[0]?.reason ?? 'ignored'
}
