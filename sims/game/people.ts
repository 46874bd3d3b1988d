import type { PersonView } from '../../worker/wire/messages.ts'
import type { PersonState, RunView, SimulationCard } from '../../worker/wire/run.ts'

/**
 * A colleague: the simulation's description of the colleague, and the state of the learner's conversation with them in
 * this run.
 */
export type Colleague = SimulationCard['people'][number] & { readonly state: PersonState }

/** Returns the people of a run in the run's order, without people who are no longer in the simulation. */
export function colleaguesOf(card: SimulationCard, run: RunView): readonly Colleague[] {
  return run.people.flatMap((state) => {
    const person = card.people.find(({ id }) => id === state.npc)
    return person ? [{ ...person, state }] : []
  })
}

/** Returns a colleague by id. A colleague who is no longer in the simulation gets a name made from the id. */
export type People = (npc: string) => PersonView

/** A colour that no colleague has, for people who are no longer in the simulation. */
const NO_HUE = 265

export function peopleOf(card: Pick<SimulationCard, 'people'> | null): People {
  const known = new Map(card?.people.map((person) => [person.id, person]))
  return (npc) => known.get(npc) ?? { id: npc, name: inWords(npc), role: '', hue: NO_HUE }
}

/**
 * Returns the short name of a colleague: "Maya" for Maya Patel. A name that begins with a title or an initial stays
 * whole.
 */
export function calledName(person: Pick<PersonView, 'name'> | undefined): string {
  const name = person?.name ?? ''
  const [first = name] = name.split(' ')
  return first.endsWith('.') || first.length < 2 || /^(?:Prof|Dr|Mr|Mrs|Ms)$/.test(first) ? name : first
}

/** The people of a simulation, and the short name of each. */
export interface Cast {
  readonly person: People
  readonly name: (npc: string) => string
}

export function castOf(card: Pick<SimulationCard, 'people'> | null): Cast {
  const person = peopleOf(card)
  return { person, name: (npc) => calledName(person(npc)) }
}

/** Makes readable words from an id for which there is no text: "Ask first" from "ask-first" or "ASK_FIRST". */
function inWords(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[\s._:/-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.replace(/^./u, (first) => first.toUpperCase())
}
