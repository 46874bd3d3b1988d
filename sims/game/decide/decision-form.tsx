import { useState } from 'preact/hooks'
import { clean } from '../../../widget/clean.ts'
import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { DeadlineLine } from '../components/deadline.tsx'
import { keptNotebook } from '../notebook/kept-notebook.ts'
import { calledName } from '../people.ts'
import { openersOf, optionsOnShow } from '../library/stand.ts'
import type { People } from '../people.ts'
import { format, t } from '../texts/texts.ts'
import { lackOf, tick } from './draft.ts'
import type { Draft, Lack } from './draft.ts'
import { EvidenceField, OptionCards, ReasonField, tickedOf } from './decision-fields.tsx'
import { LeftOutNote } from './left-out.tsx'
import type { DecisionFailure } from './send-decision.ts'

/**
 * The form of a decision: the question, the options, the reason and the evidence. Its button is plain until there is an
 * option and a reason; a press then says what is missing.
 */
export function DecisionForm({
  run,
  card,
  people,
  draft,
  given,
  failure,
  onChange,
  onReady,
}: {
  run: RunView
  card: SimulationCard
  people: People
  draft: Draft
  /** Why each fact is ticked that the reason names, or that opened the chosen option. */
  given: ReadonlyMap<string, string>
  /** Why sending failed, if the learner has to change something in this form. */
  failure: DecisionFailure | null
  onChange: (next: Draft) => void
  onReady: () => void
}) {
  const [tried, setTried] = useState(false)
  const lack = tried ? lackOf(draft) : null
  const ticked = [...draft.evidence, ...given.keys()]
  return (
    <form
      class="decide"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const missing = lackOf(draft)
        setTried(true)
        if (missing === null) onReady()
        else focusOn(missing)
      }}
    >
      <p class="eyebrow">
        <DeadlineLine card={card} />
      </p>
      <h1 tabIndex={-1} lang="x-authored" dir="auto">
        {clean(card.question)}
      </h1>
      {failure && (
        <p class="lack" role="alert">
          {t.decide[failure.says]}
        </p>
      )}
      <OptionCards
        options={optionsOnShow(run, card)}
        more={run.more === true}
        openersOf={(option) =>
          format.list(openersOf({ options: [option], facts: run.facts }).map((npc) => calledName(people(npc))))
        }
        chosen={draft.option}
        lacks={lack === 'no-option'}
        onChoose={(option) => onChange({ ...draft, option })}
      />
      <ReasonField
        reason={draft.reason}
        lacks={lack === 'no-reason'}
        inClass={run.class !== null}
        named={[...given.values()].filter((why) => why === t.decide.namedIt).length}
        note={keptNotebook(run.id).note}
        onInput={(reason) => onChange({ ...draft, reason })}
      />
      <EvidenceField
        run={run}
        people={people}
        ticked={ticked}
        given={given}
        onTick={(fact, isTicked) => onChange(tick(draft, fact, isTicked, given.has(fact)))}
      />
      <LeftOutNote run={run} card={card} people={people} />
      <p class={lackOf(draft) === null ? 'doings at-hand' : 'doings'}>
        <button class={lackOf(draft) === null ? 'button main' : 'button'} type="submit">
          {t.decide.toLook}
        </button>
        {ticked.length > 0 && (
          <button class="bare" type="button" onClick={showEvidence}>
            {tickedOf(run.facts, ticked)}
          </button>
        )}
      </p>
    </form>
  )
}

/** Goes to the evidence, which is below the first screen. */
function showEvidence(): void {
  document.querySelector('.evidence')?.scrollIntoView({ block: 'start' })
  document.querySelector<HTMLElement>('.evidence summary')?.focus()
}

function focusOn(lack: Lack): void {
  const selector = lack === 'no-option' ? '.option-cards input' : '#decide-reason'
  document.querySelector<HTMLElement>(selector)?.focus()
}
