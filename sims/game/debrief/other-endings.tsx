import type { EndingView } from '../../../worker/wire/run.ts'
import { late } from '../texts/texts.ts'
import { Chapter } from './chapter.tsx'

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
      {more && <p class="small">{words.moreOptions}</p>}
      {endings.map(({ option, title, verdict, after }) => (
        <details key={option} class="fold">
          <summary lang="x-authored" dir="auto">
            {title}
          </summary>
          <div class="story" lang="x-authored" dir="auto">
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
