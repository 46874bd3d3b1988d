import { CastPortrait } from '../components/cast-portrait.tsx'
import type { SimulationCard } from '../../../worker/wire/run.ts'
import { Glyph } from '../components/glyph.tsx'
import type { Game } from '../game.ts'
import { baseOf } from '../texts/locale.ts'
import { locale, t } from '../texts/texts.ts'
import { isDecided } from './stand.ts'
import { useBegin } from './begin.ts'

/** A simulation in the library: how hard and how long it is, a line of dialogue, the decision, and the button to begin. */
export function SimulationCardView({
  game,
  card,
  isLit,
}: {
  game: Game
  card: SimulationCard
  /**
   * Whether the library suggests this simulation to a learner who begins. If it does, this simulation's button is the
   * main button.
   */
  isLit: boolean
}) {
  const { waits, trouble, begin } = useBegin(game, card.id)
  const own = game.store.kept.value.filter(({ scenario }) => scenario === card.id)
  const isBegun = own.length > 0
  return (
    <li class="sim" aria-labelledby={`sim-${card.id}`} data-lit={isLit}>
      <p class="eyebrow measures">
        {isLit && (
          <span class="lamp-tag">{game.store.kept.value.length > 0 ? t.shell.nextStep : t.shell.startHere}</span>
        )}
        {own.some((run) => isDecided(run, game.store.runs.value)) && (
          <span>
            <Glyph name="tick" /> {t.shell.stands.decided}
          </span>
        )}
        <span>{t.shell.tier[card.tier]}</span>
        <span>
          <Glyph name="clock" /> {t.shell.minutes(card.minutes)}
        </span>
        {locale !== 'en' && baseOf(card.language) === 'en' && <span>{t.shell.inEnglish}</span>}
        {card.needsModel && <span>{t.shell.needsModel}</span>}
      </p>
      <h3 id={`sim-${card.id}`} lang={card.language} dir="auto">
        {card.title}
      </h3>
      <Hook card={card} />
      <p class="question" dir="auto">
        {baseOf(locale) === baseOf(card.language) && `${t.shell.youAre} `}
        <span lang={card.language}>
          {card.role}. {card.question}
        </span>
      </p>
      <p class="doings">
        <button
          class={isLit ? 'button main' : 'button'}
          type="button"
          aria-disabled={waits}
          aria-describedby={`sim-${card.id}`}
          onClick={() => void begin()}
        >
          {waits ? t.shell.beginning : isBegun ? t.shell.beginAnew : t.shell.begin}
        </button>
      </p>
      {trouble !== null && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      <About card={card} />
    </li>
  )
}

/** A line of dialogue from the simulation. Without one, the faces of its people. */
function Hook({ card }: { card: SimulationCard }) {
  const { hook, people } = card
  const person = people.find(({ id }) => id === hook?.npc)
  if (!hook || !person)
    return (
      <div class="faces" aria-hidden="true">
        {people.slice(0, 6).map((each) => (
          <CastPortrait key={each.id} person={each} level="neutral" size={44} />
        ))}
      </div>
    )
  return (
    <figure class="hook person" style={{ '--hue': person.hue }}>
      <CastPortrait person={person} level="neutral" size={56} />
      <div>
        <blockquote lang={card.language} dir="auto">
          {hook.line}
        </blockquote>
        <figcaption class="small" lang={card.language} dir="auto">
          <span class="name">{person.name}</span>, {person.role}
        </figcaption>
      </div>
    </figure>
  )
}

/** What a learner may want to know before they begin: how many people there are, and what they practise. */
function About({ card }: { card: SimulationCard }) {
  return (
    <details class="about">
      <summary>{t.shell.about}</summary>
      <p class="measures">
        <span>
          <Glyph name="people" /> {t.shell.people(card.people.filter(({ id }) => id !== card.guide).length)}
        </span>
      </p>
      <dl>
        <div>
          <dt>{t.shell.practises}</dt>
          <dd lang={card.language} dir="auto">
            <ul>
              {card.skills.map((skill) => (
                <li key={skill}>{skill}</li>
              ))}
            </ul>
          </dd>
        </div>
      </dl>
    </details>
  )
}
