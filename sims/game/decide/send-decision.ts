import type { Game } from '../game.ts'
import { RunApiError } from '../run-api.ts'
import { stillHere } from '../game.ts'
import { t } from '../texts/texts.ts'
import { decisionOf, forgetDraft } from './draft.ts'
import type { Draft } from './draft.ts'

/** Why a decision was not made: the sentence that says so, and whether another option has to be picked. */
export interface DecisionFailure {
  readonly says: 'unreachable' | 'notHeard' | 'unknownOption' | 'tooFast' | 'notAdmitted' | 'failed'
  readonly mend: 'try-again' | 'other-option'
}

/**
 * Sends a decision, and goes to the debrief when it was made; who has gone somewhere else meanwhile is only told. Sent
 * twice it counts once; where another device was first, the run is got again and says so. The draft stays until it was made.
 *
 * @returns why it was not made; null where there is nothing more to do here
 */
export async function sendDecision(game: Game, draft: Draft): Promise<DecisionFailure | null> {
  const isStillHere = stillHere(game)
  try {
    const run = await game.api.decide(decisionOf(draft))
    forgetDraft(run.id)
    game.setRun(run)
    if (isStillHere()) game.go({ screen: 'debrief', run: run.id }, 'replace')
    else game.note(t.decide.arrived)
    return null
  } catch (error) {
    const { code, next } = error instanceof RunApiError ? error : new RunApiError('unavailable', 'retry-after')
    // What the service knows better: that it is decided, that a fact is not there, that the run is gone.
    if (code === 'decided' || code === 'not-heard' || next === 'start-over') await game.refresh()
    if (code === 'decided' || next === 'start-over') return null
    const says = SENTENCES[code] ?? 'failed'
    if (!isStillHere()) game.note(t.decide[says], 'trouble')
    return { says, mend: code === 'unknown-option' ? 'other-option' : 'try-again' }
  }
}

const SENTENCES: Partial<Record<string, DecisionFailure['says']>> = {
  unreachable: 'unreachable',
  'not-heard': 'notHeard',
  'unknown-option': 'unknownOption',
  'rate-limited': 'tooFast',
  'not-admitted': 'notAdmitted',
}
