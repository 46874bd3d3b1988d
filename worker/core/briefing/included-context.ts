import { type ContextName, isContextName } from '../graph/document/document.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'
import { oneLine } from './prompt-text.ts'

/** The text behind each name, one line each, in the order of the state. A name that is not known gives nothing; the lint G039 says so. */
export function includedContext(names: readonly string[], scenario: Scenario, npc: Npc): readonly string[] {
  return names.filter(isContextName).flatMap((name) => {
    const text = textOf(name, scenario, npc)
    return text === '' ? [] : [`${name}: ${oneLine(text)}`]
  })
}

function textOf(name: ContextName, scenario: Scenario, npc: Npc): string {
  switch (name) {
    case 'task':
      return `${scenario.decision.question} (${scenario.decision.options.map(({ title }) => title).join('; ')})`
    case 'situation':
      return `${scenario.situation.where}. ${scenario.situation.what}`
    case 'objective':
      return npc.goal.endCondition
    case 'knowledge':
      return npc.knowledge.join(' ')
    case 'document':
      return npc.document ? `${npc.document.title}: ${npc.document.lines.join(' | ')}` : ''
    case 'colleagues':
      return scenario.npcs
        .filter(({ id }) => id !== npc.id)
        .map(({ name: who, owns }) => `${who}, ${owns}`)
        .join('; ')
  }
}
