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

/**
 * Returns how the conversation last ended; null if the conversation has not ended, or if the learner took back the
 * goodbye that ended it.
 */
function completionIn({ events }: Account): TalkView['completion'] {
  let completion: TalkView['completion'] = null
  for (const event of events) {
    if (event.type === 'command' && event.command.name === 'AI_EndConversation') completion = event.command.completion
    // A learner may still earn the objective after the end.
    if (event.type === 'command' && event.command.name === 'AI_AdvanceObjective' && completion) completion = 'earned'
    if (event.type === 'turn-start' && event.resumed) completion = null
  }
  return completion
}

/**
 * Returns the colleague's level after each turn and each choice, oldest first. A turn whose last attempt failed is left
 * out, because it changed nothing.
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
 * Returns in order every time that a fork's cards were shown (`AI_PivotMoment`), with the learner's answer. A new run
 * can begin only where a fork's cards were first shown.
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
        ...answerIn(untilNext(events.slice(place + 1), pivot), pivot),
        again: again && isFirst,
      },
    ]
  })
}

/** Returns the events up to the next time that the fork's cards were shown. */
function untilNext(events: readonly LogEvent[], pivot: string): readonly LogEvent[] {
  const next = events.findIndex(
    (event) => event.type === 'command' && event.command.name === 'AI_PivotMoment' && event.command.pivot === pivot,
  )
  return next < 0 ? events : events.slice(0, next)
}

/**
 * Returns the learner's answer to a fork: the choice that they picked or typed, and what they said. A typed answer may
 * come after the walk has left the fork.
 */
function answerIn(events: readonly LogEvent[], pivot: string): Pick<PivotView, 'choice' | 'typed' | 'said'> {
  const ends = events.filter((event) => event.type === 'pivot-end').filter((event) => event.pivot === pivot)
  // The last one counts, because a learner may say that a typed answer was misread.
  const end = ends.findLast(({ choice, typed }) => choice !== null || typed)
  if (!end?.typed) return { choice: end?.choice ? chosen(end.choice) : null, said: null }
  const said = events.filter((event) => event.type === 'turn-start').find(({ turn }) => turn === end.turn)
  return {
    choice: end.choice && chosen(end.choice),
    typed: end.typed,
    said: said ? { turn: said.turn, text: said.text } : null,
  }
}

function chosen({ id, effect }: { readonly id: string; readonly effect: string }): PivotView['choice'] {
  return { id, effect }
}
