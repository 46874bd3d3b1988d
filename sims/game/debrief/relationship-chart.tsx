import { useState } from 'preact/hooks'
import type { TalkView } from '../../../worker/wire/run.ts'
import { late, t } from '../texts/texts.ts'
import { LEVELS, lineThrough, spotsOf } from './chart.ts'
import type { Spot } from './chart.ts'

/** The drawing's own units; the page stretches it to whatever room there is. */
const BOX = { width: 1000, height: 500 }
/** From so many on, turns are not marked any more: the marks would hide the line. */
const MANY = 60

/**
 * Where the learner stood with a colleague, turn by turn. The line of the slider is what reads it, by keys and by touch; the
 * table says the same.
 */
export function RelationshipChart({ talk, name }: { talk: Pick<TalkView, 'relationship'>; name: string }) {
  const words = late.debrief
  const spots = spotsOf(talk.relationship)
  const last = spots.length - 1
  const [chosen, choose] = useState<number | null>(null)
  const at = Math.min(chosen ?? last, last)
  const here = spots[at]
  if (!here) return <p class="small">{words.noPoints}</p>
  return (
    <section class="relationship">
      <h4>{words.relationship}</h4>
      <div class="chart">
        <ol class="levels" aria-hidden="true">
          {LEVELS.toReversed().map((level) => (
            <li key={level} data-here={level === here.level}>
              {t.widget.level[level]}
            </li>
          ))}
        </ol>
        <div class="plot">
          <Drawing spots={spots} at={at} />
          {last > 0 && (
            <input
              type="range"
              aria-label={words.chartLabel(name)}
              aria-valuetext={told(here)}
              min={0}
              max={last}
              step={1}
              value={at}
              onInput={(event) => choose(event.currentTarget.valueAsNumber)}
            />
          )}
        </div>
      </div>
      <p class="reading small">{told(here)}</p>
      <details class="quiet">
        <summary>{words.asTable}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.when}</th>
              <th scope="col">{words.level}</th>
            </tr>
          </thead>
          <tbody>
            {spots.map(({ turn, by, level }, index) => (
              <tr key={index}>
                <th scope="row">{by === 'choice' ? words.choiceIn(turn) : words.turn(turn)}</th>
                <td>{t.widget.level[level]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}

function Drawing({ spots, at }: { spots: readonly Spot[]; at: number }) {
  return (
    <div class="drawing" aria-hidden="true" data-many={spots.length > MANY}>
      <svg viewBox={`0 0 ${BOX.width} ${BOX.height}`} preserveAspectRatio="none">
        <path class="curve" d={lineThrough(spots, BOX)} />
      </svg>
      {spots.map(({ x, y, by }, index) => (
        <span
          key={index}
          class="spot"
          data-by={by}
          data-here={index === at}
          style={{ insetInlineStart: `${x * 100}%`, insetBlockStart: `${y * 100}%` }}
        />
      ))}
    </div>
  )
}

function told({ turn, by, level }: Spot): string {
  const words = late.debrief
  return by === 'choice' ? words.afterChoice(turn, t.widget.level[level]) : words.afterTurn(turn, t.widget.level[level])
}
