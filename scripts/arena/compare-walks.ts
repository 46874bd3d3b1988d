import { isDeepStrictEqual } from 'node:util'
import type { Graph, NodeId } from '../../worker/core/graph/graph.ts'
import { step } from '../../worker/core/walk/step.ts'
import type { Effect, Step, WalkEvent } from '../../worker/core/walk/event.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'

/**
 * The walk of a recorded conversation: the graph, and the events that the walker got. An event is a learner's message,
 * a report, the choice of a card, the resumption of an ended conversation, or the answer to one of the walker's
 * requests (for example, the request to select an exit).
 */
export interface RecordedWalk {
  readonly graph: Graph
  readonly person: 'new' | 'returning'
  /** Oldest first. `turn` is the number of the event's turn. For a choice, `turn` is the turn before the choice. */
  readonly events: readonly { readonly turn: number; readonly event: WalkEvent }[]
}

export interface Comparison {
  readonly outcome: Outcome
  /** The number of recorded turns with a report. */
  readonly turns: number
  /**
   * The number of turns whose report the walk through the other graph received too. The two walks had not parted before
   * these turns.
   */
  readonly evaluated: number
  /** The number of evaluated turns in which the two graphs ask the actor for the same reply in different words. */
  readonly reworded: number
}

/**
 * The result of a comparison. For a difference, `what` names the aspect that differs. `recorded` and `other` describe
 * this aspect in the recorded walk and in the other graph.
 */
type Outcome =
  /** Both walks have the same nodes, decisions and end. */
  | { readonly kind: 'same' }
  /**
   * The learner would have noticed no difference between the walks. But the walker made another decision in the other
   * graph, or gave another reason for the decision.
   */
  | ({ readonly kind: 'another-way' } & Difference)
  /**
   * The walks part in this turn: in the other graph, the actor gets another request, or the learner sees something
   * else.
   */
  | ({ readonly kind: 'parts' } & Difference)

interface Difference {
  readonly turn: number
  readonly what: string
  readonly recorded: string
  readonly other: string
}

/**
 * Walks the events of a recorded conversation through the conversation's own graph and through another graph, until the
 * two walks part.
 *
 * Two walks part at the first event after which one of these differs ([arena-21]):
 *
 * - what the actor is asked for: the node, the next node, the action, an overlay, the state of the fork, whether the
 *   learner may leave, whether the colleague may hand over the document; or a request for something other than a reply
 * - what the learner sees: a fork with its cards, a document, an objective, the colleague's attitude, the end
 *
 * If only the words of a node differ, the walks don't part. The function counts the turn as `reworded`, and assumes
 * that the actor would have given the recorded report to the other words too.
 */
export function compareWalks(recorded: RecordedWalk, other: Graph): Comparison {
  const rename = renaming(recorded.graph, other)
  const taken = walkAlone(recorded)
  const turns = taken.filter(({ event }) => event.type === 'report').length
  let walk = startWalk(other, recorded.person)
  let own = startWalk(recorded.graph, recorded.person)
  let evaluated = 0
  let reworded = 0
  let isReworded = false
  let way: Difference | null = null
  const done = (outcome: Outcome): Comparison => ({ outcome, turns, evaluated, reworded })

  const opened = partBy(1, openingOf(recorded.graph), openingOf(other))
  if (opened) return done({ kind: 'parts', ...opened })
  for (const { turn, event, step: ours } of taken) {
    const theirs = step(other, walk, eventFor(event, walk, rename))
    if (event.type === 'report' && !isIgnored(theirs)) {
      evaluated += 1
      if (isReworded) reworded += 1
    }
    const parting = isIgnored(theirs)
      ? { turn, what: 'event', recorded: event.type, other: 'ignored' }
      : partBy(turn, seenIn(ours, rename), seenIn(theirs, same))
    if (parting) return done({ kind: 'parts', ...parting })
    way ??= partBy(turn, wayIn(ours, rename), wayIn(theirs, same))
    isReworded = hasOtherWords(ours, theirs) || (isReworded && event.type !== 'learner')
    own = ours.walk
    walk = theirs.walk
  }
  const last = taken.at(-1)?.turn ?? 0
  // If the conversation is still open, its next briefing would be for the current node. So both walks must be at the
  // same node.
  const next = own.end ? null : partBy(last + 1, { node: rename(own.node) }, { node: walk.node })
  if (next) return done({ kind: 'parts', ...next })
  return done(way ? { kind: 'another-way', ...way } : { kind: 'same' })
}

/** Walks the recorded events through the conversation's own graph. Leaves out the events that the walker ignored. */
function walkAlone({ graph, person, events }: RecordedWalk) {
  let walk = startWalk(graph, person)
  return events.flatMap(({ turn, event }) => {
    const taken = step(graph, walk, event)
    walk = taken.walk
    return isIgnored(taken) ? [] : [{ turn, event, step: taken }]
  })
}

type Rename = (id: NodeId) => NodeId
const same: Rename = (id) => id

/**
 * Returns a function that translates a node's id from the recorded graph (`from`) to the other graph (`to`). The
 * migration in the other graph lists the nodes that have another id there. All other nodes have the same id in both
 * graphs.
 */
function renaming(from: Graph, to: Graph): Rename {
  const declared = from.id === to.id ? to.migrations.find((each) => each.from === from.version) : undefined
  const names = new Map(Object.entries(declared?.nodes ?? {}))
  return (id) => names.get(id) ?? id
}

/**
 * Changes a recorded event so that it fits the walk through the other graph. The choice of a card gets the fork's id in
 * the other graph. A message and a report get the next sequence number. An answer gets the id of the request for which
 * the other walk is waiting.
 */
function eventFor(event: WalkEvent, walk: Walk, rename: Rename): WalkEvent {
  if (event.type === 'pivot-choice') return { ...event, node: rename(event.node) }
  if (event.type === 'learner' || event.type === 'report') return { ...event, seq: walk.seq + 1 }
  if (event.type === 'resume') return event
  return { ...event, request: walk.open?.waiting?.request ?? event.request }
}

function isIgnored({ trace }: Step): boolean {
  return trace.some(({ type }) => type === 'ignored')
}

/**
 * What the comparison looks at in a step: the name of each aspect, with its value in a few words. An aspect that does
 * not apply to a step has no entry.
 */
type Aspects = Readonly<Record<string, string>>

function partBy(turn: number, recorded: Aspects, other: Aspects): Difference | null {
  const what = Object.keys({ ...recorded, ...other }).find((aspect) => recorded[aspect] !== other[aspect])
  if (what === undefined) return null
  return { turn, what, recorded: recorded[what] ?? 'none', other: other[what] ?? 'none' }
}

function openingOf({ opening }: Graph): Aspects {
  return { 'who begins': opening ? 'the colleague' : 'the learner' }
}

/** Returns the aspects of a step that part two walks: what the actor is asked for, and what the learner sees. */
function seenIn({ walk, effects }: Step, rename: Rename): Aspects {
  const asked = Object.assign({}, ...effects.map((effect) => seen(effect, rename))) as Aspects
  return { ...asked, end: walk.end ? walk.end.completion : 'goes on', attitude: walk.relationship.level }
}

function seen(effect: Effect, rename: Rename): Aspects {
  switch (effect.type) {
    case 'brief':
      return briefed(effect.node, rename)
    case 'command':
      return commanded(effect.command, rename)
    case 'send':
      return {}
    case 'behavior-request':
      return { request: `behavior of ${effect.offered.map(({ id }) => id).join(', ')}` }
    case 'selection-request':
      return { request: `selection in ${rename(effect.node.id)} of ${quoted([...effect.actions, ...effect.exits])}` }
    case 'recall-request':
      return { request: `recall in ${rename(effect.node)}${effect.queries ? ` of ${quoted(effect.queries)}` : ''}` }
    case 'reflection-request':
      return { request: `reflection in ${rename(effect.node)}` }
  }
}

type Brief = Extract<Effect, { type: 'brief' }>['node']
type Command = Extract<Effect, { type: 'command' }>['command']

function briefed(brief: Brief, rename: Rename): Aspects {
  const { ahead, pivot, lateFork, leaving, document, state } = brief
  return {
    node: rename(brief.id),
    ...(ahead && { 'next node': rename(ahead.id) }),
    'exchanges there': String(brief.turns),
    ...(brief.isGate && { gate: brief.escalated ? 'bluntly' : 'plainly' }),
    ...(pivot && { fork: `${cardsOf(pivot.content)}, ${pivot.armed ? `asked ${pivot.asked}` : 'not asked'}` }),
    ...(lateFork && { 'late fork': cardsOf(lateFork.content) }),
    ...(brief.overlay && { overlay: 'opens' }),
    ...(leaving && { leaving: leaving.isSettled ? 'settled' : 'not settled' }),
    ...(leaving && leaving.unsaid !== null && { unsaid: 'something' }),
    ...(document && { document: document.may ? 'may be given' : 'is kept back' }),
    ...(state?.action && { action: String(state.action.index) }),
    ...(state?.behavior && { behavior: state.behavior.id }),
  }
}

function commanded(command: Command, rename: Rename): Aspects {
  switch (command.name) {
    case 'AI_PivotMoment':
      return { cards: `${cardsOf(command)} in ${rename(command.pivot)}` }
    case 'AI_AdvanceObjective':
      return { objective: command.objective }
    case 'AI_HandOverDocument':
      return { document: 'handed over' }
    case 'AI_EndConversation':
      return command.left ? { leave: 'taken' } : {}
  }
}

function cardsOf({ choices }: { readonly choices: readonly { readonly id: string }[] }): string {
  return choices.map(({ id }) => id).join(', ')
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(', ')
}

function wayIn({ trace }: Step, rename: Rename): Aspects {
  const moves = trace.flatMap((entry) => {
    if (entry.type === 'moved') return [`${rename(entry.from)} to ${rename(entry.to)} (${entry.reason})`]
    if (entry.type !== 'decision') return []
    const { from, to, reason } = entry.decision
    return [`${rename(from)} to ${to === null ? 'the end' : rename(to)} (${reason})`]
  })
  return { way: moves.join(', ') }
}

/** Returns true if two steps ask the actor for the same reply in different words. */
function hasOtherWords(ours: Step, theirs: Step): boolean {
  const briefs = [ours, theirs].map(({ effects }) =>
    effects.flatMap((effect) => (effect.type === 'brief' ? [effect.node] : [])),
  )
  return !isDeepStrictEqual(briefs[0], briefs[1])
}
