import type { Game } from '../game.ts'
import { RunApiError } from '../run-api.ts'
import { stillHere } from '../game.ts'
import { t } from '../texts/texts.ts'
import { decisionOf, forgetDraft } from './draft.ts'
import type { Draft } from './draft.ts'

/** Why a decision was not made: the text to show, and what the learner can do. */
export interface DecisionFailure {
  readonly says: 'unreachable' | 'notHeard' | 'unknownOption' | 'notEarned' | 'tooFast' | 'notAdmitted' | 'failed'
  readonly mend: 'try-again' | 'other-option'
}

/**
 * Sends a decision and goes to the debrief. If the learner has gone to another screen meanwhile, shows a note instead.
 * If the same decision is sent twice, the service counts it once. If another device decided first, the page loads the
 * run again and shows that device's decision. The draft stays until the decision is made.
 *
 * @returns why the decision was not made; null if the learner has nothing more to do on this screen
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
    // The service knows something that the page doesn't: the run is decided or gone, or the learner hasn't heard a
    // fact that the decision cites or needs.
    if (code === 'decided' || code === 'not-heard' || code === 'not-earned' || next === 'start-over')
      await game.refresh()
    if (code === 'decided' || next === 'start-over') return null
    const says = SENTENCES[code] ?? 'failed'
    if (!isStillHere()) game.note(t.decide[says], 'trouble')
    return { says, mend: code === 'unknown-option' || code === 'not-earned' ? 'other-option' : 'try-again' }
  }
}

const SENTENCES: Partial<Record<string, DecisionFailure['says']>> = {
  unreachable: 'unreachable',
  'not-heard': 'notHeard',
  'unknown-option': 'unknownOption',
  'not-earned': 'notEarned',
  'rate-limited': 'tooFast',
  'not-admitted': 'notAdmitted',
}
