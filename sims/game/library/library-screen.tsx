import { NotGot } from '../components/missing.tsx'
import type { Game } from '../game.ts'
import { locale, t } from '../texts/texts.ts'
import { JoinForm } from './join-form.tsx'
import { LibraryFoot } from './library-foot.tsx'
import { RunLine } from './run-line.tsx'
import { SimulationCardView } from './simulation-card.tsx'
import { cardOf, inOrder } from './stand.ts'

/** Every simulation, and every run that this browser can open. */
export function LibraryScreen({ game }: { game: Game }) {
  const { cards, kept } = game.store
  const { value, problem, waits } = cards.value
  const runs = kept.value
  return (
    <div class="library">
      <header class="measure">
        <h1 tabIndex={-1}>{t.shell.libraryTitle}</h1>
        <p class="lead">{t.shell.libraryLead}</p>
        {locale !== 'en' && <p class="small">{t.shell.authoredIn}</p>}
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
        <h2 id="all" class={runs.length > 0 ? '' : 'hidden'}>
          {t.shell.allSimulations}
        </h2>
        {value === null && problem === null && <Cards />}
        {value === null && problem !== null && <NotGot waits={waits} onAgain={() => void game.loadCards()} />}
        {value?.length === 0 && <p>{t.shell.noSimulations}</p>}
        <ul class="sims">
          {inOrder(value ?? []).map((card, index) => (
            <SimulationCardView key={card.id} game={game} card={card} isLit={index === 0 && runs.length === 0} />
          ))}
        </ul>
      </section>
      <JoinForm game={game} />
      <LibraryFoot />
    </div>
  )
}

/** Where the simulations will stand. */
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
