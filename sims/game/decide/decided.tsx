import { useState } from 'preact/hooks'
import { clean } from '../../../widget/clean.ts'
import type { DecisionView, RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { optionTitle } from '../library/stand.ts'
import { peopleOf } from '../people.ts'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import { CitedFacts } from './last-look.tsx'
import { forgetDraft, isEmpty, keptDraft, reasonOf, saysTheSame } from './draft.ts'

/** Shows a decision that was made, with a link to the debrief. */
export function DecisionMade({ run, card, decision }: { run: RunView; card: SimulationCard; decision: DecisionView }) {
  return (
    <div class="decide decided">
      <p class="eyebrow" lang="x-authored" dir="auto">
        {clean(card.question)}
      </p>
      <h1 tabIndex={-1}>{t.decide.decided}</h1>
      <div class="signed sheet">
        <p>
          <strong lang="x-authored" dir="auto">
            {clean(optionTitle(decision.option, run, card) ?? decision.option)}
          </strong>
        </p>
        <p class="joint">{t.decide.because}</p>
        <p class="in-words" dir="auto">
          {clean(decision.reason)}
        </p>
        <p>
          <span class="joint">{t.decide.strength}</span>{' '}
          {decision.evidence.length === 0 && <span>{t.decide.onNothing}</span>}
        </p>
        <CitedFacts facts={run.facts} cited={decision.evidence} people={peopleOf(card)} />
      </div>
      <Unsent run={run.id} decision={decision} />
      <p class="doings at-hand">
        <a class="button main" href={hrefOf({ screen: 'debrief', run: run.id })}>
          {t.decide.toDebrief}
        </a>
      </p>
    </div>
  )
}

/**
 * Shows this browser's draft if it differs from the decision, because another device decided first. The browser keeps
 * the draft until the learner deletes the draft.
 */
function Unsent({ run, decision }: { run: string; decision: DecisionView }) {
  const [draft, setDraft] = useState(() => keptDraft(run))
  if (isEmpty(draft) || saysTheSame(draft, decision)) return null
  return (
    <div class="left-out" role="status">
      <p>{t.decide.elsewhere}</p>
      {reasonOf(draft.reason) !== '' && (
        <details>
          <summary>{t.decide.unsent}</summary>
          <p class="in-words" dir="auto">
            {reasonOf(draft.reason)}
          </p>
        </details>
      )}
      <button
        class="bare"
        type="button"
        onClick={() => {
          forgetDraft(run)
          setDraft(keptDraft(run))
        }}
      >
        {t.decide.throwAway}
      </button>
    </div>
  )
}
