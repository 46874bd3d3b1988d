import { PersonLine } from '../components/person-line.tsx'
import { colleaguesOf } from '../people-of.ts'
import type { NextStep } from '../next-step.ts'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'

/** Everybody one can talk to. The lamp stands by whoever is next. */
export function PeopleRail({
  card,
  run,
  next,
  here,
}: {
  card: SimulationCard
  run: RunView
  next: NextStep
  /** Who is being talked with. */
  here: string | null
}) {
  return (
    <nav class="people" aria-labelledby="people-title">
      <h2 id="people-title" class="eyebrow">
        {t.shell.peopleTitle}
      </h2>
      <ol>
        {colleaguesOf(card, run).map((person, index) => {
          const isNext = 'npc' in next && next.npc === person.id && here !== person.id
          return (
            <li key={person.id} class="person" style={{ '--hue': person.hue }} data-next={isNext}>
              <a
                href={hrefOf({ screen: 'talk', run: run.id, npc: person.id })}
                aria-current={here === person.id ? 'true' : undefined}
                aria-keyshortcuts={index < 9 ? `Alt+${index + 1}` : undefined}
              >
                <PersonLine person={person} />
                {isNext && <span class="lamp-tag">{t.shell.nextStep}</span>}
              </a>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
