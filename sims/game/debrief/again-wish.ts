/** Names the wish for a new run until it is answered: asked for again, after a lost answer or a reload, it is the same run. */
export interface AgainWish {
  readonly cid: string
  /** It was answered, with a run or for good. */
  fulfil(): void
}

/**
 * @param storage gives the storage of this tab; may throw where storage is denied, and then a wish lasts as long as the page
 * @param newId a random name
 */
export function againWish(
  moment: { run: string; npc: string; pivot: string },
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  newId: () => string,
): AgainWish {
  const name = `walkon-game|again|${moment.run}|${moment.npc}|${moment.pivot}`
  const cid = read() ?? held.get(name) ?? newId()
  held.set(name, cid)
  attempt(() => storage().setItem(name, cid))
  return {
    cid,
    fulfil() {
      held.delete(name)
      attempt(() => storage().removeItem(name))
    },
  }

  function read(): string | null {
    return attempt(() => storage().getItem(name)) ?? null
  }
}

/** What the page itself holds, where the browser keeps nothing. */
const held = new Map<string, string>()

function attempt<T>(keep: () => T): T | undefined {
  try {
    return keep()
  } catch {
    return undefined
  }
}
