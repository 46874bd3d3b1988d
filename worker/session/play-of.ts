import type { Npc, Scenario } from '../core/scenario/scenario.ts'
import type { ConversationCopy } from './conversation-copy.ts'
import { happenedIn } from './happened-in.ts'
import { readInfo } from './session-info.ts'

/** What the chain writes down of a copied conversation before it begins. */
export interface CopiedPlay {
  readonly scenario: Scenario
  readonly npc: Npc
  /** When the learner first said something that was answered, and when it ended; null: not until then. */
  readonly metAt: number | null
  readonly endedAt: number | null
}

/** @throws when the conversation's scenario does not have its colleague, which no conversation is begun with */
export function playOf(copy: ConversationCopy): CopiedPlay {
  const { scenario, npc: id } = readInfo(copy.info)
  const npc = scenario.npcs.find((each) => each.id === id)
  if (!npc) throw new Error(`scenario ${scenario.id} has no such colleague`)
  const happened = happenedIn(copy)
  const isEnd = ({ events }: (typeof happened)[number]) =>
    events.some((event) => event.type === 'command' && event.command.name === 'AI_EndConversation')
  return { scenario, npc, metAt: happened[0]?.at ?? null, endedAt: happened.find(isEnd)?.at ?? null }
}
