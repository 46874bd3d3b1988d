import { walkOn } from '../core/walk/engine.ts'
import type { Walk } from '../core/walk/walk.ts'
import type { RelationshipLevel } from '../wire/messages.ts'
import { type Conversed, converse } from './converse.ts'
import { fallbackLine } from './fallback-line.ts'
import type { NewEvent, StoredTurn, TurnEnd } from './session-store.ts'
import type { Stage } from './stage.ts'

/**
 * One turn, from the learner's message to the last event: the walk is taken as far as it goes, and everything that
 * follows is written at once. The message itself, its turn and its acknowledgement are durable already.
 *
 * If another attempt has taken the turn over meanwhile, nothing is written and nothing is sent.
 */
export async function runTurn(stage: Stage, turn: StoredTurn, signal: AbortSignal): Promise<void> {
  const before = stage.store.walk()
  const conversed = await converse(stage, turn, signal)
  const end = conversed.ok ? spoken(turn, before, conversed) : failed(stage, turn)
  const events = stage.store.endTurn(end, stage.now())
  if (events) stage.sendEvents(events)
  stage.log(conversed.ok ? 'turn-done' : 'turn-failed', { turn: turn.id, attempt: turn.attempt, ...told(conversed) })
}

/** What of a turn is logged: how it went and where it led. */
function told(conversed: Conversed): Record<string, string | number> {
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

/** Ends a turn that nobody will speak any more, with a line in character. The walk stands where it stood before it. */
export function failed(stage: Stage, turn: StoredTurn): TurnEnd {
  const open = stage.store.walk()
  const { walk } = walkOn(stage.info.graph, open, { type: 'abort', turnId: String(turn.id) })
  const line = turnEvent(turn, fallbackLine(turn.id), 'failed', walk.relationship.level)
  return {
    turn: turn.id,
    attempt: turn.attempt,
    status: 'failed',
    walk,
    events: [line],
    heard: null,
    sends: [],
    records: [],
  }
}

function spoken(turn: StoredTurn, before: Walk, conversed: Extract<Conversed, { ok: true }>): TurnEnd {
  const { walk, text, report, quality, commands, sends, records } = conversed
  const asked = commands.map(({ id, command }): NewEvent => ({ type: 'command', turn: turn.id, id, command }))
  return {
    turn: turn.id,
    attempt: turn.attempt,
    status: 'done',
    walk,
    // In the order in which a client should act on them.
    events: [turnEvent(turn, text, 'complete', walk.relationship.level), ...passedPivots(turn, before, walk), ...asked],
    heard: { report, quality },
    sends,
    records,
  }
}

function turnEvent(turn: StoredTurn, text: string, outcome: 'complete' | 'failed', level: RelationshipLevel): NewEvent {
  return { type: 'turn', turn: turn.id, attempt: turn.attempt, text, outcome, level }
}

function passedPivots(turn: StoredTurn, before: Walk, walk: Walk): readonly NewEvent[] {
  return Object.entries(walk.pivots)
    .filter(([id, pivot]) => pivot.state === 'passed' && before.pivots[id]?.state === 'armed')
    .map(([pivot]): NewEvent => ({
      type: 'pivot-end',
      turn: turn.id,
      pivot,
      level: walk.relationship.level,
      choice: null,
    }))
}
