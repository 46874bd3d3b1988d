import { clean } from '../../../widget/clean.ts'
import type { HeardFact } from '../../../worker/wire/run.ts'
import { sourceOf } from '../notebook/fact-list.tsx'
import type { People } from '../notebook/people.ts'
import { t } from '../texts/texts.ts'

/** What the decision rests on: of what was heard, and of nothing else. */
export function EvidenceField({
  facts,
  people,
  ticked,
  onTick,
}: {
  facts: readonly HeardFact[]
  people: People
  ticked: readonly string[]
  onTick: (evidence: readonly string[]) => void
}) {
  return (
    <fieldset class="evidence">
      <legend>{t.decide.evidence}</legend>
      {facts.length === 0 ? (
        <p class="aside">{t.decide.noEvidence}</p>
      ) : (
        <>
          <p class="small">
            {t.decide.evidenceHelp} <span class="figures">{t.decide.ticked(ticked.length, facts.length)}</span>
          </p>
          {facts.map((fact) => (
            <label key={fact.id} class="ticked person" style={{ '--hue': people(fact.npc).hue }}>
              <input
                type="checkbox"
                checked={ticked.includes(fact.id)}
                onChange={({ currentTarget }) =>
                  onTick(currentTarget.checked ? [...ticked, fact.id] : ticked.filter((id) => id !== fact.id))
                }
              />
              <span>
                <q lang="en" dir="auto">
                  {clean(fact.said)}
                </q>{' '}
                <span class="small">{sourceOf(fact, people)}</span>
              </span>
            </label>
          ))}
        </>
      )}
    </fieldset>
  )
}
