import type { DebriefView, SimulationCard } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { late } from '../texts/texts.ts'
import type { Cast } from './cast.ts'
import { Chapter } from './chapter.tsx'
import { Conversation } from './conversation.tsx'

/** Each colleague's conversation, and those that were not had. */
export function Conversations({
  debrief,
  card,
  cast,
  game,
}: {
  debrief: DebriefView
  card: SimulationCard
  cast: Cast
  game: Game
}) {
  const unmet = card.people.filter(({ id }) => !debrief.talks.some(({ npc }) => npc === id))
  return (
    <Chapter id="people" title={late.debrief.peopleTitle}>
      {debrief.talks.map((talk) => (
        <Conversation key={talk.npc} talk={talk} cast={cast} run={debrief.run} game={game} />
      ))}
      {unmet.length > 0 && (
        <ul class="unmet">
          {unmet.map(({ id }) => (
            <li key={id}>{late.debrief.unmet(cast.name(id))}</li>
          ))}
        </ul>
      )}
    </Chapter>
  )
}
