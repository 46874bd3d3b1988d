import { type ChoiceExit, type DecideNode, type Graph, nodeOf, type SpeakingNode, speaks } from '../graph/graph.ts'
import { askSelection, offersOf } from './ask.ts'
import {
  after,
  ignored,
  type Pick,
  type Recalled,
  type Step,
  type Thought,
  type Trace,
  type WalkEvent,
} from './event.ts'
import { leaveBy } from './move.ts'
import { briefActor, engage, passOn, think, travel } from './travel.ts'
import type { PendingRequest, Walk } from './walk.ts'

type Answer = Extract<WalkEvent, { type: 'behavior' | 'selection' | 'memories' | 'reflection' }>

/**
 * Applies the answer to one of the walker's requests. Ignores an answer to a request that is not pending, and an answer
 * of the wrong kind.
 */
export function onAnswer(graph: Graph, walk: Walk, event: Answer): Step {
  if (walk.end) return ignored(walk, event, 'ended')
  if (walk.open?.turnId !== event.turnId) return ignored(walk, event, 'no-such-turn')
  const { waiting } = walk.open
  if (waiting?.request !== event.request || waiting.for !== ANSWERS[event.type])
    return ignored(walk, event, 'no-such-request')

  const answered: Walk = { ...walk, open: { ...walk.open, waiting: null } }
  switch (event.type) {
    case 'behavior':
      return onBehavior(graph, answered, event.behavior)
    case 'selection':
      return onSelection(graph, answered, event.pick, waiting.refusals)
    case 'memories':
      return onMemories(graph, answered, event.memories)
    case 'reflection':
      return onReflection(graph, answered, event.text)
  }
}

const ANSWERS: Readonly<Record<Answer['type'], PendingRequest['for']>> = {
  behavior: 'behavior',
  selection: 'selection',
  memories: 'recall',
  reflection: 'reflection',
}

function onBehavior(graph: Graph, walk: Walk, behavior: string | null): Step {
  const matched = matchBehavior(graph, walk, behavior)
  const node = nodeOf(graph, matched.walk.node)
  return after(matched.trace, speaks(node) ? engage(graph, matched.walk, node) : travel(graph, matched.walk))
}

/**
 * Takes the exit or action that the actor picked. If the actor picked nothing, or something that was not offered,
 * repeats the request once. If the second answer is no better, takes the first action of a speaking node, or the last
 * exit of a decision node.
 */
function onSelection(graph: Graph, walk: Walk, pick: Pick | null, refusals: number): Step {
  const node = nodeOf(graph, walk.node)
  if (!speaks(node) && node.kind !== 'decide') return ignoredStep(walk)
  const offers = offersOf(graph, walk, node)
  const exit = pick !== null && 'exit' in pick ? offers.exits[pick.exit] : undefined
  if (exit) return takeExit(graph, walk, node, exit)
  if (speaks(node) && pick !== null && 'action' in pick && offers.actions[pick.action] !== undefined)
    return briefActor(graph, walk, node, pick.action)

  const refused: Trace = { type: 'selection-refused', node: node.id }
  if (refusals === 0) return after([refused], askSelection(graph, walk, node, offers, 1))
  if (speaks(node)) return after([refused], briefActor(graph, walk, node, node.actions.length > 0 ? 0 : null))
  const last = offers.exits.at(-1)
  return last ? after([refused], takeExit(graph, walk, node, last)) : ignoredStep(walk)
}

function takeExit(graph: Graph, walk: Walk, node: SpeakingNode | DecideNode, exit: ChoiceExit): Step {
  const hops = (walk.open?.hops ?? 0) + (speaks(node) ? 1 : 0)
  const hopped: Walk = walk.open ? { ...walk, open: { ...walk.open, hops } } : walk
  const chosen: Trace = { type: 'exit-selected', node: node.id, exit: exit.id, description: exit.description }
  const moved = leaveBy(graph, leavingEarly(graph, hopped, exit), exit, 'selected')
  return travel(graph, moved.walk, [chosen, ...moved.trace])
}

/**
 * Marks the walk as cut short if `exit` is a safety exit (such as one for a learner who wants to stop) that leads
 * straight to the terminal node. The conversation then ends early, and the learner does not earn the objective.
 */
function leavingEarly(graph: Graph, walk: Walk, exit: ChoiceExit): Walk {
  return exit.isSafety && exit.to === graph.terminal ? { ...walk, isCutShort: true } : walk
}

/**
 * Stores each new query once and leaves the recall node. If a new query found memories, the turn may pass a silent node
 * a second time.
 */
function onMemories(graph: Graph, walk: Walk, memories: readonly Recalled[]): Step {
  const node = nodeOf(graph, walk.node)
  if (node.kind !== 'recall') return ignoredStep(walk)
  const fresh = memories.filter(
    ({ query }, i) => !walk.queries.includes(query) && memories.findIndex((other) => other.query === query) === i,
  )
  const asked: Walk = { ...walk, queries: [...walk.queries, ...fresh.map(({ query }) => query)] }
  const learned =
    asked.open && fresh.some(({ found }) => found.length > 0)
      ? { ...asked, open: { ...asked.open, passed: [] } }
      : asked
  const thoughts = fresh.map(({ query, found }): Thought => ({ kind: 'recall', node: node.id, query, found }))
  const kept = think(learned, thoughts)
  const moved = passOn(graph, kept.walk, node)
  return travel(graph, moved.walk, [...kept.trace, ...moved.trace])
}

function onReflection(graph: Graph, walk: Walk, text: string): Step {
  const node = nodeOf(graph, walk.node)
  if (node.kind !== 'reflect') return ignoredStep(walk)
  const concluded = firstWords(text, node.wordLimit)
  const kept = think(walk, concluded === '' ? [] : [{ kind: 'reflection', node: node.id, text: concluded }])
  const moved = passOn(graph, kept.walk, node)
  return travel(graph, moved.walk, [...kept.trace, ...moved.trace])
}

function firstWords(text: string, limit: number): string {
  return text.trim().split(/\s+/).slice(0, limit).join(' ')
}

/**
 * Returns a step that changes nothing. In practice no walk needs this step, because a turn waits only for the answer
 * that its node requested.
 */
function ignoredStep(walk: Walk): Step {
  return { walk, effects: [], trace: [] }
}

/**
 * Applies the answer to a behavior request. If a behavior other than the active one matches, it becomes active, under a
 * new activation id. If the active behavior matches again, it stays active. If no behavior matches, the active behavior
 * stays active for up to `behaviorPatience` exchanges, so that one short answer does not end it.
 *
 * @param matched the id of the matching behavior, or null if no behavior matches; an id that the graph lacks counts as
 * null.
 */
function matchBehavior(
  graph: Graph,
  walk: Walk,
  matched: string | null,
): { readonly walk: Walk; readonly trace: readonly Trace[] } {
  const behavior = graph.behaviors.find(({ id }) => id === matched)
  const active = walk.behavior
  if (behavior && behavior.id === active?.behavior) return kept(walk, 0)
  if (behavior) {
    const activation = `behavior:${walk.activations + 1}`
    return {
      walk: { ...walk, activations: walk.activations + 1, behavior: { activation, behavior: behavior.id, quiet: 0 } },
      trace: [
        ...released(walk),
        { type: 'behavior-activated', activation, behavior: behavior.id, mode: behavior.mode },
      ],
    }
  }
  if (!active) return { walk, trace: [] }
  if (active.quiet < graph.policy.inside.behaviorPatience) return kept(walk, active.quiet + 1)
  return { walk: { ...walk, behavior: null }, trace: released(walk) }
}

function kept(walk: Walk, quiet: number): { walk: Walk; trace: readonly Trace[] } {
  if (!walk.behavior) return { walk, trace: [] }
  const { activation } = walk.behavior
  return { walk: { ...walk, behavior: { ...walk.behavior, quiet } }, trace: [{ type: 'behavior-kept', activation }] }
}

function released({ behavior }: Walk): readonly Trace[] {
  return behavior ? [{ type: 'behavior-released', activation: behavior.activation }] : []
}
