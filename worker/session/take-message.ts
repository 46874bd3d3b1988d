import type { PageContext } from '../core/assistant/page-context.ts'
import { fingerprint } from '../core/graph/hash.ts'
import { cap } from '../core/reply/characters.ts'
import { clean } from '../core/text/clean.ts'
import { pickedBy } from '../core/walk/match-choice.ts'
import { takesAfter } from '../core/walk/after.ts'
import { walkOn } from '../core/walk/engine.ts'
import type { Effect, SendEffect } from '../core/walk/event.ts'
import type { MessageRecord } from '../core/walk/log-entry.ts'
import type { Walk } from '../core/walk/walk.ts'
import type { Accepted, Choose, LogEvent, NewEvent, Refusal, Retry, Say } from '../wire/messages.ts'
import { MAX_PAGE, MAX_TEXT } from '../wire/schema.ts'
import { parkedUntil } from './assistant/tool-calls.ts'
import { refuse } from './refuse.ts'
import { gained, shareOf } from './run-turn.ts'
import type { ResumedWalk, StoredTurn } from './turn.ts'
import type { TurnDeps } from './turn-deps.ts'

/**
 * A message that arrives during a reply is refused. The client should send it again after this time, in milliseconds.
 */
const BUSY_RETRY_MS = 1_000

/** The result of taking a message. If `ok` is true, everything in the result is stored already. */
export type MessageOutcome =
  | { readonly ok: false; readonly refusal: Refusal }
  | {
      readonly ok: true
      readonly acknowledgement: Accepted
      readonly events: readonly LogEvent[]
      /** The turn to run now; null if the message began no turn. */
      readonly turn: StoredTurn | null
    }

/**
 * Takes a learner's message. A message that arrives again gets the same acknowledgement and has no further effect.
 * While a fork is open, a message with the number or the words of a choice picks that choice. Any other message begins
 * a turn. A turn after the conversation's end only answers a question, unless the learner's message takes the goodbye
 * back.
 */
export function takeSay(deps: TurnDeps, say: Say): MessageOutcome {
  const { store } = deps
  const known = store.acknowledged(say.cid)
  if (known) return repeated(known)
  const text = clean(say.text).trim()
  if (text === '') return refused('empty')
  if (text.length > MAX_TEXT) return refused('too-long')

  const context = say.context ?? null
  const shown = context === null ? null : store.assistant.page(context)
  if (context !== null && shown === null) return refused('unknown-page')
  const walk = store.walk()
  const resumed = say.resume ? resumedOf(deps, walk) : null
  if (walk.end && !resumed && !takesAfter(walk)) return refused('ended')
  const last = store.lastTurn()
  if (last?.status === 'running')
    // A turn that waits for a person may wait for hours, so the client decides how often it asks.
    return refused('busy', parkedUntil(deps, last) === null ? BUSY_RETRY_MS : undefined)

  const picked = walk.end ? null : pickedBy(text, deps.info.graph, walk)
  if (picked) return takeChoose(deps, { cid: say.cid, ...picked })
  const over = deps.budget.refusal(store.attempts())
  if (over) return refused(over.code, over.retryAfterMs)

  const at = deps.now()
  deps.budget.turnBegins()
  const page = pageOf(shown?.kind === 'text' ? { ...say, page: shown.text } : say)
  const named = context ?? (page !== null && deps.info.scenario.assistant ? putText(deps, page, at) : null)
  return {
    ok: true,
    ...store.beginTurn({ cid: say.cid, learner: text, page, context: named }, at, at + deps.leaseMs, resumed),
  }
}

/** Takes back the goodbye that ended a walk. Returns null if that is not possible. */
function resumedOf({ info }: TurnDeps, ended: Walk): ResumedWalk | null {
  const { walk, effects, trace } = walkOn(info.graph, ended, { type: 'resume' })
  return walk.end || walk === ended ? null : { walk, sends: effects.filter(isSend), trace }
}

/**
 * Returns what the embedding page said about itself, cut to the limit. A text that is too long is not refused, because
 * the page wrote it and the learner cannot change it.
 */
function pageOf({ page = '' }: Say): string | null {
  // The text is cleaned again, because the cut may leave a part of a character that consists of several code points.
  return clean(cap(clean(page).trim(), MAX_PAGE)) || null
}

/** Stores what a page said about itself in a message as the page of an assistant's turn, and returns its hash. */
function putText({ store }: TurnDeps, text: string, at: number): string {
  const page: PageContext = { kind: 'text', text }
  const hash = fingerprint(page)
  store.assistant.putPage(hash, page, at)
  return hash
}

/**
 * Takes the learner's pick at a fork. A pick is not a turn: the walk moves, and the colleague reacts with the author's
 * words, without a call to the actor.
 */
export function takeChoose(deps: TurnDeps, choose: Choose): MessageOutcome {
  const { store, info } = deps
  const known = store.acknowledged(choose.cid)
  if (known) return repeated(known)
  const last = store.lastTurn()
  if (last?.status === 'running') return refused('busy', BUSY_RETRY_MS)

  const before = store.walk()
  const event = { type: 'pivot-choice', node: choose.pivot, choice: choose.choice } as const
  const { walk, effects, trace } = walkOn(info.graph, before, event)
  if (trace.some(({ type }) => type === 'ignored')) return refused(before.end ? 'ended' : 'unknown-choice')

  const turn = last?.id ?? 0
  const at = deps.now()
  const picked = pivotEnd(deps, choose, walk, turn)
  const chosen = {
    cid: choose.cid,
    turn,
    walk,
    events: gained(deps, [picked.event]),
    sends: effects.filter(isSend),
    records: [...picked.said, ...trace].map((entry) => ({ at, turn: `choice:${turn}`, entry })),
  }
  const written = store.recordChoice(chosen, at, shareOf(info, chosen, at))
  return { ok: true, turn: null, ...written }
}

/** Begins another attempt at the last turn, if that turn failed. */
export function takeRetry(deps: TurnDeps, retry: Retry): MessageOutcome {
  const { store } = deps
  const known = store.acknowledged(retry.cid)
  if (known) return repeated(known)
  const last = store.lastTurn()
  if (last?.status === 'running') return refused('busy', BUSY_RETRY_MS)
  if (last?.status !== 'failed' || last.id !== retry.turn) return refused('nothing-to-retry')
  const over = deps.budget.refusal(store.attempts())
  if (over) return refused(over.code, over.retryAfterMs)

  const at = deps.now()
  deps.budget.turnBegins()
  const begun = store.beginAttempt(last, retry.cid, at, at + deps.leaseMs)
  return begun.acknowledgement ? { ok: true, ...begun, acknowledgement: begun.acknowledgement } : refused('unavailable')
}

function isSend(effect: Effect): effect is SendEffect {
  return effect.type === 'send'
}

function repeated(acknowledgement: Accepted): MessageOutcome {
  return { ok: true, acknowledgement, events: [], turn: null }
}

function refused(...why: Parameters<typeof refuse>): MessageOutcome {
  return { ok: false, refusal: refuse(...why) }
}

/**
 * Returns the event of a pick for clients, and two messages for the interaction log: the card's words and the
 * colleague's reaction.
 */
function pivotEnd(
  { info }: TurnDeps,
  choose: Choose,
  walk: Walk,
  turn: number,
): { readonly event: NewEvent; readonly said: readonly MessageRecord[] } {
  const node = info.graph.nodes[choose.pivot]
  const choice = node?.kind === 'pivot' ? node.pivot.choices.find(({ id }) => id === choose.choice) : undefined
  if (!choice) throw new Error('the walk took a choice that its graph does not have')
  const { id, text, reaction, effect } = choice
  const event: NewEvent = {
    type: 'pivot-end',
    turn,
    pivot: choose.pivot,
    level: walk.relationship.level,
    choice: { cid: choose.cid, id, text, reaction, effect },
  }
  return { event, said: [said('learner', text), said('npc', reaction)] }
}

function said(who: MessageRecord['who'], text: string): MessageRecord {
  return { type: 'message', who, text, metadata: [] }
}
