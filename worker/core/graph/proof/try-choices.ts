import { EMPTY_REPORT, OWN_ANSWER } from '../../reply/report.ts'
import { mayResume } from '../../walk/after.ts'
import type { Trace, WalkEvent } from '../../walk/event.ts'
import { cutsShort } from '../../walk/move.ts'
import { levelOf } from '../../walk/relationship.ts'
import type { Walk } from '../../walk/walk.ts'
import {
  isGuarded,
  type Graph,
  nodeOf,
  type PivotNode,
  type SpeakingNode,
  speaks,
  conditionsIn,
  type Guard,
  waitsForQuestion,
} from '../graph.ts'
import { type Choice, EXPLORED, type Grain, type Move, type Walker } from './moves.ts'

const TURN = { turnId: 'explored' }

/** Returns every input that can make a difference to a walk at this point. */
export function choicesAt(graph: Graph, walk: Walk, walker: Walker): readonly Choice[] {
  const { open } = walk
  if (walk.end) return mayResume(graph, walk) ? [{ type: 'resume' }] : []
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

/**
 * Returns the inputs for a walk between turns. A turn in which the walker requests nothing but the reply is one move,
 * from the learner's message to the report.
 */
function speechAt(graph: Graph, walk: Walk, walker: Walker): readonly Choice[] {
  const asked = walker(graph, walk, { type: 'learner', ...TURN, seq: walk.seq + 1 }).walk.open?.waiting
  return asked ? [{ type: 'speak' }] : reportsAt(graph, walk)
}

function reportsAt(graph: Graph, walk: Walk): readonly Choice[] {
  const node = nodeOf(graph, walk.node)
  if (!speaks(node)) return []
  const { policy } = graph
  const isJudged = node.exits.some(isGuarded) || node.isGate
  const either = [false, true]
  const plain = { leaving: false, choice: null, wentOn: false }
  const judged = (isJudged ? either : [false]).flatMap((satisfied) =>
    (isJudged ? either : [false]).map((detour) => ({ ...plain, satisfied, detour })),
  )
  const reports = [
    ...judged,
    ...(node.landsOn === 'learner' ? [{ ...plain, satisfied: true, detour: false, wentOn: true }] : []),
    ...(policy.leaving ? either.map((satisfied) => ({ ...plain, satisfied, detour: false, leaving: true })) : []),
    ...(policy.forks && node.kind === 'pivot' ? answersAt(node, plain) : []),
  ]
  const lasts = policy.exchangeLimit === null ? [false] : either
  // A question makes a difference where it keeps a gate from ending the conversation.
  const isHeld = policy.leaving === true && !walk.open && waitsForQuestion(node, walk.stall, true)
  return reports.flatMap((report) =>
    scoresAt(graph, node, moodOf(node, report.choice)).flatMap((score) =>
      lasts.flatMap((isLast) =>
        (isHeld ? either : [false]).map((asks): Choice => ({ type: 'exchange', ...report, score, isLast, asks })),
      ),
    ),
  )
}

/**
 * Returns the reports to try for an answer that the learner types: one for each card, and one for an answer in the
 * learner's own words. Each report comes twice: with and without `wentOn` (the reply served the next node too).
 */
function answersAt({ pivot }: PivotNode, plain: { readonly leaving: boolean }) {
  return [...pivot.choices.map(({ id }) => id), OWN_ANSWER].flatMap((choice) =>
    [false, true].map((wentOn) => ({ ...plain, satisfied: false, detour: false, choice, wentOn })),
  )
}

function moodOf(node: SpeakingNode, choice: string | null): number {
  return node.kind === 'pivot' ? (node.pivot.choices.find(({ id }) => id === choice)?.mood ?? 0) : 0
}

/**
 * Returns the relationship scores to try in a node. The lowest score is always tried. If a condition of the node reads
 * the relationship level, two kinds of scores are tried too: the highest score and, for each level that a condition
 * names, the score that `mood` changes to the lowest score of that level. The highest score is needed, because a choice
 * with a negative mood always leaves the last level if the score is the lowest of that level.
 *
 * @param mood the change of the score before the walker checks the condition
 */
function scoresAt({ policy: { relationship: policy } }: Graph, node: SpeakingNode, mood: number): readonly number[] {
  const levels = new Set<string>()
  for (const exit of node.exits)
    if (isGuarded(exit) && exit.when) levelsIn(exit.when).forEach((level) => levels.add(level))
  if (node.overlay) levelsIn(node.overlay.when).forEach((level) => levels.add(level))
  if (levels.size === 0) return [policy.lowest]
  const from = policy.levels.flatMap((step) => (levels.has(step.level) ? [step.from - mood] : []))
  const within = from.map((score) => Math.min(policy.highest, Math.max(policy.lowest, score)))
  return [...new Set([policy.lowest, ...within, policy.highest])]
}

function levelsIn(guard: Guard): readonly string[] {
  return conditionsIn(guard).flatMap((condition) =>
    'relationship' in condition ? [condition.relationship.atLeast] : [],
  )
}

function picksAt(graph: Graph, walk: Walk): readonly Choice[] {
  const node = nodeOf(graph, walk.node)
  if (node.kind !== 'pivot' || walk.pivots[node.id]?.state !== 'armed') return []
  return node.pivot.choices.flatMap(({ id, mood }) =>
    scoresAt(graph, node, mood).map((score): Choice => ({ type: 'choose', choice: id, score })),
  )
}

/**
 * Returns the selections to try. Only one action of a node is tried, because the walk goes on in the same way whichever
 * action was selected.
 */
function selectionsAt(graph: Graph, walk: Walk): readonly Choice[] {
  const node = nodeOf(graph, walk.node)
  const exits = node.exits.filter((exit) => exit.by === 'choice')
  const picks = exits.map((_, exit): Choice => ({ type: 'select', exit }))
  return speaks(node) ? [{ type: 'select', exit: null }, ...picks] : picks
}

/** Applies one choice. Returns the walk after it, and the move. */
export function make(
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
    case 'resume':
      return [{ type: 'resume' }]
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
      const report = {
        ...EMPTY_REPORT,
        node_satisfied: choice.satisfied,
        detour_detected: choice.detour,
        learner_leaving: choice.leaving,
        pivot_choice: choice.choice,
        went_on: choice.wentOn,
      }
      const reported: WalkEvent = { type: 'report', ...TURN, seq, report, quality: 'clean' }
      const hints = { goodbye: false, question: choice.asks }
      return walk.open ? [reported] : [{ type: 'learner', ...TURN, seq, hints }, reported]
    }
  }
}

/**
 * Returns the queries of the current recall node. In a search with grain `coarse`, or if the actor writes the queries,
 * the query is a new one each time.
 */
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
