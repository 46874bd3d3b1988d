/** Stores a text for each run: in this browser, or in memory if storage is denied or full. */
export interface TextKeeper {
  read(run: string): string | null
  write(run: string, text: string): void
  forget(run: string): void
  /** Gives a run that begins as a copy of another one the other's text. */
  copy(from: string, to: string): void
}

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * Makes a keeper of texts.
 *
 * @param prefix the beginning of the keys in the browser's storage
 */
export function textKeeper(prefix: string, storage: () => Kept = () => localStorage): TextKeeper {
  const held = new Map<string, string>()
  const keeper: TextKeeper = {
    copy(from, to) {
      const text = keeper.read(from)
      if (text !== null) keeper.write(to, text)
    },
    read(run) {
      try {
        // Memory contains a text only if the text couldn't be stored. So a text in memory is newer than a stored text.
        return held.get(run) ?? storage().getItem(prefix + run)
      } catch {
        return null
      }
    },
    write(run, text) {
      try {
        storage().setItem(prefix + run, text)
        held.delete(run)
      } catch {
        // Storage is denied or full, so the text stays in memory.
        held.set(run, text)
      }
    },
    forget(run) {
      held.delete(run)
      try {
        storage().removeItem(prefix + run)
      } catch {
        // Storage is denied, so it contains no text to remove.
      }
    },
  }
  return keeper
}
