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

/** "Maya Patel" is "Maya" to whoever works with her. */
export function firstNameOf(person: Pick<PersonView, 'name'> | undefined): string {
  return person?.name.replace(/ .*/, '') ?? ''
}
