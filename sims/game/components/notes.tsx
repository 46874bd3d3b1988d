import type { Game } from '../game.ts'
import { t } from '../texts/texts.ts'
import { Glyph } from './glyph.tsx'

/** Small notes that slide in and go by themselves. They are announced where they come about, not here. */
export function Notes({ game }: { game: Game }) {
  const notes = game.store.notes.value
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
