import { useId } from 'preact/hooks'
import type { Game } from '../game.ts'
import { hrefOf } from '../route.ts'
import type { Route } from '../route.ts'
import { late } from '../texts/texts.ts'

/**
 * A field with a link that the reader copies with a button or by hand. The field cuts off a long link, so a printed
 * page shows the link as text.
 */
export function CopyField({ label, value, copy, game }: { label: string; value: string; copy: string; game: Game }) {
  const id = useId()
  return (
    <div class="field copy-field">
      <label for={id}>{label}</label>
      <div>
        <input
          id={id}
          class="figures"
          readOnly
          dir="ltr"
          value={value}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button class="button" type="button" onClick={() => void take()}>
          {copy}
        </button>
      </div>
      <p class="on-paper" dir="ltr">
        {value}
      </p>
    </div>
  )

  async function take(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value)
      game.note(late.debrief.copied)
    } catch {
      document.getElementById(id)?.focus()
      game.note(late.debrief.notCopied, 'trouble')
    }
  }
}

/** Returns a link to a screen of the game, without the query of the current address. */
export function linkTo(route: Route, at: Pick<Location, 'origin' | 'pathname'> = location): string {
  return `${at.origin}${at.pathname}${hrefOf(route)}`
}
