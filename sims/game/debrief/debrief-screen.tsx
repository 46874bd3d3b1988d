import { useEffect } from 'preact/hooks'
import type { RunView } from '../../../worker/wire/run.ts'
import { adoptStyles } from '../adopt-styles.ts'
import { useIsWide } from '../components/hooks.ts'
import type { Game } from '../game.ts'
import { optionTitle } from '../library/stand.ts'
import { keptNotebook, markSeen } from '../notebook/kept-notebook.ts'
import { hrefOf } from '../route.ts'
import { late } from '../texts/texts.ts'
import { castOf } from '../people.ts'
import { useFollow } from './chapter.tsx'
import { PeopleChapter } from './conversations.tsx'
import { css } from './debrief.css'
import { LearnerReason, Practised } from './facts.tsx'
import { OtherEndings } from './other-endings.tsx'
import { NextSimulation, OutcomeCard } from './outcome.tsx'
import { PaperHead, usePaper } from './paper.tsx'
import { KeepChapter } from './transcript-part.tsx'
import { useAnswer } from './use-answer.ts'

adoptStyles(css)

/**
 * The debrief: first the verdict and what to do next, then what the learner practised, then the details, folded. On a
 * phone, who has just decided reads what happened first, and goes on to the verdict below it.
 */
export function DebriefScreen({ game }: { game: Game }) {
  const { run, card } = game.store
  const decision = run.value?.decision ?? null
  const { value, problem, again } = useAnswer(() => game.api.debrief(), `${run.value?.id}/${decision?.at}`)
  const follow = useFollow()
  usePaper()
  const simulation = card.value
  const title = value?.ending.title ?? optionTitle(decision?.option, run.value, simulation)
  const cast = castOf(simulation)
  const isJust = decision !== null && Date.now() - decision.at < JUST_DECIDED_MS
  const isWide = useIsWide()
  const mark = `verdict ${decision?.at}`
  const read = () => run.value && markSeen(run.value.id, [mark])
  // On a wide screen the story and the verdict are both there, so a narrower one hides neither.
  useEffect(() => {
    if (isWide && value !== null) read()
  }, [isWide, value])
  const isStoryFirst = !isWide && isJust
  const isStory = isStoryFirst && run.value !== null && !keptNotebook(run.value.id).seen.has(mark)
  const parts = value && simulation && { debrief: value, card: simulation, cast }
  return (
    <article class="debrief">
      {parts && <PaperHead {...parts} />}
      <OutcomeCard
        title={title}
        debrief={value}
        cast={cast}
        game={game}
        follow={follow}
        isStoryFirst={isStoryFirst}
        onRead={isStory ? read : null}
      >
        {problem === null ? <Waiting /> : <Trouble game={game} code={problem.code} onAgain={again} />}
      </OutcomeCard>
      {parts && !isStory && (
        <div class="chapters">
          <LearnerReason {...parts} />
          <Practised {...parts} follow={follow} />
          <div class="details">
            <PeopleChapter {...parts} game={game} follow={follow} />
            <OtherEndings endings={parts.debrief.others} more={parts.debrief.run.more === true} />
            <KeepChapter {...parts} game={game} />
          </div>
          <Leave run={parts.debrief.run} game={game} />
        </div>
      )}
    </article>
  )
}

/** So long after the decision, the learner has just made it. */
const JUST_DECIDED_MS = 600_000

function Leave({ run, game }: { run: RunView; game: Game }) {
  return (
    <nav class="leave screen" aria-label={late.debrief.leave}>
      <NextSimulation run={run} look="button main" game={game} />
      <a class="button" href={hrefOf({ screen: 'library' })}>
        {late.debrief.toLibrary}
      </a>
      <a class="bare" href={hrefOf({ screen: 'desk', run: run.id })}>
        {late.debrief.toDesk}
      </a>
    </nav>
  )
}

function Waiting() {
  return (
    <div class="waiting" role="status">
      <span class="hidden">{late.debrief.loading}</span>
      {[0, 1, 2, 3, 4].map((line) => (
        <span key={line} class="bar" aria-hidden="true" />
      ))}
    </div>
  )
}

function Trouble({ game, code, onAgain }: { game: Game; code: string; onAgain: () => void }) {
  const run = game.store.runId.value
  if (code === 'undecided' && run !== null)
    return (
      <div class="trouble" role="alert">
        <p>{late.debrief.undecided}</p>
        <a class="button" href={hrefOf({ screen: 'decide', run })}>
          {late.debrief.toDecision}
        </a>
      </div>
    )
  return (
    <div class="trouble" role="alert">
      <p>{late.debrief.failed}</p>
      <button class="button" type="button" onClick={onAgain}>
        {late.debrief.tryAgain}
      </button>
    </div>
  )
}
