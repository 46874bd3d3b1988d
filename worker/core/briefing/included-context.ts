import type { Npc, Scenario } from '../scenario/scenario.ts'
import { oneLine } from './prompt-text.ts'

/** What a state may ask for by name in its `included_contexts` (S1-3). */
const CONTEXT_NAMES = ['task', 'situation', 'objective', 'knowledge', 'document', 'colleagues'] as const

type ContextName = (typeof CONTEXT_NAMES)[number]

/** The text behind each name, one line each, in the order of the state. A name that is not known gives nothing. */
export function includedContext(names: readonly string[], scenario: Scenario, npc: Npc): readonly string[] {
  return names.filter(isContextName).flatMap((name) => {
    const text = textOf(name, scenario, npc)
    return text === '' ? [] : [`${name}: ${oneLine(text)}`]
  })
}

function isContextName(name: string): name is ContextName {
  return CONTEXT_NAMES.some((known) => known === name)
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
