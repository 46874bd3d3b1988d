import type { RelationshipLevel } from '../../../worker/wire/messages.ts'
import type { TalkView } from '../../../worker/wire/run.ts'

export type RelationshipPoint = TalkView['relationship'][number]

/** Where a colleague can stand, coldest first. */
export const LEVELS: readonly RelationshipLevel[] = ['hostile', 'guarded', 'neutral', 'cooperative', 'trusting']

/** A point of the relationship as it is drawn. `x` and `y` go from 0 to 1; `y` goes down, so that warmer is higher. */
export interface Spot extends RelationshipPoint {
  readonly x: number
  readonly y: number
}

/**
 * Places the points one beside the other, each turn and each choice as wide as the next, on the rows of the levels. One point
 * alone stands in the middle.
 */
export function spotsOf(points: readonly RelationshipPoint[]): readonly Spot[] {
  const last = points.length - 1
  return points.map((point, index) => ({ ...point, x: last === 0 ? 0.5 : index / last, y: rowOf(point.level) }))
}

/** The middle of a level's row, from 0 to 1. */
export function rowOf(level: RelationshipLevel): number {
  return (LEVELS.length - LEVELS.indexOf(level) - 0.5) / LEVELS.length
}

/**
 * The line through the spots, as the path of an SVG of that size. It is level at every spot, so that it never shows a mood
 * warmer or colder than one that was there.
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
