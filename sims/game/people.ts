import type { PersonView } from '../../worker/wire/messages.ts'
import type { PersonState, RunView, SimulationCard } from '../../worker/wire/run.ts'

/** A colleague: what anybody knows of them, and how it stands in this run. */
export type Colleague = SimulationCard['people'][number] & { readonly state: PersonState }

/** The people of a run in its order. Somebody whom the simulation does not have any more is left out. */
export function colleaguesOf(card: SimulationCard, run: RunView): readonly Colleague[] {
  return run.people.flatMap((state) => {
    const person = card.people.find(({ id }) => id === state.npc)
    return person ? [{ ...person, state }] : []
  })
}

/** Finds a colleague by id. Somebody of an older version of the simulation goes by their id. */
export type People = (npc: string) => PersonView

/** A hue that no colleague has. */
const NO_HUE = 265

export function peopleOf(card: Pick<SimulationCard, 'people'> | null): People {
  const known = new Map(card?.people.map((person) => [person.id, person]))
  return (npc) => known.get(npc) ?? { id: npc, name: inWords(npc), role: '', hue: NO_HUE }
}

/** How somebody is spoken of: "Maya" for Maya Patel, and the whole name where it begins with a title. */
export function calledName(person: Pick<PersonView, 'name'> | undefined): string {
  const name = person?.name ?? ''
  const [first = name] = name.split(' ')
  return first.endsWith('.') || first.length < 2 || /^(?:Prof|Dr|Mr|Mrs|Ms)$/.test(first) ? name : first
}

/** The people of a simulation, and how each is spoken of. */
export interface Cast {
  readonly person: People
  readonly name: (npc: string) => string
}

export function castOf(card: Pick<SimulationCard, 'people'> | null): Cast {
  const person = peopleOf(card)
  return { person, name: (npc) => calledName(person(npc)) }
}

/** "ask-first" and "ASK_FIRST" as "Ask first": for an id that has no words of its own. */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[\s._:/-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.replace(/^./u, (first) => first.toUpperCase())
}
