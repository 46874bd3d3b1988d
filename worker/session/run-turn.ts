import type { RelationshipLevel } from '../wire/messages.ts'
import { step } from '../core/walk/step.ts'
import type { Step } from '../core/walk/event.ts'
import type { Walk } from '../core/walk/walk.ts'
import { fallbackLine, LAST_FALLBACK_LINE } from './fallback-line.ts'
import { type Heard, hear } from './hear.ts'
import { briefingFor } from './open-turn.ts'
import type { NewEvent, StoredTurn, TurnEnd } from './session-store.ts'
import type { Stage } from './stage.ts'

/**
 * One turn, from the briefing to the last event: the actor is briefed and heard, the walker decides, and everything
 * that follows is written at once. The message itself, its turn and its acknowledgement are durable already.
 *
 * If another attempt has taken the turn over meanwhile, nothing is written and nothing is sent.
 */
export async function runTurn(stage: Stage, turn: StoredTurn, signal: AbortSignal): Promise<void> {
  const briefing = briefingFor(stage, turn)
  const heard = await hear(stage, turn, briefing, signal)
  const end = heard.ok ? spoken(stage, turn, heard) : failed(stage, turn)
  const events = stage.store.endTurn(end, stage.now())
  if (events) stage.sendEvents(events)
  stage.log(heard.ok ? 'turn-done' : 'turn-failed', { turn: turn.id, attempt: turn.attempt, ...told(heard, end) })
}

/** What of a turn is logged: how it went and where it led. */
function told(heard: Heard, end: TurnEnd): Record<string, string> {
  if (!heard.ok) return { failure: heard.failure }
  const decided = end.heard?.trace.find(({ type }) => type === 'decision')
  const decision = decided?.type === 'decision' ? decided.decision : null
  return {
    quality: heard.quality,
    from: decision?.from ?? '',
    to: decision?.to ?? 'end',
    reason: decision?.reason ?? '',
  }
}

/** Ends a turn that nobody will speak any more, with a line in character. The walk stands where it stood before it. */
export function failed(stage: Stage, turn: StoredTurn): TurnEnd {
  const open = stage.store.walk()
  const { walk } = step(stage.info.graph, open, { type: 'abort', turnId: String(turn.id) })
  const line = turnEvent(turn, fallbackLine(turn.id), 'failed', walk.relationship.level)
  return { turn: turn.id, attempt: turn.attempt, status: 'failed', walk, events: [line], heard: null }
}

function spoken(stage: Stage, turn: StoredTurn, heard: Extract<Heard, { ok: true }>): TurnEnd {
  const { report, quality } = heard
  const open = stage.store.walk()
  const at = { turnId: String(turn.id), seq: open.seq + 1 }
  const stepped = step(stage.info.graph, open, { type: 'report', ...at, report, quality })
  const unsaid = stepped.walk.end ? LAST_FALLBACK_LINE : fallbackLine(turn.id)
  const text = heard.speech === '' ? unsaid : heard.speech
  return {
    turn: turn.id,
    attempt: turn.attempt,
    status: 'done',
    walk: stepped.walk,
    events: [turnEvent(turn, text, 'complete', stepped.walk.relationship.level), ...followUps(turn, open, stepped)],
    heard: { report, quality, trace: stepped.trace },
  }
}

function turnEvent(turn: StoredTurn, text: string, outcome: 'complete' | 'failed', level: RelationshipLevel): NewEvent {
  return { type: 'turn', turn: turn.id, attempt: turn.attempt, text, outcome, level }
}

/** What the walker gave out, in the order in which a client should act on it. */
function followUps(turn: StoredTurn, before: Walk, { walk, effects }: Step): readonly NewEvent[] {
  const passed = Object.entries(walk.pivots)
    .filter(([id, pivot]) => pivot.state === 'passed' && before.pivots[id]?.state === 'armed')
    .map(([pivot]): NewEvent => ({
      type: 'pivot-end',
      turn: turn.id,
      pivot,
      level: walk.relationship.level,
      choice: null,
    }))
  const commands = effects.flatMap((effect): readonly NewEvent[] =>
    effect.type === 'command' ? [{ type: 'command', turn: turn.id, id: effect.id, command: effect.command }] : [],
  )
  return [...passed, ...commands]
}
