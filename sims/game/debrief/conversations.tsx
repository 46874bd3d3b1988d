import type { DebriefView, RunView, SimulationCard, TalkView } from '../../../worker/wire/run.ts'
import { CastPortrait } from '../components/cast-portrait.tsx'
import type { Game } from '../game.ts'
import { isMet } from '../library/stand.ts'
import type { Cast } from '../people.ts'
import { late } from '../texts/texts.ts'
import { Chapter } from './chapter.tsx'
import type { Follow } from './chapter.tsx'
import { Moments } from './moments.tsx'
import { RelationshipChart } from './relationship-chart.tsx'
import { Transcript } from './transcript-part.tsx'

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
      {debrief.ending.verdict === 'right' && debrief.talks.some(({ completion }) => completion === 'forced') && (
        <p class="measure">{late.debrief.rightWithout}</p>
      )}
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
 * One conversation, folded: the relationship, the forks, what the colleague would have accepted, and the transcript.
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
    <section class="person" aria-labelledby={`talk-${talk.npc}`} style={{ '--hue': String(person.hue) }}>
      <details class="fold">
        <summary>
          <CastPortrait person={person} level={level} size={40} />
          <span>
            <h3 id={`talk-${talk.npc}`} class="name">
              {person.name}
            </h3>
            {talk.completion !== 'earned' && !isMet(run, talk.npc) && (
              <span class="small">{words.completion[talk.completion ?? 'none']}</span>
            )}
          </span>
        </summary>
        <div class="conversation">
          <RelationshipChart talk={talk} name={name} />
          <Moments talk={talk} name={name} run={run} game={game} follow={follow} />
          <Opinion talk={talk} name={name} />
          <Transcript talk={talk} name={name} follow={follow} />
        </div>
      </details>
    </section>
  )
}

/** What the colleague would have accepted and thought right. An argument that says the same is shown once. */
function Opinion({ talk: { accepts, opinion }, name }: { talk: Pick<TalkView, 'accepts' | 'opinion'>; name: string }) {
  const words = late.debrief
  const held = opinion ? [opinion.rightCall, opinion.argument].filter((line) => !accepts.includes(line)) : []
  return (
    <>
      {accepts.length > 0 && (
        <section>
          <h4>{words.accepts(name)}</h4>
          <Lines lines={accepts} />
        </section>
      )}
      {held.length > 0 && (
        <section>
          <h4>{words.opinion(name)}</h4>
          <Lines lines={held} />
        </section>
      )}
    </>
  )
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <div class="quoted" lang="x-authored" dir="auto">
      {lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  )
}
