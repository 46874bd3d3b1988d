import { advance, conclude, fallbackLine, noAnswer } from './turn-loop.ts'
import { agentDeps } from './assistant/assist.ts'
import { parkedUntil } from './assistant/tool-calls.ts'
import { ending, failedTurnEnd, withAssistance } from './run-turn.ts'
import type { StoredTurn, TurnEnd, TurnLoop } from './turn.ts'
import type { ConverseDeps, TurnDeps } from './turn-deps.ts'

/** The most attempts at a turn whose runner dies. After the last attempt, the turn ends as failed. */
const MAX_ATTEMPTS = 2
/** How often the work after a reply is resumed before the turn ends without that work. */
const MAX_RESUMPTIONS = 1

/** The next step for a stored turn that has no runner. */
export type TurnRecovery =
  /** Run the turn. `from` is the turn's stored progress, or null. */
  | { readonly type: 'run'; readonly turn: StoredTurn; readonly from: TurnLoop | null }
  /** Write the turn's end `end`, and send it to clients. */
  | { readonly type: 'end'; readonly end: TurnEnd }
  /** The end of the turn is written, but still has to be sent. */
  | { readonly type: 'tell' }

/**
 * Decides how to continue a stored turn that has no runner:
 *
 * - A turn whose reply is complete keeps its attempt number and the text that was shown. The remaining work of the turn
 *   is resumed once. If the runner dies again, the turn ends without that work.
 * - Any other running turn gets its next attempt, from its stored progress. Clients then drop the text that the
 *   previous attempt has shown. After the last attempt, the turn ends as failed, with a line that the colleague says
 *   instead of a reply, and the learner can retry the turn.
 * - If a turn's end is written but was not sent to clients, the end is sent now.
 *
 * @param last the conversation's last turn, which is not done
 * @throws if the stored turn cannot be continued
 */
export function recover(deps: TurnDeps, last: StoredTurn): TurnRecovery {
  const { store } = deps
  if (last.status !== 'running') return { type: 'tell' }
  const at = deps.now()
  const from = store.loop(last.id)
  if (from?.spoken) return resume(deps, last, from, at)
  // A turn that waited for a person or the page has not failed: it goes on with the same attempt.
  if (parkedUntil(deps, last) !== null) return { type: 'run', turn: last, from: null }
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
  const own = agentDeps(deps, turn)
  const result = conclude(own, withoutAnswers(own, turn, loop, at), turn)
  if (!result) return { type: 'end', end: failedTurnEnd(deps, turn) }
  return { type: 'end', end: withAssistance(deps, turn, ending(own, turn, own.store.walk(), result), result) }
}

function withoutAnswers(deps: Pick<ConverseDeps, 'info'>, turn: StoredTurn, from: TurnLoop, at: number): TurnLoop {
  let loop = from
  while (loop.asked) loop = advance(deps, loop, noAnswer(loop.asked, turn), turn, at)
  return loop
}

/**
 * Returns a failed end for a turn that cannot be continued: a line that the colleague says instead of a reply, and the
 * walk as it was before the turn. This function reads as little stored data as possible, because some of the data may
 * be unreadable.
 *
 * @throws if the walk or the turn cannot be read
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
    events: [
      {
        type: 'turn',
        turn: id,
        attempt,
        text: fallbackLine(id, deps.info.scenario),
        outcome: 'failed',
        level,
      },
    ],
    heard: null,
    sends: [],
    records: [],
  }
}
