import { advance, conclude, fallbackLine, noAnswer } from './turn-loop.ts'
import { ending, failedTurnEnd } from './run-turn.ts'
import type { StoredTurn, TurnEnd, TurnLoop } from './turn.ts'
import type { TurnDeps } from './turn-deps.ts'

/** How many attempts a turn has before it ends as failed, if its runner dies. */
const MAX_ATTEMPTS = 2
/** How often the work after a reply is tried again before the turn ends without it. */
const MAX_RESUMPTIONS = 1

/** The next step for a stored turn that has no runner. */
export type TurnRecovery =
  /** Run it; `from` is how far it had come, or null. */
  | { readonly type: 'run'; readonly turn: StoredTurn; readonly from: TurnLoop | null }
  /** Write this end, and tell it. */
  | { readonly type: 'end'; readonly end: TurnEnd }
  /** Its end is written: nothing but telling it is left. */
  | { readonly type: 'tell' }

/**
 * Decides how to go on with a stored turn that has no runner:
 *
 * - a turn whose reply was spoken whole keeps its attempt and the text that was shown. What is left of it is done; what
 *   cannot be done is left out, as it is when an actor fails after its reply;
 * - any other running turn is spoken again, from as far as it had come, as the next attempt, which voids what was shown of
 *   the one before; after the last attempt it ends as failed, with a line in character, and can be tried again;
 * - one that ended without clients being told is told.
 *
 * @param last the conversation's last turn, which is not done
 * @throws when what is stored cannot be gone on with.
 */
export function recover(deps: TurnDeps, last: StoredTurn): TurnRecovery {
  const { store } = deps
  if (last.status !== 'running') return { type: 'tell' }
  const at = deps.now()
  const from = store.loop(last.id)
  if (from?.spoken) return resume(deps, last, from, at)
  if (last.attempt >= MAX_ATTEMPTS) return { type: 'end', end: failedTurnEnd(deps, last) }
  const lease = at + deps.leaseMs
  const { turn } = store.beginAttempt(last, null, at, lease)
  return { type: 'run', turn, from }
}

function resume(deps: TurnDeps, turn: StoredTurn, loop: TurnLoop, at: number): TurnRecovery {
  if (loop.asked && loop.resumed < MAX_RESUMPTIONS) {
    const from = { ...loop, resumed: loop.resumed + 1 }
    deps.store.keep(turn, from, at + deps.leaseMs)
    return { type: 'run', turn, from }
  }
  const result = conclude(withoutAnswers(deps, turn, loop, at), turn)
  return { type: 'end', end: result ? ending(deps, turn, deps.store.walk(), result) : failedTurnEnd(deps, turn) }
}

function withoutAnswers(deps: TurnDeps, turn: StoredTurn, from: TurnLoop, at: number): TurnLoop {
  let loop = from
  while (loop.asked) loop = advance(deps, loop, noAnswer(loop.asked, turn), turn, at)
  return loop
}

/**
 * The end of a turn that cannot be gone on with, made of as little of what is stored as can be: its line in character,
 * and the walk, which is stored as it was before the turn.
 *
 * @throws when not even that can be read.
 */
export function givenUp(deps: TurnDeps): TurnEnd | null {
  const turn = deps.store.lastTurn()
  if (turn?.status !== 'running') return null
  const walk = deps.store.walk()
  const { level } = walk.relationship
  const { id, attempt } = turn
  return {
    turn: id,
    attempt,
    status: 'failed',
    walk,
    events: [{ type: 'turn', turn: id, attempt, text: fallbackLine(id), outcome: 'failed', level }],
    heard: null,
    sends: [],
    records: [],
  }
}
