import type { Game } from './game.ts'

/**
 * Remembers where one is, before something is asked for. What it returns says whether nobody has gone anywhere since: the
 * answer may come many seconds later, and leads nobody away from somewhere else.
 */
export function stillHere({ store }: Pick<Game, 'store'>): () => boolean {
  const { value: here } = store.route
  return () => store.route.value === here
}
