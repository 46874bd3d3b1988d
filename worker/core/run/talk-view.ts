import type { TalkView } from '../../wire/run.ts'
import type { Account } from './account.ts'
import { engagementOf } from './engagement.ts'
import { pivotsOf } from './pivot-views.ts'
import { relationshipOf } from './relationship-chart.ts'
import { transcriptOf } from './transcript.ts'

/** One conversation, as it went; null for one in which nothing was said yet. */
export function talkView(account: Account): TalkView | null {
  const { npc: id, scenario, events, walk } = account
  const npc = scenario.npcs.find((each) => each.id === id)
  if (npc === undefined || events.length === 0) return null
  const { beats, opinion } = npc
  return {
    npc: id,
    completion: completionIn(account),
    relationship: relationshipOf(events),
    walk: walk.map((step) => ({ ...step })),
    engagement: engagementOf(account),
    accepts: beats.beat6.length > 0 ? [...beats.beat6] : opinion ? [opinion.rightCall] : [],
    opinion: opinion && { rightCall: opinion.rightCall, argument: opinion.argument },
    pivots: pivotsOf(account),
    transcript: transcriptOf(events).map((said) => ({ ...said })),
  }
}

function completionIn({ events }: Account): TalkView['completion'] {
  for (const event of events)
    if (event.type === 'command' && event.command.name === 'AI_EndConversation') return event.command.completion
  return null
}
