import {
  type Exit,
  isSilentReturn,
  type Graph,
  type GraphNode,
  type NodeId,
  nodeOf,
  type SilentNode,
  type SpeakingNode,
  speaks,
} from '../graph/graph.ts'
import { askRecall, askReflection, askSelection, offersOf } from './ask.ts'
import { briefNode } from './brief-node.ts'
import { after, type Decision, type SendEffect, type Step, type Thought, type Trace } from './event.ts'
import { exitAfter, holds } from './decide.ts'
import { cutShort, jumpBack, leaveBy } from './move.ts'
import type { OpenTurn, PivotState, Walk } from './walk.ts'

/** The maximum number of thoughts that a walk keeps. The walk drops older thoughts; the log keeps all of them. */
const THOUGHTS = 48

/**
 * Goes on from the current node, through silent nodes and through the ends of called graphs that return without
 * speaking, until the turn waits for the actor or ends at a speaking node. The walk's turn must be open.
 */
export function travel(graph: Graph, from: Walk, before: readonly Trace[] = []): Step {
  let walk = from
  const trace = [...before]
  for (;;) {
    const node = nodeOf(graph, walk.node)
    if (returnsSilently(graph, walk)) {
      const back = jumpBack(walk)
      walk = back.walk
      trace.push(...back.trace)
      continue
    }
    if (speaks(node)) return after(trace, walk.open?.isSpoken ? rest(walk) : engage(graph, walk, node))

    const passing = pass(graph, walk, node)
    if (passing === null) return after([...trace, { type: 'internal-loop', node: node.id }], backHome(graph, walk))
    const next = visit(graph, passing, node)
    trace.push(...next.trace)
    walk = next.walk
    if (walk.open?.waiting) return { walk, effects: next.effects, trace }
  }
}

/** Requests a selection if the speaking node offers one, or else briefs the actor. */
export function engage(graph: Graph, walk: Walk, node: SpeakingNode): Step {
  const offers = offersOf(graph, walk, node)
  if (offers.exits.length > 0 || offers.actions.length > 1) return askSelection(graph, walk, node, offers)
  return briefActor(graph, walk, node, offers.actions.length > 0 ? 0 : null)
}

/**
 * Briefs the actor to speak. An overlay whose condition holds opens in this turn; it counts as shown only after the
 * report.
 */
export function briefActor(graph: Graph, walk: Walk, node: SpeakingNode, action: number | null): Step {
  const overlay = opensNow(graph, node, walk) ? node.overlay : null
  const ahead = nodeAhead(graph, node, walk)
  const briefed: Walk = openWith(walk, { waiting: null, overlay: overlay?.id ?? null, action, ...(ahead && { ahead }) })
  return {
    walk: briefed,
    effects: [{ type: 'brief', node: briefNode(graph, node, briefed, { overlay: overlay?.content ?? null, action }) }],
    trace: action === null ? [] : [{ type: 'action-selected', node: node.id, action }],
  }
}

/**
 * Returns the next node, if the actor may go on to the next node in this reply as soon as the learner's message
 * satisfies the current node. Returns null if the actor may not. Between the two nodes there may be only annotations
 * and side effects, because every other silent node needs an answer first.
 */
function nodeAhead(graph: Graph, node: SpeakingNode, walk: Walk): NodeId | null {
  if (node.landsOn !== 'learner' || walk.turns + 1 < node.minTurns) return null
  let next: Pick<Exit, 'to' | 'returnTo'> | undefined = exitAfter(node, walk, graph.policy)
  for (let steps = 0; next && steps < graph.policy.inside.silentSteps; steps += 1) {
    const to: NodeId | null = next.returnTo === null ? next.to : null
    const target: GraphNode | undefined = to === null ? undefined : graph.nodes[to]
    if (!target || target.id === node.id) return null
    // The last node gets a reply of its own. Without this rule, one reply would both answer the learner and say
    // goodbye.
    if (target.id === graph.terminal) return null
    if (speaks(target)) return target.id
    if (target.kind !== 'annotate' && target.kind !== 'effect') return null
    next = target.exits[0]
  }
  return null
}

/** Closes the turn and returns its side effects, which were held back until now. */
export function rest(walk: Walk): Step {
  const sends = walk.open?.sends ?? []
  return {
    walk: { ...walk, open: null, emitted: [...walk.emitted, ...sends.map(({ id }) => id)] },
    effects: sends,
    trace: [],
  }
}

/** Adds thoughts to the walk's thoughts, which the actor keeps in mind. */
export function think(walk: Walk, thoughts: readonly Thought[]): { walk: Walk; trace: readonly Trace[] } {
  return {
    walk: { ...walk, thoughts: [...walk.thoughts, ...thoughts].slice(-THOUGHTS) },
    trace: thoughts.map((thought) => ({ type: 'thought', thought })),
  }
}

/** Leaves a silent node by its only exit. */
export function passOn(graph: Graph, walk: Walk, node: SilentNode): { walk: Walk; trace: readonly Trace[] } {
  const [exit] = node.exits
  if (!exit) throw new Error(`node ${node.id} has no way on`)
  return leaveBy(graph, walk, exit, 'passed')
}

function visit(graph: Graph, walk: Walk, node: SilentNode): Step {
  switch (node.kind) {
    case 'annotate': {
      const noted = think(walk, [{ kind: 'annotation', node: node.id, text: node.thought }])
      return after(noted.trace, { effects: [], ...passOn(graph, noted.walk, node) })
    }
    case 'effect': {
      const send: SendEffect = { type: 'send', id: sendId(walk, node.id), node: node.id, sideEffect: node.sideEffect }
      const sent: Trace = { type: 'sent', id: send.id, node: node.id, kind: node.sideEffect.type }
      const kept = openWith(walk, { sends: [...(walk.open?.sends ?? []), send] })
      return after([sent], { effects: [], ...passOn(graph, kept, node) })
    }
    case 'recall': {
      const fresh = node.queries?.filter((query) => !walk.queries.includes(query)) ?? null
      // All queries were asked before, and would find the same memories again.
      if (fresh?.length === 0) return { effects: [], ...passOn(graph, walk, node) }
      return askRecall(walk, node, fresh)
    }
    case 'reflect':
      return askReflection(walk, node)
    case 'decide':
      return askSelection(graph, walk, node, offersOf(graph, walk, node))
  }
}

/** Returns the id of a side effect: its exchange, visit and node. The id is unique in a conversation. */
function sendId(walk: Walk, node: string): string {
  return `send:${walk.seq}:${walk.visits.length}:${node}`
}

/**
 * Counts a silent node as passed. Returns null if the turn has passed too many silent nodes, or has passed this node
 * before and found no new memories since.
 */
function pass({ policy }: Graph, walk: Walk, node: SilentNode): Walk | null {
  const open = walk.open
  if (!open || open.silentSteps >= policy.inside.silentSteps || open.passed.includes(node.id)) return null
  return openWith(walk, { silentSteps: open.silentSteps + 1, passed: [...open.passed, node.id] })
}

/**
 * Takes a turn whose silent nodes form a loop back to the walk `open.home`. Discards everything that the turn has done
 * since that walk, except a change of the active behavior. If the actor has not replied yet, briefs the actor for the
 * node of that walk, with the node's first action if there is one. If the actor has replied, ends the turn.
 */
function backHome(graph: Graph, walk: Walk): Step {
  const open = walk.open
  if (!open) return { walk, effects: [], trace: [] }
  const { behavior, activations } = walk
  const home: Walk = {
    ...open.home,
    behavior,
    activations,
    open: { ...open, sends: open.home.open?.sends ?? [], waiting: null },
  }
  const node = nodeOf(graph, home.node)
  if (open.isSpoken) {
    const asking = stillAsking(graph, home, node)
    return home.stall < graph.policy.stallBackstop ? rest(asking) : close(graph, asking)
  }
  if (!speaks(node)) return rest(home)
  return briefActor(graph, home, node, node.actions.length > 0 ? 0 : null)
}

/**
 * Moves the walk to the terminal node after `stallBackstop` exchanges without a move. A turn that went back to
 * `open.home` counts as a turn that stayed in its node.
 */
function close(graph: Graph, walk: Walk): Step {
  const decision: Decision = { from: walk.node, to: graph.terminal, reason: 'backstop' }
  const moved = cutShort(walk, graph.terminal, decision.reason)
  return after([{ type: 'decision', decision }, ...moved.trace], rest(moved.walk))
}

/**
 * Keeps a fork armed if the walk could not leave it. The cards are not shown again, and after the next exchange the
 * walker tries again to leave the fork.
 */
function stillAsking({ policy }: Graph, walk: Walk, { id, kind }: GraphNode): Walk {
  if (kind !== 'pivot') return walk
  const waiting: PivotState = { state: 'armed', unanswered: policy.pivotPatience - 1 }
  return { ...walk, pivots: { ...walk.pivots, [id]: waiting } }
}

/** Tells whether the walk is at the end of a called graph that returns without speaking. */
function returnsSilently(graph: Graph, walk: Walk): boolean {
  return walk.stack.length > 0 && isSilentReturn(graph, nodeOf(graph, walk.node))
}

function opensNow(graph: Graph, node: SpeakingNode, walk: Walk): boolean {
  return (
    node.overlay !== null &&
    !walk.overlays.includes(node.overlay.id) &&
    holds(node.overlay.when, walk, graph.policy.relationship)
  )
}

function openWith(walk: Walk, change: Partial<OpenTurn>): Walk {
  return walk.open ? { ...walk, open: { ...walk.open, ...change } } : walk
}
