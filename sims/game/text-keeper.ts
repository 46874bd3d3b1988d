/** Where a text is kept under the name of a run: in this browser, or on the page alone where storage is denied or full. */
export interface TextKeeper {
  read(run: string): string | null
  write(run: string, text: string): void
  forget(run: string): void
}

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** @param prefix what the names in the browser's storage begin with */
export function textKeeper(prefix: string, storage: () => Kept = () => localStorage): TextKeeper {
  const held = new Map<string, string>()
  return {
    read(run) {
      try {
        // What is held is the newer: storage that is full still has what it was given before.
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
        // Storage is denied or full: the page remembers for as long as it is there.
        held.set(run, text)
      }
    },
    forget(run) {
      held.delete(run)
      try {
        storage().removeItem(prefix + run)
      } catch {
        // Nothing was kept there.
      }
    },
  }
}
