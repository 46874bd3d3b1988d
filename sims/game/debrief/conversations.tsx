import type { DebriefView, RunView, SimulationCard, TalkView } from '../../../worker/wire/run.ts'
import { CastPortrait } from '../components/cast-portrait.tsx'
import type { Game } from '../game.ts'
import type { Cast } from '../people.ts'
import { late } from '../texts/texts.ts'
import { Chapter } from './chapter.tsx'
import type { Follow } from './chapter.tsx'
import { Moments } from './moments.tsx'
import { RelationshipChart } from './relationship-chart.tsx'
import { scoreOf } from './strip.ts'
import { WalkStrip } from './walk-strip.tsx'

/**
 * A chapter with the conversation with each colleague, and the names of the colleagues with whom the learner never
 * talked.
 */
export function PeopleChapter({
  debrief,
  card,
  cast,
  game,
  follow,
}: {
  debrief: DebriefView
  card: SimulationCard
  cast: Cast
  game: Game
  follow: Follow
}) {
  const unmet = card.people.filter(({ id }) => !debrief.talks.some(({ npc }) => npc === id))
  return (
    <Chapter id="people" title={late.debrief.peopleTitle}>
      {debrief.talks.map((talk) => (
        <Conversation key={talk.npc} talk={talk} cast={cast} run={debrief.run} game={game} follow={follow} />
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

/**
 * One conversation: the relationship, the nodes of its walk, the score of each turn, the pivots, and the arguments that
 * the colleague would have accepted.
 */
function Conversation({
  talk,
  cast,
  run,
  game,
  follow,
}: {
  talk: TalkView
  cast: Cast
  run: RunView
  game: Game
  follow: Follow
}) {
  const words = late.debrief
  const person = cast.person(talk.npc)
  const name = cast.name(talk.npc)
  const level = talk.relationship.at(-1)?.level ?? 'neutral'
  return (
    <section
      class="conversation person sheet"
      aria-labelledby={`talk-${talk.npc}`}
      style={{ '--hue': String(person.hue) }}
    >
      <header>
        <CastPortrait person={person} level={level} size={56} />
        <div>
          <h3 id={`talk-${talk.npc}`} class="name">
            {person.name}
          </h3>
          <p class="small" lang="en" dir="auto">
            {person.role}
          </p>
          <p class="small">{words.completion[talk.completion ?? 'none']}</p>
        </div>
      </header>
      <RelationshipChart talk={talk} name={name} />
      <WalkStrip talk={talk} name={name} />
      <Engagement talk={talk} />
      <Moments talk={talk} name={name} run={run} game={game} follow={follow} />
      {talk.accepts.length > 0 && (
        <section>
          <h4>{words.accepts(name)}</h4>
          <div class="quoted" lang="en" dir="auto">
            {talk.accepts.map((line, index) => (
              <p key={index}>{line}</p>
            ))}
          </div>
        </section>
      )}
      {talk.opinion && (
        <section>
          <h4>{words.opinion(name)}</h4>
          <div class="quoted" lang="en" dir="auto">
            <p>{talk.opinion.rightCall}</p>
            <p>{talk.opinion.argument}</p>
          </div>
        </section>
      )}
    </section>
  )
}

function Engagement({ talk: { engagement } }: { talk: Pick<TalkView, 'engagement'> }) {
  const words = late.debrief
  if (engagement.length === 0) return null
  const good = engagement.filter(({ score }) => score > 0).length
  return (
    <section class="engagement">
      <h4>{words.engagementTitle}</h4>
      <div class="bars" aria-hidden="true">
        {engagement.map(({ turn, score }) => (
          <span key={turn} data-worth={scoreOf(score).worth} />
        ))}
      </div>
      <details class="quiet">
        <summary>{words.engagementTally(engagement.length, good)}</summary>
        <ol class="worths">
          {engagement.map(({ turn, score, said }) => {
            const worth = scoreOf(score)
            return (
              <li key={turn} data-worth={worth.worth}>
                <p class="small">
                  {words.turn(turn)}: <strong>{worth.words}</strong>
                </p>
                <q dir="auto">{said}</q>
              </li>
            )
          })}
        </ol>
      </details>
    </section>
  )
}
