import type { Game } from '../game.ts'
import { hrefOf } from '../route.ts'
import { late } from '../texts/texts.ts'

/** A class whose secret link this browser stores at the teacher's request. */
export interface KeptClass {
  readonly id: string
  readonly title: string
  readonly key: string
}

const NAME = 'walkon-game|classes'
/** The most classes that this browser stores. If there are more, it forgets the oldest ones. */
const MOST = 50

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Returns the classes that this browser stores, newest first; an empty list if storage is denied or unreadable. */
export function keptClasses(storage: () => Kept): readonly KeptClass[] {
  try {
    const raw: unknown = JSON.parse(storage().getItem(NAME) ?? '[]')
    return Array.isArray(raw) ? raw.flatMap(classIn) : []
  } catch {
    return []
  }
}

/**
 * Stores a class in this browser.
 *
 * @returns true if this browser stored the class
 */
export function keepClass(kept: KeptClass, storage: () => Kept): boolean {
  return write([kept, ...keptClasses(storage).filter(({ id }) => id !== kept.id)].slice(0, MOST), storage)
}

/** Forgets a class in this browser. The service keeps the class. */
export function letGoOfClass(id: string, storage: () => Kept): boolean {
  return write(
    keptClasses(storage).filter((kept) => kept.id !== id),
    storage,
  )
}

function write(classes: readonly KeptClass[], storage: () => Kept): boolean {
  try {
    if (classes.length === 0) storage().removeItem(NAME)
    else storage().setItem(NAME, JSON.stringify(classes))
    return true
  } catch {
    return false
  }
}

function classIn(raw: unknown): KeptClass[] {
  const { id, title, key } = Object(raw) as Record<string, unknown>
  if (typeof id !== 'string' || typeof title !== 'string' || typeof key !== 'string') return []
  return [{ id, title, key }]
}

/** Lists the classes whose secret links this browser stores. */
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
