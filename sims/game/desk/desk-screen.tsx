import { clean } from '../../../widget/clean.ts'
import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { CaseHeading } from '../components/case-heading.tsx'
import { CastPortrait } from '../components/cast-portrait.tsx'
import { DeadlineLine } from '../components/deadline.tsx'
import type { Game } from '../game.ts'
import { openersOf, isMet } from '../library/stand.ts'
import { doingOf, nextStepOf, routeOfStep, stepAfter } from '../next-step.ts'
import type { SuggestedStep } from '../next-step.ts'
import { NotebookPanel } from '../notebook/notebook-panel.tsx'
import { ObjectiveList } from '../notebook/objective-list.tsx'
import { colleaguesOf, calledName, peopleOf } from '../people.ts'
import type { Colleague } from '../people.ts'
import { hrefOf } from '../route.ts'
import { TalkPlace } from '../talk/talk-place.tsx'
import { format, t } from '../texts/texts.ts'

/**
 * The run's main screen: people on one side, the notebook on the other, and between them the desk (next step,
 * objectives, decision) or a talk with a colleague.
 */
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
          <OpenedWay card={card} run={run} />
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
          <Objectives run={run} card={card} />
          {next.kind !== 'decide' && next.kind !== 'tell' && <DecideLine run={run} />}
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
        {run.decision === null && <DeadlineLine card={card} />}
        <a href={hrefOf({ screen: 'briefing', run: run.id })}>{t.shell.readBriefing}</a>
        {run.again && (
          <span>
            {t.shell.againFrom(run.again.npc && calledName(card.people.find(({ id }) => id === run.again?.npc)))}
          </span>
        )}
        {run.class && <span>{t.shell.inClass(run.class.title)}</span>}
      </p>
    </header>
  )
}

/** Names the options that the learner has earned and may still choose, and those whose words opened them. */
function OpenedWay({ run, card }: { run: RunView; card: SimulationCard }) {
  const openers = openersOf(run)
  if (run.decision || openers.length === 0) return null
  const names = openers.map((npc) => calledName(card.people.find(({ id }) => id === npc)))
  const earned = run.options?.filter(({ opened }) => opened !== undefined) ?? []
  return (
    <section class="opened-way" aria-labelledby="opened-way">
      <h2 id="opened-way" class="eyebrow">
        {t.decide.openedAtDesk}
      </h2>
      {earned.map(({ id, title }) => (
        <p key={id} class="option" lang="x-authored" dir="auto">
          {clean(title)}
        </p>
      ))}
      <p class="small">
        {t.decide.openedBy(format.list(names))}
        {' · '}
        <a href={hrefOf({ screen: 'decide', run: run.id })}>{t.decide.seeOptions}</a>
      </p>
    </section>
  )
}

/** The link to the decision, which the learner may make at any time. After it, the next step leads to the debrief. */
function DecideLine({ run }: { run: RunView }) {
  if (run.decision) return null
  return (
    <section class="decide-line">
      <p class="small">{t.shell.decideHint}</p>
      <a class="button" href={hrefOf({ screen: 'decide', run: run.id })}>
        {t.shell.decide}
      </a>
    </section>
  )
}

function Objectives({ run, card }: { run: RunView; card: SimulationCard }) {
  return (
    <section class="goals" aria-labelledby="goals-title">
      <h2 id="goals-title" class="eyebrow">
        {t.shell.objectives}
      </h2>
      <ObjectiveList objectives={run.objectives} people={peopleOf(card)} />
    </section>
  )
}

/** All colleagues of the run. Beside a talk, a lamp marks the colleague to whom the next step leads. */
function PeopleRail({
  card,
  run,
  next,
  here,
}: {
  card: SimulationCard
  run: RunView
  next: SuggestedStep
  /** The colleague whose talk is open. */
  here: string | null
}) {
  return (
    <nav class="people" aria-labelledby="people-title">
      <h2 id="people-title" class="eyebrow">
        {t.shell.peopleTitle}
      </h2>
      <ol>
        {colleaguesOf(card, run).map((person, index) => {
          // The desk has a card for the next step. Who takes the decision down is not talked to.
          const isElsewhere = here !== null && here !== person.id
          const isNext = isElsewhere && 'npc' in next && next.kind !== 'tell' && next.npc === person.id
          const noted = run.facts.filter(({ npc }) => npc === person.id).length
          return (
            <li key={person.id} class="person" style={{ '--hue': person.hue }} data-next={isNext}>
              <a
                href={hrefOf({ screen: 'talk', run: run.id, npc: person.id })}
                aria-current={here === person.id ? 'true' : undefined}
                aria-keyshortcuts={index < 9 ? `Alt+${index + 1}` : undefined}
              >
                <PersonLine
                  person={person}
                  isSettled={person.id === card.guide && isMet(run, person.id)}
                  noted={noted}
                />
                {isNext && <span class="lamp-tag">{t.shell.nextStep}</span>}
              </a>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

/** The suggested next step, marked with a lamp: one sentence and one button. */
function NextCard({ card, run, next }: { card: SimulationCard; run: RunView; next: SuggestedStep }) {
  const nameOf = (npc: string) => calledName(card.people.find(({ id }) => id === npc))
  const person = 'npc' in next ? card.people.find(({ id }) => id === next.npc) : undefined
  const level = run.people.find(({ npc }) => npc === person?.id)?.level ?? 'neutral'
  const then = stepBeside(next, run, card.guide)
  const missed = run.objectives.flatMap(({ npc, state }) => (state === 'missed' ? [nameOf(npc)] : []))
  return (
    <section class="next-card" aria-labelledby="next-title">
      {person && <CastPortrait person={person} level={level} size={72} />}
      <div>
        <h2 id="next-title" class="lamp-tag">
          {t.shell.nextStep}
        </h2>
        <p class="says">{sentence(next, nameOf, run)}</p>
        {(next.kind === 'decide' || next.kind === 'tell') && missed.length > 0 && (
          <p class="small">{t.shell.next.stillToSay(format.list(missed))}</p>
        )}
        <a class="button main" href={hrefOf(routeOfStep(next, run.id))}>
          {doingOf(next, nameOf)}
        </a>{' '}
        {then && (
          <a class="button" href={hrefOf(routeOfStep(then, run.id))}>
            {doingOf(then, nameOf)}
          </a>
        )}
      </div>
    </section>
  )
}

/**
 * Returns the step that the card offers beside the suggested one: the first colleague beside the guide, and beside a
 * conversation whose objective is met the step after it.
 */
function stepBeside(next: SuggestedStep, run: RunView, guide: string): SuggestedStep | null {
  if (next.kind === 'guide') return next.first === null ? null : { kind: 'new', npc: next.first }
  return next.kind === 'talking' && isMet(run, next.npc) ? stepAfter(run, guide, next.npc, '') : null
}

function sentence(next: SuggestedStep, nameOf: (npc: string) => string, run: RunView): string {
  switch (next.kind) {
    case 'guide':
      return t.shell.next.guide(nameOf(next.npc))
    case 'talking':
      return t.shell.next[isMet(run, next.npc) ? 'parting' : 'talking'](nameOf(next.npc))
    case 'sent':
      return t.shell.next.sent(nameOf(next.npc), nameOf(next.by))
    case 'new':
      return t.shell.next.new(nameOf(next.npc))
    case 'tell':
      return t.shell.next.tell(nameOf(next.npc))
    case 'decide':
      return t.shell.next.decide
    case 'debrief':
      return t.shell.next.debrief
  }
}

/**
 * Shows a colleague: name, role, and state of the conversation. `isSettled`: the guide has
 * told what there is to tell, and is there for questions. `noted`: how many facts the colleague has told.
 */
function PersonLine({ person, isSettled, noted }: { person: Colleague; isSettled: boolean; noted: number }) {
  const { state } = person
  return (
    <>
      <CastPortrait person={person} level={state.level} size={56} />
      <span class="who">
        <span class="name" lang="x-authored" dir="auto">
          {person.name}
        </span>
        <span class="small" lang="x-authored" dir="auto">
          {person.role}
        </span>
        <span class="small standing">
          <span>{isSettled && state.status === 'talking' ? t.shell.status.settled : statusWord(person)}</span>
          {noted > 0 && <span>{t.shell.factsNoted(noted)}</span>}
        </span>
      </span>
    </>
  )
}

function statusWord({ state }: Colleague): string {
  return state.completion === 'forced' ? t.shell.status.forced : t.shell.status[state.status]
}
