import { withGained } from '../core/run/gained.ts'
import type { Walk } from '../core/walk/walk.ts'
import type { LogEvent, NewEvent, RelationshipLevel, TurnOutcome } from '../wire/messages.ts'
import { assist } from './assistant/assist.ts'
import { assistedEnd, calledOffEnd } from './assistant/assisted-end.ts'
import { withStateTools } from './assistant/state-tools.ts'
import { type ConverseOutcome, converse, type TurnLinks } from './converse.ts'
import { chainEventsOf } from './chain-events.ts'
import { fallbackLine, said, type TurnResult } from './turn-loop.ts'
import type { RunShare, StoredTurn, TurnEnd } from './turn.ts'
import type { SessionInfo } from './session-info.ts'
import type { ConverseDeps, TurnDeps } from './turn-deps.ts'
import { stepped } from '../steps.ts'

/**
 * Connects a stored turn to its store and its clients. `hold` keeps the turn's end, so that it can be written later if
 * it cannot be written at once.
 */
export interface StoredTurnLinks extends TurnLinks {
  /**
   * Receives the turn's end before the end is written. Returns false if the turn no longer belongs to this runner; then
   * nothing is written.
   */
  readonly hold: (end: TurnEnd) => boolean
}

/**
 * Runs one turn, from the learner's message to the last event: runs the walk until it is at rest, and writes all
 * results in one transaction. The message itself, its turn and its acknowledgement are stored already.
 *
 * If another attempt takes the turn over before its end, nothing is written and no end is sent. A turn that waits for a
 * person or the page is `parked`: it goes on when the answer is stored.
 *
 * @throws if the turn's end cannot be written
 */
export async function runTurn(
  deps: TurnDeps,
  turn: StoredTurn,
  signal: AbortSignal,
  links?: StoredTurnLinks,
): Promise<'ended' | 'parked'> {
  const { assistant } = deps.info.scenario
  const assisted = assistant ? await assist(deps, assistant, turn, signal, links) : null
  if (assisted?.conversed === null) return 'parked'
  const own = assisted?.deps ?? deps
  const before = own.store.walk()
  const conversed = assisted?.conversed ?? (await converse(withStateTools(deps, links?.alive), turn, signal, links))
  if (!conversed.ok && conversed.failure === 'parked') return 'parked'
  const end = conversed.ok
    ? withAssistance(deps, turn, ending(own, turn, before, conversed), conversed)
    : failedTurnEnd(deps, turn)
  if (links?.hold(end) === false) return 'ended'
  endTurn(deps, end)
  deps.log(conversed.ok ? 'turn-done' : 'turn-failed', {
    turn: turn.id,
    attempt: turn.attempt,
    ...logFieldsOf(conversed),
  })
  return 'ended'
}

/**
 * Writes the end of a turn and sends it to clients. Does neither if the turn no longer belongs to the attempt that made
 * the end.
 *
 * @returns the `seq` of the turn's reply; null if nothing was written
 * @throws if the end cannot be written; nothing was written in that case
 */
export function endTurn(deps: TurnDeps, end: TurnEnd): number | null {
  const events = stepped(deps.probe, 'apply', () => writeEnd(deps, end))
  if (!events) return null
  tellEnd(deps, { id: end.turn, attempt: end.attempt }, events)
  return events[0]?.seq ?? null
}

/**
 * Writes the end of a turn. Does nothing if the turn no longer belongs to the attempt that made the end.
 *
 * @returns the events as logged; null if nothing was written
 */
export function writeEnd({ store, info, now }: TurnDeps, end: TurnEnd): readonly LogEvent[] | null {
  const at = now()
  return store.endTurn(end, at, shareOf(info, end, at))
}

/** Returns the part of a turn's end, or of a choice, that concerns the run. */
export function shareOf(
  { scenario }: Pick<SessionInfo, 'scenario'>,
  happened: Pick<TurnEnd, 'events' | 'records'>,
  at: number,
): RunShare {
  const events = chainEventsOf(happened, at)
  const isCopyable = scenario.simulation !== undefined || scenario.assistant !== undefined
  return { events, isOver: events.some(({ type }) => type === 'ended'), isCopyable }
}

/**
 * Sends the written end of a turn to clients, and marks the end as sent. A client ignores an end that it already has.
 */
export function tellEnd(deps: TurnDeps, turn: Pick<StoredTurn, 'id' | 'attempt'>, events: readonly LogEvent[]): void {
  stepped(deps.probe, 'tell', () => deps.sendEvents(events))
  stepped(deps.probe, 'done', () => deps.store.markTold(turn))
}

/** Returns the fields of a turn for the service's log: how the turn ended and to which node it led. */
function logFieldsOf(conversed: ConverseOutcome): Record<string, string | number> {
  if (!conversed.ok) return { failure: conversed.failure }
  const entries = conversed.records.map(({ entry }) => entry)
  const decision = entries.find((entry) => entry.type === 'decision')?.decision
  return {
    quality: conversed.quality,
    from: decision?.from ?? '',
    to: decision?.to ?? 'end',
    reason: decision?.reason ?? '',
    moves: entries.filter(({ type }) => type === 'moved').length,
  }
}

/**
 * Makes the end of a turn that gets no reply, with a line that the colleague says instead. The walk stays as it was
 * before the turn.
 */
export function failedTurnEnd(deps: TurnDeps, turn: StoredTurn): TurnEnd {
  return {
    ...takenBack(deps, turn, { text: fallbackLine(turn.id, deps.info.scenario), outcome: 'failed' }),
    status: 'failed',
  }
}

/** Makes the end of a turn that the learner stopped, with the shown text. The walk stays as it was before the turn. */
export function cut(deps: TurnDeps, turn: StoredTurn, text: string): TurnEnd {
  const at = deps.now()
  const learner = said('learner', turn.learner, [], turn, at)
  const records = text === '' ? [learner] : [learner, said('npc', text, [], turn, at)]
  return { ...takenBack(deps, turn, { text, outcome: 'cut' }), status: 'done', records }
}

function takenBack(
  deps: TurnDeps,
  turn: StoredTurn,
  { text, outcome }: { text: string; outcome: 'cut' | 'failed' },
): Omit<TurnEnd, 'status'> {
  const walk = deps.store.walk()
  const ended = gained(deps, [turnEvent(turn, text, outcome, walk.relationship.level)])
  // A colleague's state may have used tools in the turn, too.
  const hasCalls = deps.info.scenario.assistant || deps.store.assistant.read()?.turn?.id === turn.id
  const assisted = hasCalls ? calledOffEnd(deps, turn, outcome) : null
  const events = [...ended, ...(assisted?.events ?? [])]
  const end = { turn: turn.id, attempt: turn.attempt, walk, events, heard: null, sends: [], records: [] }
  return { ...end, ...(assisted && { assisted }) }
}

/** Makes the end of a turn whose walk came to rest. `before` is the walk at the beginning of the turn. */
export function ending(
  deps: Pick<ConverseDeps, 'info' | 'store'>,
  turn: StoredTurn,
  before: Walk,
  result: TurnResult,
): TurnEnd {
  const { walk, text, offers, report, quality, commands, sends, records } = result
  const asked = commands.map(({ id, command }): NewEvent => ({ type: 'command', turn: turn.id, id, command }))
  return {
    turn: turn.id,
    attempt: turn.attempt,
    status: 'done',
    walk,
    // The events are in the order in which a client should act on them.
    events: gained(
      deps,
      [
        { ...turnEvent(turn, text, 'complete', walk.relationship.level), ...(offers.length > 0 && { offers }) },
        ...endedPivots(deps, turn, before, walk),
        ...asked,
      ],
      report.information_revealed,
    ),
    // A turn after the conversation's end gets no engagement score.
    heard: { report: before.end ? { ...report, engagement_score: 0 } : report, quality },
    sends,
    records,
  }
}

/**
 * Adds to the end of an assistant's turn what its agent leaves behind. The conversation's own walk stays where it began:
 * each agent has a walk of its own, and none of them ends the conversation. The end of any other turn stays as it is.
 */
export function withAssistance(deps: TurnDeps, turn: StoredTurn, end: TurnEnd, result: TurnResult): TurnEnd {
  const { assistant } = deps.info.scenario
  if (!assistant) return end
  const walk = deps.store.walk()
  const assisted = assistedEnd(deps, assistant, turn, result)
  if (!assisted) return { ...end, walk }
  const { agent } = assisted
  const events = end.events
    .filter((event) => event.type !== 'command' || event.command.name !== 'AI_EndConversation')
    .map((event) => (event.type === 'turn' && agent !== null ? { ...event, agent } : event))
  return { ...end, walk, events: [...events, ...assisted.events], assisted }
}

/** Returns the events with the facts, documents and levels that the learner gained by them. */
export function gained(
  { info, store }: Pick<ConverseDeps, 'info' | 'store'>,
  events: readonly NewEvent[],
  named: readonly string[] = [],
): readonly NewEvent[] {
  // A learner can gain something only in a simulation, so the log is not read for other scenarios.
  return info.scenario.simulation ? withGained(info.scenario, info.npc, store.eventsAfter(0), events, named) : events
}

function turnEvent(turn: StoredTurn, text: string, outcome: TurnOutcome, level: RelationshipLevel): NewEvent {
  return { type: 'turn', turn: turn.id, attempt: turn.attempt, text, outcome, level }
}

/**
 * Returns the ends of the forks that this turn resolved: passed without an answer, or answered by the learner's typed
 * message.
 */
function endedPivots(
  { info }: Pick<ConverseDeps, 'info'>,
  turn: StoredTurn,
  before: Walk,
  walk: Walk,
): readonly NewEvent[] {
  const level = walk.relationship.level
  return Object.entries(walk.pivots).flatMap(([pivot, state]): NewEvent[] => {
    const was = before.pivots[pivot]
    if (state.state === 'passed')
      return was?.state === 'armed' ? [{ type: 'pivot-end', turn: turn.id, pivot, level, choice: null }] : []
    if (state.state !== 'chosen' || (was?.state === 'chosen' && was.choice === state.choice)) return []
    const node = info.graph.nodes[pivot]
    const card = node?.kind === 'pivot' ? node.pivot.choices.find(({ id }) => id === state.choice) : undefined
    const choice = card ? { cid: turn.cid, id: card.id, text: card.text, reaction: '', effect: card.effect } : null
    return [{ type: 'pivot-end', turn: turn.id, pivot, level, choice, typed: card ? 'card' : 'own' }]
  })
}
