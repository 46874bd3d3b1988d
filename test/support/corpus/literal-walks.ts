import { type Graph, nodeOf, type SpeakingNode, speaks } from '../../../worker/core/graph/graph.ts'
import type { Policy } from '../../../worker/core/graph/policy.ts'
import { closingCommands } from '../../../worker/core/walk/command.ts'
import type { CommandEffect, Step, WalkEvent } from '../../../worker/core/walk/event.ts'
import { step } from '../../../worker/core/walk/step.ts'
import type { Walk } from '../../../worker/core/walk/walk.ts'
import type { Implementation } from './implementation.ts'

type Walker = Implementation['step']

/**
 * Walkers that differ from the deployed walker in one point each: they take one sentence of the source documents word
 * for word. The key is the id of the case in which the difference shows.
 */
export const LITERAL_WALKS: Readonly<Record<string, Walker>> = {
  'walker-1': withoutReset,
  'walker-1b': withoutReset,
  'walker-2': withPolicy({ exchangeLimit: 6 }),
  'walker-3': withPolicy({ stallBackstop: Number.MAX_SAFE_INTEGER }),
  'walker-4': forceClosing,
  'walker-5': withNode('DECISIVE', { isGate: false }),
  'walker-6': withoutForkState,
  'walker-7': armingForEver,
  'walker-8': resolvingNextTurn,
  'walker-9': satisfiedByReportsAlone,
  'walker-9b': satisfiedByPassing,
  'walker-10': (graph, walk, event) => step(revealAsNode(graph), walk, event),
  'walker-10b': revealingEachTurn,
  'walker-11': comparingLetters,
  'walker-12': movingFirst,
  'walker-13': withNode('DEEPEN', { selfLoop: false }),
  'walker-14': goingToNothing,
  'walker-15': believingReports,
  'walker-16': withPolicy({ detourGrace: 0 }),
  'walker-17c': withNode('DEEPEN', { minTurns: 3, maxTurns: 3 }),
  'walker-20c': ignoringMissingReports,
  'walker-22': withPolicy({ stallBackstop: Number.MAX_SAFE_INTEGER, pivotPatience: Number.MAX_SAFE_INTEGER }),
  'walker-24b': step,
  'walker-25': takingEverything,
  'machine-1': matchingEachTransition,
  'machine-2': speakingAtReturns,
  'machine-3b': sendingAtOnce,
  'machine-5': withInside({ silentSteps: 17 }),
  'machine-5b': withInside({ silentSteps: 15 }),
  'machine-6b': forgettingQueries,
  'machine-6c': forgettingQueries,
  'machine-9': returningOnce,
  'machine-11c': withInside({ depth: 99 }),
  'machine-12d': offeringNoExitsUnderBehavior,
}

/** Does not reset the turn count at a new node. */
function withoutReset(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const next = step(graph, walk, event)
  if (next.walk.visits.length === walk.visits.length) return next
  return changed(next, { turns: walk.turns + (event.type === 'report' ? 1 : 0) })
}

function withPolicy(policy: Partial<Policy>): Walker {
  return (graph, walk, event) => step({ ...graph, policy: { ...graph.policy, ...policy } }, walk, event)
}

function withInside(inside: Partial<Policy['inside']>): Walker {
  return (graph, walk, event) =>
    step({ ...graph, policy: { ...graph.policy, inside: { ...graph.policy.inside, ...inside } } }, walk, event)
}

function withNode(id: string, change: Partial<SpeakingNode>): Walker {
  return (graph, walk, event) => step(nodeChanged(graph, id, change), walk, event)
}

function nodeChanged(graph: Graph, id: string, change: Partial<SpeakingNode>): Graph {
  const node = nodeOf(graph, id)
  if (!speaks(node)) throw new Error(`nobody speaks in ${id}`)
  return { ...graph, nodes: { ...graph.nodes, [id]: { ...node, ...change } as SpeakingNode } }
}

/** Reads "Force-closes" literally: ends the conversation at once. */
function forceClosing(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const next = step(graph, walk, event)
  if (!next.trace.some((entry) => entry.type === 'decision' && entry.decision.reason === 'backstop')) return next
  return {
    ...changed(next, { end: { completion: 'earned' } }),
    effects: closingCommands(graph, { completion: 'earned' }),
  }
}

/** Stores nothing about a fork. The source document gives a walk four fields, and none of them is about forks. */
function withoutForkState(graph: Graph, walk: Walk, event: WalkEvent): Step {
  return changed(step(graph, walk, event), { pivots: {} })
}

/**
 * Reads "Not resolved: arm" literally: as long as the fork is open, sends the fork's command in every turn, although
 * the page already has it.
 */
function armingForEver(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const next = withPolicy({ pivotPatience: Number.MAX_SAFE_INTEGER })(graph, walk, event)
  const node = nodeOf(graph, walk.node)
  if (event.type !== 'report' || node.kind !== 'pivot' || next.effects.length > 0) return next
  const again: CommandEffect = {
    type: 'command',
    id: `AI_PivotMoment:${node.id}`,
    command: { name: 'AI_PivotMoment', pivot: node.id, question: node.pivot.question, choices: [] },
  }
  return { ...next, effects: [again] }
}

/** Stores a choice and acts on it only in the next turn. */
function resolvingNextTurn(graph: Graph, walk: Walk, event: WalkEvent): Step {
  if (event.type !== 'pivot-choice') return step(graph, walk, event)
  const chosen = { ...walk.pivots, [walk.node]: { state: 'chosen', choice: event.choice } as const }
  return { walk: { ...walk, pivots: chosen }, effects: [], trace: [] }
}

function satisfiedByReportsAlone(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const next = step(graph, walk, event)
  return event.type === 'pivot-choice' ? changed(next, { satisfied: walk.satisfied }) : next
}

/** Counts a fork that the walk passed without a choice as resolved, and the node of a resolved fork as satisfied. */
function satisfiedByPassing(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const next = step(graph, walk, event)
  const isPassed = next.trace.some((entry) => entry.type === 'decision' && entry.decision.reason === 'pivot-timeout')
  return isPassed ? changed(next, { satisfied: [...next.walk.satisfied, walk.node], forced: walk.forced }) : next
}

/**
 * Makes the overlay of the node RESOLVE a node of its own, to which a conditional exit leads. This node takes one turn.
 */
function revealAsNode(graph: Graph): Graph {
  const resolve = nodeOf(graph, 'RESOLVE')
  if (!speaks(resolve) || !resolve.overlay) return graph
  const { when, content } = resolve.overlay
  const reveal = { ...resolve, id: 'KEY_REVEAL', content: [content], overlay: null, minTurns: 1, maxTurns: 1 }
  const branch = { id: 'conditional', by: 'guard', when, to: 'KEY_REVEAL', returnTo: null } as const
  const from = { ...resolve, overlay: null, exits: [branch, ...resolve.exits] }
  return {
    ...graph,
    nodes: { ...graph.nodes, RESOLVE: from, KEY_REVEAL: reveal },
    order: [...graph.order, 'KEY_REVEAL'],
  }
}

/**
 * Reads "Not key_reveal_done" literally. Nothing ever sets this flag, so the walker reveals the content of the overlay
 * again in each turn.
 */
function revealingEachTurn(graph: Graph, walk: Walk, event: WalkEvent): Step {
  return changed(step(graph, { ...walk, overlays: [] }, event), {})
}

/**
 * Compares the levels in `rel >= COOPERATIVE` as texts, by the alphabet. Then every level is at least `cooperative`.
 */
function comparingLetters(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const { overlay, ...node } = nodeOf(graph, walk.node) as SpeakingNode
  const isOpen = walk.relationship.level >= 'cooperative'
  const opened = overlay && isOpen ? { ...overlay, when: { all: [] } } : overlay
  return step(nodeChanged(graph, node.id, { overlay: opened }), walk, event)
}

/** Moves the pointer first and updates the relationship afterwards. */
function movingFirst(graph: Graph, walk: Walk, event: WalkEvent): Step {
  if (event.type !== 'report') return step(graph, walk, event)
  const next = step(graph, walk, { ...event, report: { ...event.report, engagement_score: 0 } })
  const { relationship } = step(graph, walk, event).walk
  return changed(next, { relationship })
}

/** Reads `Goto(None)` as a move to no node. So the conversation does not end. */
function goingToNothing(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const next = step(graph, walk, event)
  return next.walk.end ? { ...changed(next, { end: null, emitted: walk.emitted }), effects: [] } : next
}

function believingReports(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const next = step(graph, walk, event)
  if (event.type !== 'report' || !event.report.is_conversation_complete) return next
  return {
    ...changed(next, { end: { completion: 'earned' } }),
    effects: closingCommands(graph, { completion: 'earned' }),
  }
}

function ignoringMissingReports(graph: Graph, walk: Walk, event: WalkEvent): Step {
  if (event.type !== 'report' || event.quality !== 'missing') return step(graph, walk, event)
  return { walk: { ...walk, seq: walk.seq + 1, open: null }, effects: [], trace: [] }
}

/** Accepts events that come too late or too early, as if events did not say to which turn they belong. */
function takingEverything(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const seq = walk.seq + 1
  if (event.type === 'learner') return step(graph, { ...walk, open: null }, { ...event, seq })
  if (event.type !== 'report') return step(graph, walk, event)
  const { turnId } = event
  const opened = walk.open ? walk : step(graph, walk, { type: 'learner', turnId, seq }).walk
  return step(graph, opened, { ...event, turnId: opened.open?.turnId ?? turnId, seq })
}

/**
 * Reads "One behavior per state transition" literally: after every move, asks again which behavior fits the learner's
 * message.
 */
function matchingEachTransition(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const next = step(graph, walk, event)
  const isAnswer = event.type === 'selection' && next.trace.some(({ type }) => type === 'moved')
  if (!isAnswer) return next
  const [asked] = step(graph, { ...walk, open: null }, { type: 'learner', turnId: 'again', seq: walk.seq + 1 }).effects
  return { ...next, effects: asked ? [...next.effects, asked] : next.effects }
}

/**
 * Lets the colleague speak in the terminal of a called graph before the call returns, because the terminal is an action
 * state.
 */
function speakingAtReturns(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const modules = Object.entries(graph.modules).map(
    ([id, module]) => [id, { ...module, speaksAtReturn: true }] as const,
  )
  return step({ ...graph, modules: Object.fromEntries(modules) }, walk, event)
}

function sendingAtOnce(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const next = step(graph, walk, event)
  const early = next.walk.open?.sends.filter((send) => !walk.open?.sends.includes(send)) ?? []
  return { ...next, effects: [...next.effects, ...early] }
}

/** Does not record which queries a recall made. */
function forgettingQueries(graph: Graph, walk: Walk, event: WalkEvent): Step {
  if (event.type !== 'memories') return step(graph, walk, event)
  const found = event.memories.flatMap((memory) => memory.found)
  return step(graph, walk, { ...event, memories: [{ query: `request ${event.request}`, found }] })
}

/**
 * Lets only one call at a time return without speech. If this return leads to the terminal of another called graph, the
 * colleague speaks in that terminal.
 */
function returningOnce(graph: Graph, walk: Walk, event: WalkEvent): Step {
  const modules = Object.entries(graph.modules).map(([id, module]) => {
    const isLandedOn = walk.stack.includes(module.terminal)
    return [id, isLandedOn ? { ...module, terminal: '' } : module] as const
  })
  return step({ ...graph, modules: Object.fromEntries(modules) }, walk, event)
}

/** Lets a behavior that overwrites guidelines (OVERWRITE) remove the exits of the state as well. */
function offeringNoExitsUnderBehavior(graph: Graph, walk: Walk, event: WalkEvent): Step {
  if (event.type !== 'behavior' || event.behavior === null) return step(graph, walk, event)
  return withInside({ hops: 0 })(graph, walk, event)
}

function changed(next: Step, change: Partial<Walk>): Step {
  return { ...next, walk: { ...next.walk, ...change } }
}
