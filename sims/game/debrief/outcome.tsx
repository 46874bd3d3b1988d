import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { DebriefView, RunView, SimulationCard } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { useBegin } from '../library/begin.ts'
import { nextSimulation } from '../library/stand.ts'
import type { Cast } from '../people.ts'
import { late, locale, t } from '../texts/texts.ts'
import { AgainButton } from './again-button.tsx'
import type { Follow } from './chapter.tsx'
import { FactSource } from './facts.tsx'
import { adviceOf, tallyOf, turningFact } from './lesson.ts'

/**
 * The first screen: the decision, what it was worth, the fact that mattered, what to try, and what followed. Without a
 * debrief, the screen shows the decision and `children`.
 */
export function OutcomeCard({
  title,
  debrief,
  cast,
  game,
  follow,
  isStoryFirst,
  onRead,
  children,
}: {
  title: string | undefined
  debrief: DebriefView | null
  cast: Cast
  game: Game
  follow: Follow
  /** Whether the story comes before the verdict. */
  isStoryFirst: boolean
  /** Goes on from the story to the verdict; null if both are on the screen. */
  onRead: (() => void) | null
  /** What the screen shows until the debrief has loaded. */
  children: ComponentChildren
}) {
  const words = late.debrief
  const verdict = debrief && onRead === null && (
    <Verdict debrief={debrief} cast={cast} game={game} follow={follow} isNext={isStoryFirst} />
  )
  return (
    <header class="happened">
      <div class="decided">
        <p class="eyebrow">{words.youDecided}</p>
        <h1 tabIndex={-1} lang={title === undefined ? undefined : 'x-authored'} dir="auto">
          {title ?? words.whatHappened}
        </h1>
      </div>
      {debrief === null ? (
        children
      ) : (
        <>
          {!isStoryFirst && verdict}
          <section class="after" aria-labelledby="happened-next">
            <h2 id="happened-next" class="eyebrow">
              {words.whatHappened}
            </h2>
            <div class="story" lang="x-authored" dir="auto">
              {debrief.ending.after.map((paragraph, index) => (
                <p key={index}>{paragraph}</p>
              ))}
            </div>
            {onRead && (
              <p class="doings">
                <button class="button main" type="button" onClick={onRead}>
                  {words.toVerdict}
                </button>
              </p>
            )}
          </section>
          {isStoryFirst && verdict}
        </>
      )}
    </header>
  )
}

interface VerdictProps {
  debrief: DebriefView
  cast: Cast
  game: Game
  follow: Follow
}

/** @param isNext whether the learner comes from the story above it */
function Verdict({ debrief, cast, game, follow, isNext }: VerdictProps & { isNext: boolean }) {
  const words = late.debrief
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isNext) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.closest('section')?.scrollIntoView({ block: 'start' })
  }, [])
  const { ending, facts } = debrief
  const tally = tallyOf(facts)
  const hears = tally.heard === tally.deciding ? words.heardAll : words.notAll
  const isBare = tally.deciding > 0 && tally.cited === 0
  const short = ending.verdict === 'right' && ending.wanting ? words.rightAndShort : undefined
  return (
    <section class="outcome sheet" aria-labelledby="verdict" data-verdict={ending.verdict}>
      <div>
        <h2 id="verdict" class="verdict" ref={heading} tabIndex={-1}>
          {isBare ? words.verdictBare[ending.verdict] : (short ?? words.verdict[ending.verdict])}
        </h2>
        {tally.deciding > 0 && <p>{hears[ending.verdict]}</p>}
      </div>
      <Turning debrief={debrief} cast={cast} follow={follow} />
      <ToTry debrief={debrief} cast={cast} game={game} follow={follow} />
    </section>
  )
}

function Turning({ debrief, cast, follow }: Omit<VerdictProps, 'game'>) {
  const words = late.debrief
  const fact = turningFact(debrief)
  if (fact === null) return null
  return (
    <div class="person" style={{ '--hue': String(cast.person(fact.npc).hue) }}>
      <h3 class="label">{words.turning}</h3>
      <div id="turning" class="voiced" tabIndex={-1}>
        {fact.state !== 'missed' && (
          <p lang="x-authored" dir="auto">
            {fact.text}
          </p>
        )}
        <p class={fact.state === 'missed' ? '' : 'small'}>
          <FactSource fact={fact} debrief={debrief} cast={cast} follow={follow} from="turning" />
          {fact.state !== 'missed' && <span class="used"> · {words.factState[fact.state]}</span>}
        </p>
      </div>
    </div>
  )
}

/** What to try, the button to play again from the decision, and, less loud, the button of the next simulation. */
function ToTry({ debrief, cast, game, follow }: VerdictProps) {
  const words = late.debrief
  const advice = adviceOf(debrief)
  const isRight = debrief.ending.verdict === 'right'
  const toAsk = ['ask', 'find', 'meet', 'finish'].includes(advice.kind) && 'npc' in advice ? advice.npc : undefined
  const says = words.advice[advice.kind]({
    name: 'npc' in advice ? cast.name(advice.npc) : '',
    isRight,
    text: 'text' in advice ? advice.text : '',
    heard: 'heard' in advice ? advice.heard : '',
  })
  return (
    <div class="to-try">
      {(advice.kind !== 'vary' || debrief.others.length > 0) && (
        <>
          <h3 class="label">{words.toTry}</h3>
          <p>
            {advice.kind === 'vary' ? (
              <button class="link" type="button" onClick={() => follow.to('others', 'verdict')}>
                {says}
              </button>
            ) : (
              says
            )}
          </p>
        </>
      )}
      <div class="doings screen">
        <AgainButton
          moment={null}
          name={null}
          leadsTo={toAsk}
          run={debrief.run}
          note="again-where"
          isMain={!isRight}
          game={game}
        />
        <p id="again-where" class="small">
          {words.againDecideWhat}
        </p>
        <NextSimulation run={debrief.run} look="link" game={game} />
      </div>
    </div>
  )
}

/** A button that begins a run of the next simulation, if there is one. */
export function NextSimulation({
  run,
  look,
  game,
}: {
  run: RunView
  /** The button's classes. */
  look: 'button main' | 'link'
  game: Game
}) {
  const { cards, kept } = game.store
  const next = nextSimulation(locale, cards.value.value ?? [], run.scenario, kept.value)
  return next && <BeginButton card={next} look={look} game={game} />
}

function BeginButton({ card, look, game }: { card: SimulationCard; look: string; game: Game }) {
  const { waits, trouble, begin } = useBegin(game, card.id)
  return (
    <>
      <button class={look} type="button" aria-disabled={waits} onClick={() => void begin()}>
        {waits ? (
          t.shell.beginning
        ) : (
          <span>
            {late.debrief.nextIs} <span lang={card.language}>{card.title}</span>
          </span>
        )}
      </button>
      {trouble !== null && (
        <span class="trouble" role="alert">
          {trouble}
        </span>
      )}
    </>
  )
}
