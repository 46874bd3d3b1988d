import {
  isSilentReturn,
  type Graph,
  type GraphNode,
  nodeOf,
  type SilentNode,
  type SpeakingNode,
  speaks,
} from '../graph/graph.ts'
import { askRecall, askReflection, askSelection, offersOf } from './ask.ts'
import { briefNode } from './brief-node.ts'
import { after, type Decision, type SendEffect, type Step, type Thought, type Trace } from './event.ts'
import { holds } from './decide.ts'
import { cutShort, jumpBack, leaveBy } from './move.ts'
import type { OpenTurn, PivotState, Walk } from './walk.ts'

/** Thoughts kept in a walk, the latest of them. The log keeps all. */
const THOUGHTS = 48

/**
 * Goes on from a node that was just entered, through silent nodes and silent returns, until the turn waits for
 * somebody or comes to rest at a node that speaks. The walk's turn must be open.
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

/** Comes to what is said: selects first where there is something to select, then briefs the actor. */
export function engage(graph: Graph, walk: Walk, node: SpeakingNode): Step {
  const offers = offersOf(graph, walk, node)
  if (offers.exits.length > 0 || offers.actions.length > 1) return askSelection(graph, walk, node, offers)
  return briefActor(graph, walk, node, offers.actions.length > 0 ? 0 : null)
}

/** Has the actor speak. An overlay whose condition holds opens with it, and is only lent until the report. */
export function briefActor(graph: Graph, walk: Walk, node: SpeakingNode, action: number | null): Step {
  const overlay = opensNow(graph, node, walk) ? node.overlay : null
  const briefed: Walk = openWith(walk, { waiting: null, overlay: overlay?.id ?? null, action })
  return {
    walk: briefed,
    effects: [{ type: 'brief', node: briefNode(graph, node, briefed, { overlay: overlay?.content ?? null, action }) }],
    trace: action === null ? [] : [{ type: 'action-selected', node: node.id, action }],
  }
}

/** The turn is complete: what was kept back for its end is given out. */
export function rest(walk: Walk): Step {
  const sends = walk.open?.sends ?? []
  return {
    walk: { ...walk, open: null, emitted: [...walk.emitted, ...sends.map(({ id }) => id)] },
    effects: sends,
    trace: [],
  }
}

/** Puts something into what the actor has in mind. */
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
      // Asking again would find the same.
      if (fresh?.length === 0) return { effects: [], ...passOn(graph, walk, node) }
      return askRecall(walk, node, fresh)
    }
    case 'reflect':
      return askReflection(walk, node)
    case 'decide':
      return askSelection(graph, walk, node, offersOf(graph, walk, node))
  }
}

/** Names what is sent by its turn and place: whatever is sent in one conversation has an id of its own. */
function sendId(walk: Walk, node: string): string {
  return `send:${walk.seq}:${walk.visits.length}:${node}`
}

/** Null when the node would be one too many, or comes again though nothing new was learned since. */
function pass({ policy }: Graph, walk: Walk, node: SilentNode): Walk | null {
  const open = walk.open
  if (!open || open.silentSteps >= policy.inside.silentSteps || open.passed.includes(node.id)) return null
  return openWith(walk, { silentSteps: open.silentSteps + 1, passed: [...open.passed, node.id] })
}

/** Back to where the turn began, with its first action; what was learned on the way round is forgotten. */
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

/** The backstop holds for an exchange that was taken back to where it stood, as for any that stays. */
function close(graph: Graph, walk: Walk): Step {
  const decision: Decision = { from: walk.node, to: graph.terminal, reason: 'backstop' }
  const moved = cutShort(walk, graph.terminal, decision.reason)
  return after([{ type: 'decision', decision }, ...moved.trace], rest(moved.walk))
}

/** A fork that could not be left waits on, and is not put a second time: its next exchange tries again to pass. */
function stillAsking({ policy }: Graph, walk: Walk, { id, kind }: GraphNode): Walk {
  if (kind !== 'pivot') return walk
  const waiting: PivotState = { state: 'armed', unanswered: policy.pivotPatience - 1 }
  return { ...walk, pivots: { ...walk.pivots, [id]: waiting } }
}

/** A called graph that has come to its end goes back without a word, unless it was told to speak. */
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
