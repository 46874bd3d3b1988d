import { adoptStyles } from '../adopt-styles.ts'
import type { Game } from '../game.ts'
import { hrefOf } from '../route.ts'
import { late } from '../texts/texts.ts'
import { castOf } from '../people.ts'
import { Chapter, Contents, useFollow } from './chapter.tsx'
import { PeopleChapter } from './conversations.tsx'
import { CopyField, linkTo } from './copy-field.tsx'
import { css } from './debrief.css'
import { OtherEndings, Verdict, WhatHappened } from './ending.tsx'
import { Facts } from './facts.tsx'
import { PaperHead, usePaper } from './paper.tsx'
import { TranscriptChapter } from './transcript-part.tsx'
import { useAnswer } from './use-answer.ts'

adoptStyles(css)

/** The debrief: first what happened after the decision, then the reasons. */
export function DebriefScreen({ game }: { game: Game }) {
  const { run, card } = game.store
  const decision = run.value?.decision ?? null
  const { value, problem, again } = useAnswer(() => game.api.debrief(), `${run.value?.id}/${decision?.at}`)
  const follow = useFollow()
  usePaper()
  const simulation = card.value
  const options = run.value?.options ?? simulation?.options
  const title = value?.ending.title ?? options?.find(({ id }) => id === decision?.option)?.title
  const parts = value && simulation && { debrief: value, card: simulation, cast: castOf(simulation) }
  return (
    <article class="debrief">
      {parts && <PaperHead {...parts} />}
      <WhatHappened title={title} ending={value?.ending ?? null}>
        {problem === null ? <Waiting /> : <Trouble game={game} code={problem.code} onAgain={again} />}
      </WhatHappened>
      {parts && (
        <div class="review">
          <Contents hasOthers={parts.debrief.others.length > 0} />
          <div class="chapters">
            <Verdict {...parts} />
            <Facts {...parts} follow={follow} />
            <PeopleChapter {...parts} game={game} follow={follow} />
            <OtherEndings endings={parts.debrief.others} more={parts.debrief.run.more === true} />
            <TranscriptChapter {...parts} game={game} follow={follow} />
            <ResultPart result={parts.debrief.result} game={game} />
            <Leave run={parts.debrief.run.id} />
          </div>
        </div>
      )}
    </article>
  )
}

function Leave({ run }: { run: string }) {
  return (
    <nav class="leave screen" aria-label={late.debrief.leave}>
      <a class="button" href={hrefOf({ screen: 'library' })}>
        {late.debrief.toLibrary}
      </a>
      <a class="bare" href={hrefOf({ screen: 'desk', run })}>
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

/** The signed result: its link, what the result shows, and how anyone can check it. */
function ResultPart({ result, game }: { result: string; game: Game }) {
  const words = late.debrief
  const route = { screen: 'result', result } as const
  return (
    <Chapter id="result" title={words.resultTitle}>
      <p class="measure">{words.resultNote}</p>
      <p class="measure">{words.resultHow}</p>
      <CopyField
        label={words.resultLink}
        value={linkTo(route)}
        copy={words.copy}
        copied={words.copied}
        notCopied={words.notCopied}
        game={game}
      />
      <p class="screen">
        <a href={hrefOf(route)}>{words.openResult}</a>
      </p>
    </Chapter>
  )
}
