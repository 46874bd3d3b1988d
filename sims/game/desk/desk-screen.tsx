import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { CaseHeading } from '../components/case-heading.tsx'
import type { Game } from '../game.ts'
import { nextStepOf } from '../next-step.ts'
import { NotebookPanel } from '../notebook/notebook-panel.tsx'
import { firstNameOf } from '../people-of.ts'
import { hrefOf } from '../route.ts'
import { TalkPlace } from '../talk/talk-place.tsx'
import { t } from '../texts/texts.ts'
import { NextCard } from './next-card.tsx'
import { Objectives } from './objectives.tsx'
import { PeopleRail } from './people-rail.tsx'

/** The room: people on one side, the notebook on the other, and between them the desk or the talk. */
export function DeskScreen({ game, card, run }: { game: Game; card: SimulationCard; run: RunView }) {
  const route = game.store.route.value
  const npc = route.screen === 'talk' ? route.npc : null
  const next = nextStepOf(run, card.guide)
  const person = card.people.find(({ id }) => id === npc)
  return (
    <div class="room" data-talk={npc !== null}>
      {npc === null ? (
        <div class="desk">
          <Desk card={card} run={run} />
          <NextCard card={card} run={run} next={next} />
        </div>
      ) : person ? (
        <div class="table">
          <h1 class="hidden" tabIndex={-1}>
            {t.shell.talkWith(person.name)}
          </h1>
          <TalkPlace key={npc} game={game} run={run.id} npc={npc} />
        </div>
      ) : (
        <div class="desk">
          <h1 tabIndex={-1}>{t.shell.nobodyHere}</h1>
          <p>
            <a class="button" href={hrefOf({ screen: 'desk', run: run.id })}>
              {t.shell.toDesk}
            </a>
          </p>
        </div>
      )}
      <PeopleRail card={card} run={run} next={next} here={npc} />
      {npc === null && (
        <div class="rest">
          <Objectives run={run} />
          <DecideLine run={run} />
        </div>
      )}
      <aside class="beside" aria-label={t.shell.notebook}>
        <NotebookPanel game={game} preview={npc === null} />
      </aside>
    </div>
  )
}

function Desk({ card, run }: { card: SimulationCard; run: RunView }) {
  return (
    <header class="desk-head">
      <CaseHeading card={card} />
      <p class="small">
        <span>
          {t.shell.decideWord} <span lang="en">{card.deadline}</span>
        </span>
        <a href={hrefOf({ screen: 'briefing', run: run.id })}>{t.shell.readBriefing}</a>
        {run.again && (
          <span>{t.shell.againFrom(firstNameOf(card.people.find(({ id }) => id === run.again?.npc)))}</span>
        )}
        {run.class && <span>{t.shell.inClass(run.class.title)}</span>}
      </p>
    </header>
  )
}

/** Deciding is open at any time. */
function DecideLine({ run }: { run: RunView }) {
  if (run.decision) {
    return (
      <section class="decide-line">
        <p>{t.shell.decided}</p>
        <a class="button" href={hrefOf({ screen: 'debrief', run: run.id })}>
          {t.shell.debrief}
        </a>
      </section>
    )
  }
  return (
    <section class="decide-line">
      <p class="small">{t.shell.decideHint}</p>
      <a class="button" href={hrefOf({ screen: 'decide', run: run.id })}>
        {t.shell.decide}
      </a>
    </section>
  )
}
