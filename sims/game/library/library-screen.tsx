import { useEffect, useState } from 'preact/hooks'
import { NotGot } from '../components/missing.tsx'
import type { Game } from '../game.ts'
import { hrefOf } from '../route.ts'
import { keepLocale, LANGUAGES } from '../texts/locale.ts'
import { locale, t } from '../texts/texts.ts'
import { RunLine } from './run-line.tsx'
import { SimulationCardView } from './simulation-card.tsx'
import { cardOf, inOrder, isDecided, nextSimulation, offeredIn } from './stand.ts'

/** The library: every simulation, and every run that this browser can open. A link may name a simulation to begin with. */
export function LibraryScreen({ game }: { game: Game }) {
  const { cards, kept } = game.store
  const { value, problem, waits } = cards.value
  const views = game.store.runs.value
  const runs = kept.value.filter((run) => !isDecided(run, views))
  const done = kept.value.filter((run) => isDecided(run, views))
  const offered = inOrder(offeredIn(locale, value ?? []))
  // Who has decided is led on as in the debrief of that run.
  const [last] = kept.value
  const next = last ? nextSimulation(locale, value ?? [], last.scenario, kept.value) : offered[0]
  const route = game.store.route.value
  const named = route.screen === 'library' ? offered.find(({ id }) => id === route.simulation) : undefined
  const lit = named ?? (runs.length > 0 ? undefined : next)
  useEffect(() => {
    if (named) document.getElementById(`sim-${named.id}`)?.closest('li')?.scrollIntoView({ block: 'center' })
  }, [named?.id])
  return (
    <div class="library">
      <header class="measure">
        <h1 tabIndex={-1}>{t.shell.libraryTitle}</h1>
        <p class="lead">{t.shell.libraryLead}</p>
        {/* Its place is kept while nobody knows whether it is so: most servers have no model, and nothing is to move. */}
        {(value === null || offered.some(({ isWritten }) => isWritten)) && (
          <p class="small" style={value === null ? { visibility: 'hidden' } : undefined}>
            {t.shell.isWritten}
          </p>
        )}
      </header>
      {runs.length > 0 && (
        <section aria-labelledby="left-off">
          <h2 id="left-off">{t.shell.leftOff}</h2>
          <ul class="runs">
            {runs.map((run, index) => (
              <RunLine key={run.id} game={game} run={run} card={cardOf(value, run.scenario)} isLit={index === 0} />
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="all">
        <h2 id="all" class={kept.value.length > 0 ? '' : 'hidden'}>
          {t.shell.allSimulations}
        </h2>
        {value === null && problem === null && <Cards />}
        {value === null && problem !== null && <NotGot waits={waits} onAgain={() => void game.loadCards()} />}
        {value?.length === 0 && <p>{t.shell.noSimulations}</p>}
        <ul class="sims">
          {offered.map((card) => (
            <SimulationCardView key={card.id} game={game} card={card} isLit={card === lit} />
          ))}
        </ul>
      </section>
      {done.length > 0 && (
        <section aria-labelledby="done">
          <h2 id="done">{t.shell.doneRuns}</h2>
          <ul class="runs">
            {done.map((run) => (
              <RunLine key={run.id} game={game} run={run} card={cardOf(value, run.scenario)} isLit={false} />
            ))}
          </ul>
        </section>
      )}
      <JoinForm game={game} />
      <LibraryFoot />
    </div>
  )
}

function Cards() {
  return (
    <div class="skeleton sims" aria-busy="true">
      <span class="hidden">{t.shell.waiting}</span>
      {[0, 1, 2].map((index) => (
        <span key={index} class="bar tall" aria-hidden="true" />
      ))}
    </div>
  )
}

/** A form for a learner who was given a class's code instead of its link. */
function JoinForm({ game }: { game: Game }) {
  const [isMissing, setIsMissing] = useState(false)
  return (
    <section class="join-form" aria-labelledby="join">
      <h2 id="join">{t.shell.joinTitle}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const given = new FormData(event.currentTarget).get('code')
          const code = typeof given === 'string' ? given.trim() : ''
          setIsMissing(code === '')
          if (code !== '') game.go({ screen: 'join', code: encodeURIComponent(code) })
        }}
      >
        <p class="field">
          <label for="code">{t.shell.joinLabel}</label>
          <input
            id="code"
            name="code"
            maxLength={64}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            dir="ltr"
            aria-invalid={isMissing}
            aria-describedby="code-says"
          />
        </p>
        <button class="button" type="submit">
          {t.shell.joinGo}
        </button>
        <p id="code-says" class="trouble" role="alert">
          {isMissing && t.shell.joinNone}
        </p>
      </form>
    </section>
  )
}

/** The foot of the library: what this browser stores, the language, and links out of the game. */
function LibraryFoot() {
  return (
    <footer class="library-foot">
      <p class="small measure">{t.shell.keptNote}</p>
      <nav aria-label={t.shell.language}>
        <ul>
          {LANGUAGES.map((language) => (
            <li key={language.locale}>
              <a
                href={`?lang=${language.locale}`}
                lang={language.locale}
                hreflang={language.locale}
                aria-current={language.locale === locale ? 'true' : undefined}
                onClick={() => keepLocale(language.locale)}
              >
                {language.name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ul>
        <li>
          <a href={hrefOf({ screen: 'teach' })}>{t.shell.forTeachers}</a>
        </li>
        <li>
          <a href="/embed">{t.shell.embedDemo}</a>
        </li>
      </ul>
    </footer>
  )
}
