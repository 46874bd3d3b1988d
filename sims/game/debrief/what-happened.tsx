import type { ComponentChildren } from 'preact'
import type { EndingView } from '../../../worker/wire/run.ts'
import { late } from '../texts/texts.ts'
import { jumpTo } from './jump.ts'

/**
 * The consequence, alone: nothing is judged before it has been read.
 *
 * @param children stand in its place until it is there
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
