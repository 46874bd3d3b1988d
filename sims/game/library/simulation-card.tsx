import { useState } from 'preact/hooks'
import { CastPortrait } from '../components/cast-portrait.tsx'
import type { SimulationCard } from '../../../worker/wire/run.ts'
import { Glyph } from '../components/glyph.tsx'
import type { Game } from '../game.ts'
import { locale, t } from '../texts/texts.ts'
import { beginRun } from './begin.ts'

/** A simulation in the library: the learner's role, the decision to make, and how long the simulation takes. */
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
  const [state, setState] = useState<{ waits: boolean; trouble: string | null }>({ waits: false, trouble: null })
  const isBegun = game.store.kept.value.some(({ scenario }) => scenario === card.id)
  const start = async () => {
    if (state.waits) return
    setState({ waits: true, trouble: null })
    setState({ waits: false, trouble: await beginRun(game, { scenario: card.id }) })
  }
  return (
    <li class="sim" aria-labelledby={`sim-${card.id}`}>
      <div class="faces" aria-hidden="true">
        {card.people.slice(0, 6).map((person) => (
          <CastPortrait key={person.id} person={person} level="neutral" size={44} />
        ))}
      </div>
      <p class="eyebrow" title={t.shell.tierSays[card.tier]}>
        {t.shell.tier[card.tier]}
        {locale !== 'en' && card.language === 'en' && `, ${t.shell.inEnglish}`}
      </p>
      <h3 id={`sim-${card.id}`} lang={card.language} dir="auto">
        {card.title}
      </h3>
      <p class="question" lang={card.language} dir="auto">
        {card.question}
      </p>
      <dl>
        <div>
          <dt>{t.shell.youAre}</dt>
          <dd lang={card.language} dir="auto">
            {card.role}
          </dd>
        </div>
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
      <p class="small measures">
        <span>
          <Glyph name="clock" /> {t.shell.minutes(card.minutes)}
        </span>
        <span>
          <Glyph name="people" /> {t.shell.people(card.people.length)}
        </span>
      </p>
      <p class="doings">
        <button
          class={isLit ? 'button main' : 'button'}
          type="button"
          aria-disabled={state.waits}
          aria-describedby={`sim-${card.id}`}
          onClick={() => void start()}
        >
          {state.waits ? t.shell.beginning : isBegun ? t.shell.beginAnew : t.shell.begin}
        </button>
      </p>
      {state.trouble !== null && (
        <p class="trouble" role="alert">
          {state.trouble}
        </p>
      )}
    </li>
  )
}
