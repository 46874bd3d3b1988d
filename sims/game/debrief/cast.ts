import type { PersonView } from '../../../worker/wire/messages.ts'
import type { SimulationCard } from '../../../worker/wire/run.ts'
import { inWords } from './strip.ts'

/** Who plays: every colleague by id. */
export interface Cast {
  readonly person: (id: string) => PersonView
  /** "Maya" of "Maya Patel": how a colleague is spoken of. */
  readonly name: (id: string) => string
}

/** A hue that is nobody's. */
const NO_HUE = 265

/** Who plays in a simulation. Somebody it does not know, of an older version of it, goes by their id. */
export function castOf(card: Pick<SimulationCard, 'people'> | null): Cast {
  const known = new Map((card?.people ?? []).map((person) => [person.id, person]))
  const person = (id: string): PersonView => known.get(id) ?? { id, name: inWords(id), role: '', hue: NO_HUE }
  return { person, name: (id) => person(id).name.replace(/ .*/, '') }
}
