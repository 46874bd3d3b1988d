import { useEffect, useRef } from 'preact/hooks'
import type { Game } from '../game.ts'
import { followLink, hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import { Glyph } from './glyph.tsx'
import { Screen } from './screen.tsx'

/** The whole page of the game. */
export function App({ game }: { game: Game }) {
  const { screen } = game.store.route.value
  return (
    <div class="page" data-screen={screen}>
      <a class="skip" href="#main" onClick={followLink(() => focusContent())}>
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

/**
 * Shows a line at the top while the browser is offline, or while the open run could not be loaded again. The rest of
 * the page does not change.
 */
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

/**
 * The bar at the top of the page: links to the library and to the run's screens, the simulation's title, and the button
 * for the list of keyboard shortcuts.
 */
function TopBar({ game }: { game: Game }) {
  const { runId, card, run, route } = game.store
  const id = runId.value
  const { screen } = route.value
  // The conversations are opened from the desk. The briefing comes before it, and has no place of its own in the bar.
  const ofDesk = screen === 'talk' ? 'true' : undefined
  return (
    <header class="top">
      <a class="house" href={hrefOf({ screen: 'library' })} aria-label={t.shell.home}>
        <span aria-hidden="true">Walkon</span>
      </a>
      {id !== null && card.value && (
        <nav class="ways" aria-label={card.value.title}>
          <span class="of" lang="x-authored" dir="auto">
            {card.value.title}
          </span>
          <a href={hrefOf({ screen: 'desk', run: id })} aria-current={screen === 'desk' ? 'page' : ofDesk}>
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

/**
 * Shows short notes that appear and disappear by themselves. `NoteBoard` announces the notes to screen readers, so this
 * component does not.
 */
function Notes({ game }: { game: Game }) {
  const notes = game.store.notes.value.filter(({ look }) => look !== 'noted')
  return (
    <aside class="notes" aria-label={t.shell.notes} hidden={notes.length === 0}>
      {notes.map(({ id, text, look }) => (
        <p key={id} class="slip moves" data-look={look}>
          {look === 'earned' && <Glyph name="tick" />}
          <span>{text}</span>
        </p>
      ))}
    </aside>
  )
}

/**
 * The list of keyboard shortcuts, which `?` opens. The browser's `dialog` keeps the focus inside the list, and returns
 * the focus to the earlier element when the list closes.
 */
function KeysSheet({ game }: { game: Game }) {
  const shown = game.store.keysShown.value
  const sheet = useRef<HTMLDialogElement>(null)
  /**
   * When this component closes the dialog itself, the browser sends a `close` event later. This is the number of such
   * events still to come. They must not close a list that the learner has opened again meanwhile.
   */
  const untold = useRef(0)
  useEffect(() => {
    const dialog = sheet.current
    if (!dialog || dialog.open === shown) return
    if (shown) return dialog.showModal()
    untold.current += 1
    dialog.close()
  }, [shown])
  return (
    <dialog
      ref={sheet}
      class="keys-sheet"
      aria-labelledby="keys-title"
      onClose={() => {
        if (untold.current > 0) untold.current -= 1
        else game.showKeys(false)
      }}
      onClick={({ target, currentTarget }) => target === currentTarget && game.showKeys(false)}
    >
      <div>
        <h2 id="keys-title">{t.shell.keysTitle}</h2>
        <dl>
          {t.shell.keysList.map(([key, does]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <button class="button" type="button" onClick={() => game.showKeys(false)}>
          {t.shell.close}
        </button>
      </div>
    </dialog>
  )
}
