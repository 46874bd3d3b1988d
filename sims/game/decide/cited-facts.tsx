import { clean } from '../../../widget/clean.ts'
import type { HeardFact } from '../../../worker/wire/run.ts'
import { sourceOf } from '../notebook/fact-list.tsx'
import type { People } from '../notebook/people.ts'

/** What was attached to a decision, in the order in which it was heard. */
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
          <q lang="en" dir="auto">
            {clean(fact.said)}
          </q>{' '}
          <span class="small">{sourceOf(fact, people)}</span>
        </li>
      ))}
    </ul>
  )
}
