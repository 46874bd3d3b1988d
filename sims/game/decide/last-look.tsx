import { useState } from 'preact/hooks'
import { clean } from '../../../widget/clean.ts'
import type { HeardFact, RunView, SimulationCard } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { optionTitle } from '../library/stand.ts'
import { sourceOf } from '../notebook/fact-list.tsx'
import type { People } from '../people.ts'
import { followLink, hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import { reasonOf } from './draft.ts'
import type { Draft } from './draft.ts'
import { LeftOutNote } from './left-out.tsx'
import { sendDecision } from './send-decision.ts'
import type { DecisionFailure } from './send-decision.ts'

/** The last look: the whole decision in one sentence, and the button that sends the decision. */
export function LastLook({
  game,
  run,
  card,
  people,
  draft,
  failure,
  onFailure,
  onBack,
}: {
  game: Game
  run: RunView
  card: SimulationCard
  people: People
  draft: Draft
  failure: DecisionFailure | null
  onFailure: (failure: DecisionFailure | null) => void
  onBack: () => void
}) {
  const [sending, setSending] = useState(false)
  const isOnline = game.store.online.value
  const send = async () => {
    if (sending) return
    setSending(true)
    onFailure(null)
    const failed = await sendDecision(game, draft)
    setSending(false)
    onFailure(failed)
  }
  return (
    <div class="decide look">
      <h1 tabIndex={-1}>{t.decide.lookTitle}</h1>
      <div class="signed sheet">
        <p>
          <span class="joint">{t.decide.youDecide}</span>{' '}
          <strong lang="x-authored" dir="auto">
            {clean(optionTitle(draft.option, run, card) ?? '')}
          </strong>
        </p>
        <p class="joint">{t.decide.because}</p>
        <p class="in-words" dir="auto">
          {reasonOf(draft.reason)}
        </p>
        <p>
          <span class="joint">{t.decide.strength}</span>{' '}
          {draft.evidence.length === 0 && <span>{t.decide.onNothing}</span>}
        </p>
        <CitedFacts facts={run.facts} cited={draft.evidence} people={people} />
      </div>
      <LeftOutNote run={run} card={card} people={people} />
      {failure && (
        <p class="lack" role="alert">
          {t.decide[failure.says]}
        </p>
      )}
      {!isOnline && <p class="lack">{t.decide.offline}</p>}
      <div class="doings at-hand">
        <p class="small once">{t.decide.once}</p>
        <button class="button main" type="button" aria-disabled={sending} onClick={() => void send()}>
          {sending ? t.decide.sending : t.decide.decide}
        </button>
        <a class="bare" href={hrefOf({ screen: 'decide', run: run.id })} onClick={followLink(onBack)}>
          {draft.evidence.length === 0 && run.facts.length > 0 ? t.decide.tickFirst : t.decide.change}
        </a>
      </div>
    </div>
  )
}

/** The evidence of a decision, in the order in which the learner heard the facts. */
export function CitedFacts({
  facts,
  cited,
  people,
}: {
  facts: readonly HeardFact[]
  cited: readonly string[]
  people: People
}) {
  const shown = facts.filter(({ id }) => cited.includes(id))
  if (shown.length === 0) return null
  return (
    <ul class="rests-on">
      {shown.map((fact) => (
        <li key={fact.id} class="person" style={{ '--hue': people(fact.npc).hue }}>
          <span class="known" lang="x-authored" dir="auto">
            {clean(fact.text)}
          </span>{' '}
          <span class="small">{sourceOf(fact, people)}</span>
        </li>
      ))}
    </ul>
  )
}
