/** What can happen to a place in plain data: the kinds of slip that editing by hand makes, and worse. */
export type Mutation = {
  readonly how: 'delete' | 'duplicate' | 'swap' | 'rename' | 'retype'
  /** Which place, counted through all of them. */
  readonly place: number
  /** With which other one. */
  readonly other: number
  /** What to. */
  readonly value: unknown
}

/** The data after a mutation. What was given stays as it is. */
export function mutated(data: unknown, { how, place, other, value }: Mutation): unknown {
  const copy: unknown = structuredClone(data)
  const places = placesIn(copy)
  const here = places[place % Math.max(1, places.length)]
  // Two values of one kind change places more often unnoticed, and so do more harm.
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
    // JSON has no holes in its lists.
    holder[Math.min(Number(key) || 0, holder.length)] = value
    return
  }
  // A name such as `__proto__` is a name here like any other.
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

function remove({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else Reflect.deleteProperty(holder, key)
}
