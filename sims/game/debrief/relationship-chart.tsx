import { useState } from 'preact/hooks'
import type { RelationshipLevel } from '../../../worker/wire/messages.ts'
import type { TalkView } from '../../../worker/wire/run.ts'
import { late, t } from '../texts/texts.ts'

/** The size of the drawing in its own units. The page stretches the drawing to the available space. */
const BOX = { width: 1000, height: 500 }
/** A chart with more points than this shows no marks, because the marks would hide the line. */
const MANY = 60

/**
 * A chart of the learner's relationship with a colleague, turn by turn. The reader selects a point of the chart with a
 * slider, and a text describes that point. A table lists the points at which the level changed. A relationship that never changed has a
 * sentence in place of a chart.
 */
export function RelationshipChart({ talk, name }: { talk: Pick<TalkView, 'relationship'>; name: string }) {
  const words = late.debrief
  const spots = spotsOf(talk.relationship)
  const last = spots.length - 1
  const [chosen, choose] = useState<number | null>(null)
  const at = Math.min(chosen ?? last, last)
  const here = spots[at]
  if (!here) return <p class="small">{words.noPoints}</p>
  const isSteady = spots.every(({ level }) => level === here.level)
  const turns = spots.filter(({ level }, index) => level !== spots[index - 1]?.level)
  // That nothing moved somebody who began as neutral tells a learner nothing.
  if (isSteady && here.level === 'neutral') return null
  if (isSteady)
    return (
      <section class="relationship">
        <h4>{words.relationship}</h4>
        <p class="small">{words.steady(t.widget.level[here.level])}</p>
      </section>
    )
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
        {last > 0 && (
          <p class="ends small" aria-hidden="true">
            <span>{words.turn(spots[0]?.turn ?? 1)}</span>
            <span>{words.turn(spots[last]?.turn ?? 1)}</span>
          </p>
        )}
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
            {turns.map(({ turn, by, level }, index) => (
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

export type RelationshipPoint = TalkView['relationship'][number]

/** The levels of a relationship, coldest first. */
export const LEVELS: readonly RelationshipLevel[] = ['hostile', 'guarded', 'neutral', 'cooperative', 'trusting']

/**
 * A point of the relationship in the chart. `x` and `y` go from 0 to 1. `y` grows downwards, so a warmer level has a
 * smaller `y`.
 */
export interface Spot extends RelationshipPoint {
  readonly x: number
  readonly y: number
}

/**
 * Places the points at equal distances from left to right, each on the row of its level. A single point is in the
 * middle.
 */
export function spotsOf(points: readonly RelationshipPoint[]): readonly Spot[] {
  const last = points.length - 1
  return points.map((point, index) => ({ ...point, x: last === 0 ? 0.5 : index / last, y: levelHeight(point.level) }))
}

/** Returns the middle of a level's row, from 0 to 1. */
export function levelHeight(level: RelationshipLevel): number {
  return (LEVELS.length - LEVELS.indexOf(level) - 0.5) / LEVELS.length
}

/**
 * Returns the SVG path of the line through the spots, for a drawing of the given size. The line is horizontal at every
 * spot. Between two neighbouring spots the line stays between their levels, so that it never rises above or falls below
 * them.
 */
export function lineThrough(spots: readonly Spot[], { width, height }: { width: number; height: number }): string {
  const at = spots.map(({ x, y }) => [round(x * width), round(y * height)] as const)
  const [first] = at
  if (!first) return ''
  const bends = at.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = at[index] ?? first
    const middle = round((fromX + x) / 2)
    return `C${middle} ${fromY} ${middle} ${y} ${x} ${y}`
  })
  return `M${first.join(' ')}${bends.join('')}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
