import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { CaseHeading } from '../components/case-heading.tsx'
import { CastPortrait } from '../components/cast-portrait.tsx'
import { DeadlineLine } from '../components/deadline.tsx'
import { useIsWide } from '../components/hooks.ts'
import type { Game } from '../game.ts'
import { optionsOnShow } from '../library/stand.ts'
import { calledName } from '../people.ts'
import { hrefOf } from '../route.ts'
import { TalkPlace } from '../talk/talk-place.tsx'
import { baseOf } from '../texts/locale.ts'
import { locale, t } from '../texts/texts.ts'

/** The briefing: the case, the guide, and the colleagues. On a wide screen, a conversation with the guide is beside it. */
export function BriefingScreen({ game, card, run }: { game: Game; card: SimulationCard; run: RunView }) {
  const isWide = useIsWide()
  return (
    <div class="briefing">
      <div class="brief">
        <CaseHeading card={card} />
        <Scene card={card} run={run} />
        <Guide card={card} run={run} hasTalk={isWide} />
        <Colleagues card={card} run={run} />
      </div>
      {isWide && <TalkPlace game={game} run={run.id} npc={card.guide} />}
    </div>
  )
}

/** The learner's role, the situation, the options and the deadline. */
function Scene({ card, run }: { card: SimulationCard; run: RunView }) {
  const [what, ...more] = card.what.split('\n')
  return (
    <>
      <section aria-labelledby="situation">
        <h2 id="situation" class="eyebrow">
          {t.shell.situation}
        </h2>
        <p class="case" dir="auto">
          {baseOf(locale) === baseOf(card.language) && `${t.shell.youAre} `}
          <span lang="x-authored">
            {card.role}. {what}
          </span>
        </p>
        {more.map((paragraph) => (
          <p class="case" lang="x-authored" dir="auto">
            {paragraph}
          </p>
        ))}
      </section>
      <section aria-labelledby="options">
        <h2 id="options" class="eyebrow">
          {t.shell.options}
        </h2>
        <ol class="choices" lang="x-authored" dir="auto">
          {optionsOnShow(run, card).map(({ id, title }) => (
            <li key={id}>{title}</li>
          ))}
        </ol>
        {run.decision === null && (
          <p class="deadline">
            <DeadlineLine card={card} />
          </p>
        )}
      </section>
    </>
  )
}

/** Introduces the guide, and leads to the conversation with them and to the desk. `hasTalk`: that conversation is open. */
function Guide({ card, run, hasTalk }: { card: SimulationCard; run: RunView; hasTalk: boolean }) {
  const guide = card.people.find(({ id }) => id === card.guide)
  return (
    <section class="guide">
      <div class="invites">
        {guide && <CastPortrait person={guide} level="neutral" size={48} />}
        <p>{t.shell.briefingLead(calledName(guide))}</p>
      </div>
      <p class="doings">
        {!hasTalk && (
          <a class="button main" href={hrefOf({ screen: 'talk', run: run.id, npc: card.guide })}>
            {t.shell.startWith(calledName(guide))}
          </a>
        )}
        <a class="button" href={hrefOf({ screen: 'desk', run: run.id })}>
          {t.shell.skipBriefing}
        </a>
      </p>
    </section>
  )
}

/** The colleagues who know something, each with what there is to find out from them. */
function Colleagues({ card, run }: { card: SimulationCard; run: RunView }) {
  return (
    <section aria-labelledby="who">
      <h2 id="who" class="eyebrow">
        {t.shell.whoKnows}
      </h2>
      <ul class="cast">
        {card.people
          .filter(({ id }) => id !== card.guide)
          .map((person) => (
            <li key={person.id} class="person" style={{ '--hue': person.hue }}>
              <CastPortrait person={person} level="neutral" size={48} />
              <span class="who" lang="x-authored" dir="auto">
                <a class="name" href={hrefOf({ screen: 'talk', run: run.id, npc: person.id })}>
                  {person.name}
                </a>
                <span class="small">{person.role}</span>
                <span class="aim">{run.objectives.find(({ npc }) => npc === person.id)?.title}</span>
              </span>
            </li>
          ))}
      </ul>
    </section>
  )
}
