import type { Npc, Scenario } from '../worker/core/scenario/scenario.ts'
import type { Problem } from './problem.ts'

/** Names that have to be unique, and names that have to exist. */
export function checkReferences(scenario: Scenario): readonly Problem[] {
  return [
    ...duplicates(scenario.npcs, ['npcs'], 'colleague'),
    ...duplicates(scenario.objectives, ['objectives'], 'objective'),
    ...duplicates(scenario.decision.options, ['decision', 'options'], 'option'),
    ...scenario.npcs.flatMap((npc, index) => checkNpc(npc, ['npcs', index], scenario)),
    ...checkRun(scenario),
  ]
}

function checkRun({ run, npcs }: Scenario): readonly Problem[] {
  if (run === undefined || run.completes === 'all') return []
  const { completes } = run
  return completes.flatMap((id, index): readonly Problem[] => {
    const path = ['run', 'completes', index]
    if (completes.indexOf(id) < index) return [{ path, message: `"${id}" is there already` }]
    return npcs.some((npc) => npc.id === id) ? [] : [{ path, message: `nobody here is called "${id}"` }]
  })
}

function checkNpc(npc: Npc, path: Problem['path'], scenario: Scenario): readonly Problem[] {
  return [
    ...duplicates(npc.pivots, [...path, 'pivots'], 'fork'),
    ...npc.pivots.flatMap(({ choices }, index) => duplicates(choices, [...path, 'pivots', index, 'choices'], 'choice')),
    ...checkGoal(npc, path, scenario),
    ...checkNext(npc, path, scenario),
    ...checkOpinion(npc, path, scenario),
    ...checkRedirects(npc, path, scenario),
  ]
}

function checkGoal({ goal }: Npc, path: Problem['path'], { objectives }: Scenario): readonly Problem[] {
  if (objectives.some(({ id }) => id === goal.objective)) return []
  return [{ path: [...path, 'goal', 'objective'], message: `there is no objective "${goal.objective}"` }]
}

function checkNext({ id, next }: Npc, path: Problem['path'], { npcs }: Scenario): readonly Problem[] {
  if (next === null) return []
  const at = [...path, 'next', 'npc']
  if (next.npc === id) return [{ path: at, message: 'sends the learner to themselves' }]
  return npcs.some((other) => other.id === next.npc)
    ? []
    : [{ path: at, message: `nobody here is called "${next.npc}"` }]
}

function checkOpinion({ opinion }: Npc, path: Problem['path'], { decision }: Scenario): readonly Problem[] {
  if (opinion === null || decision.options.some(({ title }) => title === opinion.rightCall)) return []
  return [{ path: [...path, 'opinion', 'rightCall'], message: 'is not the title of one of the options' }]
}

function checkRedirects({ id, rehearsal }: Npc, path: Problem['path'], { npcs }: Scenario): readonly Problem[] {
  const at = [...path, 'rehearsal', 'redirects']
  const strangers = rehearsal.redirects.flatMap(({ npc }, index) =>
    npc !== id && npcs.some((other) => other.id === npc)
      ? []
      : [{ path: [...at, index, 'npc'], message: `"${npc}" is no colleague to send a question to` }],
  )
  const missing = npcs.filter((other) => other.id !== id && !rehearsal.redirects.some(({ npc }) => npc === other.id))
  return [
    ...strangers,
    ...missing.map((other) => ({ path: at, message: `says nothing for a question that is ${other.id}'s` })),
  ]
}

function duplicates(
  items: readonly { readonly id: string }[],
  path: Problem['path'],
  what: string,
): readonly Problem[] {
  return items.flatMap(({ id }, index) =>
    items.findIndex((other) => other.id === id) < index
      ? [{ path: [...path, index, 'id'], message: `there is another ${what} "${id}"` }]
      : [],
  )
}
