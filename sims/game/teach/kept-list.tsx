import type { Game } from '../game.ts'
import { hrefOf } from '../route.ts'
import { late } from '../texts/texts.ts'
import { letGoOfClass } from './kept-classes.ts'
import type { KeptClass } from './kept-classes.ts'

/** The classes whose links were kept here on request. */
export function KeptList({ kept, game, onLetGo }: { kept: readonly KeptClass[]; game: Game; onLetGo: () => void }) {
  const words = late.teach
  if (kept.length === 0) return null
  return (
    <section class="kept" aria-labelledby="kept-classes">
      <h2 id="kept-classes">{words.yours}</h2>
      <ul>
        {kept.map(({ id, title, key }) => (
          <li key={id}>
            <a href={hrefOf({ screen: 'class', key })} dir="auto">
              {title}
            </a>
            <button class="bare" type="button" aria-label={words.letGoOf(title)} onClick={() => letGo(id)}>
              {words.letGo}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )

  function letGo(id: string): void {
    letGoOfClass(id, () => localStorage)
    onLetGo()
    game.note(words.letGone)
    document.querySelector<HTMLElement>('.teach h1')?.focus()
  }
}
