import type { Game } from '../game.ts'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'

/** The thin line above everything: home, what is played, where one can go from anywhere, and the keys. */
export function TopBar({ game }: { game: Game }) {
  const { runId, card, run, route } = game.store
  const id = runId.value
  const { screen } = route.value
  return (
    <header class="top">
      <a class="house" href={hrefOf({ screen: 'library' })} aria-label={t.shell.home}>
        <span aria-hidden="true">Walkon</span>
      </a>
      {id !== null && card.value && (
        <nav class="ways" aria-label={card.value.title}>
          <span class="of" lang="en" dir="auto">
            {card.value.title}
          </span>
          <a href={hrefOf({ screen: 'desk', run: id })} aria-current={screen === 'desk' ? 'page' : undefined}>
            {t.shell.screen.desk}
          </a>
          <a href={hrefOf({ screen: 'notebook', run: id })} aria-current={screen === 'notebook' ? 'page' : undefined}>
            {t.shell.screen.notebook}
          </a>
          {run.value && (
            <a
              href={hrefOf({ screen: run.value.decision ? 'debrief' : 'decide', run: id })}
              aria-current={screen === 'decide' || screen === 'debrief' ? 'page' : undefined}
            >
              {run.value.decision ? t.shell.screen.debrief : t.shell.decide}
            </a>
          )}
        </nav>
      )}
      <button class="bare keys-button" type="button" aria-keyshortcuts="?" onClick={() => game.showKeys(true)}>
        {t.shell.keys}
      </button>
    </header>
  )
}
