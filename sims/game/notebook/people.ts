import type { PersonView } from '../../../worker/wire/messages.ts'
import type { SimulationCard } from '../../../worker/wire/run.ts'

/** Everybody of a simulation, by id; a stranger goes by their id. */
export type People = (npc: string) => PersonView

export function peopleOf(card: SimulationCard | null): People {
  const known = new Map(card?.people.map((person) => [person.id, person]))
  return (npc) => known.get(npc) ?? { id: npc, name: npc, role: '', hue: 265 }
}

/** What somebody is called: "Maya" for Maya Patel, and the whole of a name that begins with a title. */
export function calledName({ name }: PersonView): string {
  const [first = name] = name.split(' ')
  return first.endsWith('.') || first.length < 2 || /^(?:Prof|Dr|Mr|Mrs|Ms)$/.test(first) ? name : first
}
