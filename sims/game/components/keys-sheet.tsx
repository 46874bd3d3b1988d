import { useEffect, useRef } from 'preact/hooks'
import type { Game } from '../game.ts'
import { t } from '../texts/texts.ts'

/** Every key, for whoever presses `?`. The browser's own dialog keeps the keyboard in it and gives it back. */
export function KeysSheet({ game }: { game: Game }) {
  const shown = game.store.keysShown.value
  const sheet = useRef<HTMLDialogElement>(null)
  /** How many times it was closed from here and has not told of it yet: by then it may have been asked for again. */
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
