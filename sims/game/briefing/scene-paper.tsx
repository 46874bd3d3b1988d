import type { SimulationCard } from '../../../worker/wire/run.ts'
import { CastPortrait } from '../components/cast-portrait.tsx'
import { t } from '../texts/texts.ts'

/** The facts of the case as a sheet of paper: who, what, by when, and who knows something. It is the author's, so in English. */
export function ScenePaper({ card }: { card: SimulationCard }) {
  const others = card.people.filter(({ id }) => id !== card.guide)
  return (
    <div class="scene-paper">
      <section aria-labelledby="role">
        <h2 id="role" class="eyebrow">
          {t.shell.role}
        </h2>
        <p class="large" lang="en" dir="auto">
          {card.role}
        </p>
      </section>
      <section aria-labelledby="situation">
        <h2 id="situation" class="eyebrow">
          {t.shell.situation}
        </h2>
        <p lang="en" dir="auto">
          {card.what}
        </p>
      </section>
      <section aria-labelledby="options">
        <h2 id="options" class="eyebrow">
          {t.shell.options}
        </h2>
        <ol class="choices" lang="en" dir="auto">
          {card.options.map(({ id, title }) => (
            <li key={id}>{title}</li>
          ))}
        </ol>
        <p class="deadline">
          {t.shell.decideWord} <span lang="en">{card.deadline}</span>
        </p>
      </section>
      <section aria-labelledby="who">
        <h2 id="who" class="eyebrow">
          {t.shell.whoKnows}
        </h2>
        <ul class="cast">
          {others.map((person) => (
            <li key={person.id} class="person" style={{ '--hue': person.hue }}>
              <CastPortrait person={person} level="neutral" size={48} />
              <span class="who" lang="en" dir="auto">
                <span class="name">{person.name}</span>
                <span class="small">{person.role}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
