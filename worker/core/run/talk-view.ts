import type { Account } from './account.ts'
import { isLastOfTurn, transcriptOf } from './transcript.ts'
import type { LogEvent } from '../../wire/messages.ts'
import type { PivotView, TalkView } from '../../wire/run.ts'

/** Builds the part of a debrief about one conversation. Returns null if nothing was said in the conversation. */
export function talkView(account: Account): TalkView | null {
  const { npc: id, scenario, events, walk } = account
  const npc = scenario.npcs.find((each) => each.id === id)
  if (npc === undefined || events.every(({ type }) => type === 'opening')) return null
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

/**
 * Returns the colleague's level after each turn and each choice, oldest first. A turn that failed for good is left out,
 * because it changed nothing.
 */
function relationshipOf(events: readonly LogEvent[]): TalkView['relationship'] {
  return events.flatMap((event): TalkView['relationship'] => {
    if (event.type === 'pivot-end' && event.choice !== null)
      return [{ turn: event.turn, level: event.level, by: 'choice' }]
    if (event.type !== 'turn' || event.outcome === 'failed' || !isLastOfTurn(event, events)) return []
    return [{ turn: event.turn, level: event.level, by: 'turn' }]
  })
}

/** Returns the score of each turn that was answered in full, with the learner's words in that turn. */
function engagementOf({ engagement, events }: Account): TalkView['engagement'] {
  const said = new Map(
    events.flatMap((event) => (event.type === 'turn-start' ? [[event.turn, event.text] as const] : [])),
  )
  return engagement.map(({ turn, score }) => ({ turn, score, said: said.get(turn) ?? '' }))
}

/**
 * Returns in order every time that a fork's cards were shown (`AI_PivotMoment`), with the choice that was made. A new
 * run can begin only where a fork's cards were first shown.
 */
function pivotsOf({ events, again }: Account): PivotView[] {
  const seen = new Set<string>()
  return events.flatMap((event, place): PivotView[] => {
    if (event.type !== 'command' || event.command.name !== 'AI_PivotMoment') return []
    const { pivot, question, choices } = event.command
    const isFirst = !seen.has(pivot)
    seen.add(pivot)
    return [
      {
        pivot,
        turn: event.turn,
        question,
        choices: choices.map(({ id, text }) => ({ id, text })),
        choice: choiceAfter(events.slice(place + 1), pivot),
        again: again && isFirst,
      },
    ]
  })
}

/** Returns the choice made after a fork's cards were shown; null if the learner let it pass, or has not chosen yet. */
function choiceAfter(events: readonly LogEvent[], pivot: string): PivotView['choice'] {
  const end = events.find(
    (event) =>
      (event.type === 'pivot-end' && event.pivot === pivot) ||
      (event.type === 'command' && event.command.name === 'AI_PivotMoment' && event.command.pivot === pivot),
  )
  return end?.type === 'pivot-end' && end.choice ? { id: end.choice.id, effect: end.choice.effect } : null
}
