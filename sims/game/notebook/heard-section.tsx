import type { HeardFact, RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { t } from '../texts/texts.ts'
import { FactList } from './fact-list.tsx'
import { NothingHeard } from './nothing-heard.tsx'
import { calledName } from './people.ts'
import type { People } from './people.ts'
import type { Visit } from './use-visit.ts'

/** What was heard, or what is to be heard. A search that finds nothing here leaves nothing here. */
export function HeardSection({
  run,
  card,
  facts,
  people,
  visit,
  words,
  npc,
  pointed,
}: {
  run: RunView
  card: SimulationCard | null
  /** Those that are shown. */
  facts: readonly HeardFact[]
  people: People
  visit: Visit
  words: readonly string[]
  npc: string | null
  pointed: string | null
}) {
  if (facts.length === 0 && words.length > 0) return null
  const isNotThere = pointed !== null && !run.facts.some(({ id }) => id === pointed)
  return (
    <section aria-labelledby="notebook-heard">
      <h2 id="notebook-heard">{t.notebook.heard}</h2>
      {isNotThere && (
        <p class="aside" role="alert">
          {t.notebook.factNotHere}
        </p>
      )}
      {facts.length > 0 && (
        <FactList run={run.id} facts={facts} people={people} visit={visit} words={words} pointed={pointed} />
      )}
      {run.facts.length === 0 && <NothingHeard run={run} card={card} people={people} />}
      {run.facts.length > 0 && facts.length === 0 && npc !== null && (
        <p class="aside">{t.notebook.nothingFrom(calledName(people(npc)))}</p>
      )}
    </section>
  )
}
