import { firstName } from '../scenario/scenario.ts'
import type { BriefingScene } from './briefing.ts'
import { historyText, list, oneLine, section, thoughtText } from './prompt-text.ts'

/** Returns what a colleague knows when it decides about the tools of a state, as sections of a prompt. */
export function toolSections({ history, npc, node }: BriefingScene): readonly string[] {
  const { action = null, thoughts = [] } = node.state ?? {}
  return [
    section('CONVERSATION HISTORY', historyText(history, firstName(npc.name))),
    section('WHAT THE REPLY IS FOR', oneLine(action ? `${node.intent}. ${action.text}` : node.intent)),
    section('WHAT YOU HAVE IN MIND', list(thoughts.map(thoughtText), '- (nothing yet)')),
  ]
}
