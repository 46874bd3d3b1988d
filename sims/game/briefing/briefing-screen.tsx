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

/** The briefing: the case on paper, and beside it a conversation with the guide. */
export function BriefingScreen({ game, card, run }: { game: Game; card: SimulationCard; run: RunView }) {
  const isWide = useIsWide()
  const guide = calledName(card.people.find(({ id }) => id === card.guide))
  return (
    <div class="briefing">
      <div class="brief">
        <CaseHeading card={card} />
        <ScenePaper card={card} run={run} />
        <p class="measure">{t.shell.briefingLead(guide)}</p>
        <p class={isWide ? 'doings' : 'doings at-hand'}>
          {!isWide && (
            <a class="button main" href={hrefOf({ screen: 'talk', run: run.id, npc: card.guide })}>
              {t.shell.startWith(guide)}
            </a>
          )}
          <a class="button" href={hrefOf({ screen: 'desk', run: run.id })}>
            {t.shell.skipBriefing}
          </a>
        </p>
      </div>
      {isWide && <TalkPlace game={game} run={run.id} npc={card.guide} />}
    </div>
  )
}

/**
 * The case as a sheet of paper: role and situation, options, deadline and people. The sheet's texts are in English, in
 * which authors write simulations.
 */
function ScenePaper({ card, run }: { card: SimulationCard; run: RunView }) {
  const isGuide = ({ id }: SimulationCard['people'][number]) => id === card.guide
  const everybody = card.people.toSorted((a, b) => Number(isGuide(a)) - Number(isGuide(b)))
  return (
    <div class="scene-paper">
      <section aria-labelledby="situation">
        <h2 id="situation" class="eyebrow">
          {t.shell.situation}
        </h2>
        <p class="case" dir="auto">
          {baseOf(locale) === baseOf(card.language) && `${t.shell.youAre} `}
          <span lang="x-authored">
            {card.role}. {card.what}
          </span>
        </p>
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
      <section aria-labelledby="who">
        <h2 id="who" class="eyebrow">
          {t.shell.whoKnows}
        </h2>
        <ul class="cast">
          {everybody.map((person) => (
            <li key={person.id} class="person" style={{ '--hue': person.hue }}>
              <CastPortrait person={person} level="neutral" size={48} />
              <span class="who" lang="x-authored" dir="auto">
                <span class="name">{person.name}</span>
                <span class="small">{person.role}</span>
                <span class="aim">{run.objectives.find(({ npc }) => npc === person.id)?.title}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
