import type { Finding } from '../../worker/core/graph/finding.ts'
import { formError, type DataPath } from './finding.ts'
import { linesSpoken } from './texts.ts'
import { hasLines, type Npc, type Scenario } from '../../worker/core/scenario/scenario.ts'

/** Finds ids that occur twice, and references to parts that the scenario doesn't have. */
export function checkReferences(scenario: Scenario): readonly Finding[] {
  return [
    ...duplicates(scenario.npcs, ['npcs'], 'colleague'),
    ...duplicates(scenario.objectives, ['objectives'], 'objective'),
    ...duplicates(scenario.decision.options, ['decision', 'options'], 'option'),
    ...scenario.npcs.flatMap((npc, index) => checkNpc(npc, ['npcs', index], scenario)),
    ...checkRun(scenario),
  ]
}

function checkRun({ run, npcs }: Scenario): readonly Finding[] {
  if (run === undefined || run.completes === 'all') return []
  const { completes } = run
  return completes.flatMap((id, index): readonly Finding[] => {
    const path = ['run', 'completes', index]
    if (completes.indexOf(id) < index) return [formError(path, `"${id}" is there already`)]
    return npcs.some((npc) => npc.id === id) ? [] : [formError(path, `nobody here is called "${id}"`)]
  })
}

function checkNpc(npc: Npc, path: DataPath, scenario: Scenario): readonly Finding[] {
  return [
    ...duplicates(npc.pivots, [...path, 'pivots'], 'fork'),
    ...npc.pivots.flatMap(({ choices }, index) => duplicates(choices, [...path, 'pivots', index, 'choices'], 'choice')),
    ...checkGoal(npc, path, scenario),
    ...checkNext(npc, path, scenario),
    ...checkOpinion(npc, path, scenario),
    ...checkRedirects(npc, path, scenario),
    ...checkFollowing(npc, path),
  ]
}

function checkGoal({ goal }: Npc, path: DataPath, { objectives }: Scenario): readonly Finding[] {
  if (objectives.some(({ id }) => id === goal.objective)) return []
  return [formError([...path, 'goal', 'objective'], `there is no objective "${goal.objective}"`)]
}

function checkNext({ id, next }: Npc, path: DataPath, { npcs }: Scenario): readonly Finding[] {
  if (next === null) return []
  const at = [...path, 'next', 'npc']
  if (next.npc === id) return [formError(at, 'sends the learner to themselves')]
  return npcs.some((other) => other.id === next.npc) ? [] : [formError(at, `nobody here is called "${next.npc}"`)]
}

function checkOpinion({ opinion }: Npc, path: DataPath, { decision }: Scenario): readonly Finding[] {
  if (opinion === null || decision.options.some(({ title }) => title === opinion.rightCall)) return []
  return [formError([...path, 'opinion', 'rightCall'], 'is not the title of one of the options')]
}

function checkRedirects(npc: Npc, path: DataPath, { npcs }: Scenario): readonly Finding[] {
  const { id, rehearsal } = npc
  if (!hasLines(npc)) return []
  const at = [...path, 'rehearsal', 'redirects']
  const strangers = rehearsal.redirects.flatMap(({ npc: to }, index) =>
    to !== id && npcs.some((other) => other.id === to)
      ? []
      : [formError([...at, index, 'npc'], `"${to}" is no colleague to send a question to`)],
  )
  const missing = npcs.filter((other) => other.id !== id && !rehearsal.redirects.some(({ npc: to }) => to === other.id))
  return [...strangers, ...missing.map((other) => formError(at, `says nothing for a question that is ${other.id}'s`))]
}

/** Finds answers, and messages that ask for them, that follow a line which the colleague doesn't have. */
function checkFollowing(npc: Npc, path: DataPath): readonly Finding[] {
  const { knowledge, depth, document, rehearsal } = npc
  const spoken = linesSpoken(npc, []).map(({ text }) => text)
  const lines = [...knowledge, ...depth, ...(document?.lines ?? []), ...spoken].join('\n')
  return rehearsal.answers.flatMap(({ follows, after = [] }, index) => {
    const at = [...path, 'rehearsal', 'answers', index]
    const own = follows === undefined ? [] : [{ line: follows, key: [...at, 'follows'] }]
    return [...own, ...after.map(({ line }, each) => ({ line, key: [...at, 'after', each, 'line'] }))].flatMap(
      ({ line, key }) => (lines.includes(line) ? [] : [formError(key, 'follows nothing that this colleague says')]),
    )
  })
}

function duplicates(items: readonly { readonly id: string }[], path: DataPath, what: string): readonly Finding[] {
  return items.flatMap(({ id }, index) =>
    items.findIndex((other) => other.id === id) < index
      ? [formError([...path, index, 'id'], `there is another ${what} "${id}"`)]
      : [],
  )
}
