import type { TalkView } from '../../wire/run.ts'
import type { Account } from './account.ts'

/** What each turn that was answered whole was found to be worth, with the learner's words that it was found for. */
export function engagementOf({ engagement, events }: Account): TalkView['engagement'] {
  const said = new Map(
    events.flatMap((event) => (event.type === 'turn-start' ? [[event.turn, event.text] as const] : [])),
  )
  return engagement.map(({ turn, score }) => ({ turn, score, said: said.get(turn) ?? '' }))
}
