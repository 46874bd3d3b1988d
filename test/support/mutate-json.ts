/** A change to plain data at one place, as an author might make it by mistake. */
export type Mutation = {
  readonly how: 'delete' | 'duplicate' | 'swap' | 'rename' | 'retype'
  /** Which place is changed. The number is an index into the list of all places of the data. */
  readonly place: number
  /** A second place, for changes that need two. The number is an index as well. */
  readonly other: number
  /** The new value, if the change needs one. */
  readonly value: unknown
}

/** Returns a changed copy of the data. */
export function mutated(data: unknown, { how, place, other, value }: Mutation): unknown {
  const copy: unknown = structuredClone(data)
  const places = placesIn(copy)
  const here = places[place % Math.max(1, places.length)]
  // Swaps only values of the same kind: a parser notices other swaps easily.
  const alike = how === 'swap' && here ? places.filter((place) => kindOf(get(place)) === kindOf(get(here))) : places
  const there = alike[other % Math.max(1, alike.length)]
  if (!here || !there) return value
  const { holder, key } = here
  const held = get(here)
  switch (how) {
    case 'delete':
      remove(here)
      break
    case 'duplicate':
      if (Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(held))
      else set({ holder, key: `${key}_again` }, structuredClone(held))
      break
    case 'swap': {
      const swapped = structuredClone(get(there))
      set(there, structuredClone(held))
      set(here, swapped)
      break
    }
    case 'rename':
      remove(here)
      set({ holder, key: String(there.key) }, held)
      break
    case 'retype':
      set(here, value)
      break
  }
  return copy
}

interface Place {
  readonly holder: object
  readonly key: string
}

function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).flatMap((key) => {
    const place = { holder: value, key }
    return [place, ...placesIn(get(place))]
  })
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}

function get({ holder, key }: Place): unknown {
  return Reflect.get(holder, key)
}

function set({ holder, key }: Place, value: unknown): void {
  if (Array.isArray(holder)) {
    // In JSON, no index of a list may be missing. So a value at a larger index is put at the end of the list.
    holder[Math.min(Number(key) || 0, holder.length)] = value
    return
  }
  // Sets a key such as `__proto__` as an ordinary key.
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

function remove({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else Reflect.deleteProperty(holder, key)
}
