import type { ClassLearner } from '../../../worker/wire/run.ts'

/** How far somebody has come with the people of a simulation. */
export type Whereabouts =
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'talking'; readonly npcs: readonly string[]; readonly over: number; readonly of: number }
  | { readonly kind: 'between'; readonly over: number; readonly of: number }
  | { readonly kind: 'through' }

export function whereaboutsOf(people: ClassLearner['people']): Whereabouts {
  const of = people.length
  const over = people.filter(({ status }) => status === 'over').length
  const npcs = people.filter(({ status }) => status === 'talking').map(({ npc }) => npc)
  if (npcs.length > 0) return { kind: 'talking', npcs, over, of }
  if (over === 0) return { kind: 'nowhere' }
  return over === of ? { kind: 'through' } : { kind: 'between', over, of }
}
