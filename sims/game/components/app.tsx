import type { Game } from '../game.ts'
import { follow } from './follow.ts'
import { KeysSheet } from './keys-sheet.tsx'
import { Notes } from './notes.tsx'
import { Screen } from './screen.tsx'
import { TopBar } from './top-bar.tsx'
import { t } from '../texts/texts.ts'

/** The whole page. */
export function App({ game }: { game: Game }) {
  const { screen } = game.store.route.value
  return (
    <div class="page" data-screen={screen}>
      <a class="skip" href="#main" onClick={follow(() => focusContent())}>
        {t.shell.skip}
      </a>
      <TopBar game={game} />
      <Offline game={game} />
      <main id="main" tabIndex={-1}>
        <Screen game={game} />
      </main>
      <Notes game={game} />
      <KeysSheet game={game} />
    </div>
  )
}

function focusContent(): void {
  const target = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
  target?.focus()
}

/** The page says it once, at its top. What was there stays. */
function Offline({ game }: { game: Game }) {
  const { online, asked, runId } = game.store
  if (!online.value) return <aside class="strip">{t.shell.offline}</aside>
  const { problem, value, waits } = asked.value
  if (runId.value === null || problem === null || value === null) return null
  return (
    <aside class="strip">
      {t.shell.stale}{' '}
      <button class="bare" type="button" aria-disabled={waits} onClick={() => void game.refresh()}>
        {t.shell.tryAgain}
      </button>
    </aside>
  )
}
