import type { EndingView } from '../../../worker/wire/run.ts'
import { late } from '../texts/texts.ts'
import { Chapter } from './chapter.tsx'

/** How it would have ended, for whoever wants to know. */
export function OtherEndings({ endings }: { endings: readonly EndingView[] }) {
  const words = late.debrief
  if (endings.length === 0) return null
  return (
    <Chapter id="others" title={words.othersTitle}>
      <p class="small">{words.othersNote}</p>
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
