import type { TalkView } from '../../../worker/wire/run.ts'
import { late } from '../texts/texts.ts'
import { scoreOf } from './strip.ts'

/** What each turn was worth, and the words that earned it. */
export function Engagement({ talk: { engagement } }: { talk: Pick<TalkView, 'engagement'> }) {
  const words = late.debrief
  if (engagement.length === 0) return null
  const good = engagement.filter(({ score }) => score > 0).length
  return (
    <section class="engagement">
      <h4>{words.engagementTitle}</h4>
      <div class="bars" aria-hidden="true">
        {engagement.map(({ turn, score }) => (
          <span key={turn} data-worth={scoreOf(score).worth} />
        ))}
      </div>
      <details class="quiet">
        <summary>{words.engagementTally(engagement.length, good)}</summary>
        <ol class="worths">
          {engagement.map(({ turn, score, said }) => {
            const worth = scoreOf(score)
            return (
              <li key={turn} data-worth={worth.worth}>
                <p class="small">
                  {words.turn(turn)}: <strong>{worth.words}</strong>
                </p>
                <q dir="auto">{said}</q>
              </li>
            )
          })}
        </ol>
      </details>
    </section>
  )
}
