import type { ComponentChildren } from 'preact'
import type { DebriefView, DecidingFact, EndingView, ResultView } from '../../../worker/wire/run.ts'
import { late } from '../texts/texts.ts'
import type { Cast } from '../people.ts'
import { Chapter, jumpTo } from './chapter.tsx'

/**
 * Shows what followed from the decision. This part fills the window at first; the verdict is below.
 *
 * @param children what this part shows until the debrief has loaded
 */
export function WhatHappened({
  title,
  ending,
  children,
}: {
  title: string | undefined
  ending: EndingView | null
  children: ComponentChildren
}) {
  return (
    <header class="happened">
      <p class="eyebrow">{late.debrief.youDecided}</p>
      <h1 tabIndex={-1} lang={title === undefined ? undefined : 'en'} dir="auto">
        {title ?? late.debrief.whatHappened}
      </h1>
      {ending === null ? (
        children
      ) : (
        <>
          <h2 class="eyebrow">{late.debrief.whatHappened}</h2>
          <div class="story" lang="en" dir="auto">
            {ending.after.map((paragraph, index) => (
              <p key={index}>{paragraph}</p>
            ))}
          </div>
          <button class="button read-on screen" type="button" onClick={() => jumpTo('verdict')}>
            {late.debrief.readOn}
            <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
              <path class="line" d="M10 4V16M5 11 10 16 15 11" />
            </svg>
          </button>
        </>
      )}
    </header>
  )
}

/** The verdict in words, with the learner's reason and evidence. */
export function Verdict({ debrief: { ending, facts, run }, cast }: { debrief: DebriefView; cast: Cast }) {
  const words = late.debrief
  const tally = tallyOf(facts)
  const hears = tally.heard === tally.deciding ? words.heardAll : words.notAll
  const cited = run.facts.filter(({ id }) => run.decision?.evidence.includes(id))
  return (
    <Chapter id="verdict" title={words.verdictTitle}>
      <p class="verdict" data-verdict={ending.verdict}>
        {words.verdict[ending.verdict]}
      </p>
      {tally.deciding > 0 && (
        <p class="measure">
          {hears[ending.verdict]} {words.tally(tally)}
        </p>
      )}
      <div class="reason">
        <h3 class="label">{words.yourReason}</h3>
        {run.decision?.reason ? (
          <blockquote dir="auto">{run.decision.reason}</blockquote>
        ) : (
          <p class="small">{words.noReason}</p>
        )}
      </div>
      {cited.length > 0 && (
        <div>
          <h3 class="label">{words.yourEvidence}</h3>
          <ul class="cited">
            {cited.map(({ id, npc, said }) => (
              <li key={id} class="person voiced" style={{ '--hue': String(cast.person(npc).hue) }}>
                <span class="name">{cast.name(npc)}</span>
                <q lang="en" dir="auto">
                  {said}
                </q>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Chapter>
  )
}

/** Counts the deciding facts, and how many of them the learner heard and cited. */
export function tallyOf(facts: readonly DecidingFact[]): ResultView['facts'] {
  const cited = facts.filter(({ state }) => state === 'cited').length
  const missed = facts.filter(({ state }) => state === 'missed').length
  return { deciding: facts.length, heard: facts.length - missed, cited }
}

/**
 * Shows how the other options would have ended. Each ending is folded until the learner opens it.
 *
 * @param more whether there is an option that the learner never earned; its ending is not shown
 */
export function OtherEndings({ endings, more }: { endings: readonly EndingView[]; more: boolean }) {
  const words = late.debrief
  if (endings.length === 0) return null
  return (
    <Chapter id="others" title={words.othersTitle}>
      <p class="small">{words.othersNote}</p>
      {more && <p class="small">{words.moreOptions}</p>}
      {endings.map(({ option, title, verdict, after }) => (
        <details key={option} class="fold">
          <summary lang="en" dir="auto">
            {title}
          </summary>
          <div class="story" lang="en" dir="auto">
            {after.map((paragraph, index) => (
              <p key={index}>{paragraph}</p>
            ))}
          </div>
          <p class="small">{words.otherVerdict[verdict]}</p>
        </details>
      ))}
    </Chapter>
  )
}
