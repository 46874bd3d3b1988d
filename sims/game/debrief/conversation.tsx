import type { RunView, TalkView } from '../../../worker/wire/run.ts'
import { CastPortrait } from '../components/cast-portrait.tsx'
import type { Game } from '../game.ts'
import { late } from '../texts/texts.ts'
import type { Cast } from './cast.ts'
import { Engagement } from './engagement.tsx'
import { Moments } from './moments.tsx'
import { RelationshipChart } from './relationship-chart.tsx'
import { WalkStrip } from './walk-strip.tsx'

/** One conversation as it went: where the learner stood, what moved it on, what it could have come to. */
export function Conversation({ talk, cast, run, game }: { talk: TalkView; cast: Cast; run: RunView; game: Game }) {
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
      <Moments talk={talk} name={name} run={run} game={game} />
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
