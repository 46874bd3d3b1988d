import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LEVELS, lineThrough, levelHeight, spotsOf } from '../../../sims/game/debrief/relationship-chart.tsx'
import type { RelationshipPoint } from '../../../sims/game/debrief/relationship-chart.tsx'

const anyPoint: fc.Arbitrary<RelationshipPoint> = fc.record({
  turn: fc.integer({ min: 1, max: 200 }),
  level: fc.constantFrom(...LEVELS),
  by: fc.constantFrom('turn', 'choice'),
})
const anyPoints = fc.array(anyPoint, { maxLength: 200 })
const anyBox = fc.record({ width: fc.integer({ min: 1, max: 4_000 }), height: fc.integer({ min: 1, max: 2_000 }) })

/** Returns the numbers of an SVG path in pairs: the points of the curve and its control points. */
function pairsOf(path: string): readonly (readonly [number, number])[] {
  const numbers = path.match(/-?\d+(?:\.\d+)?/g)?.map(Number) ?? []
  return numbers.flatMap((value, index) =>
    index % 2 === 0 ? [[value, numbers[index + 1] ?? Number.NaN] as const] : [],
  )
}

describe('the chart of a relationship', () => {
  it('[after-4] has a spot for every turn and choice, one after the other from side to side', () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const spots = spotsOf(points)
        expect(spots.map(({ turn, level, by }) => ({ turn, level, by }))).toEqual(points)
        for (const [index, { x }] of spots.entries()) expect(x).toBeGreaterThan(spots[index - 1]?.x ?? -1)
        if (spots.length > 1) expect([spots[0]?.x, spots.at(-1)?.x]).toEqual([0, 1])
      }),
    )
  })

  it('[after-4] stays in its box, with all that bends it', () => {
    fc.assert(
      fc.property(anyPoints, anyBox, (points, box) => {
        for (const [x, y] of pairsOf(lineThrough(spotsOf(points), box))) {
          expect(x).toBeGreaterThanOrEqual(0)
          expect(x).toBeLessThanOrEqual(box.width)
          expect(y).toBeGreaterThan(0)
          expect(y).toBeLessThan(box.height)
        }
      }),
    )
  })

  it('[after-4] is the higher the warmer, and level at every spot: no bend is warmer or colder than both its ends', () => {
    const rows = LEVELS.map(levelHeight)
    expect(rows).toEqual(rows.toSorted((one, other) => other - one))
    fc.assert(
      fc.property(anyPoints, (points) => {
        const [, ...bends] = lineThrough(spotsOf(points), { width: 1_000, height: 500 }).split('C')
        let from = levelHeight(points[0]?.level ?? 'neutral') * 500
        for (const bend of bends) {
          const [first, second, end] = pairsOf(bend)
          expect([first?.[1], second?.[1]]).toEqual([from, end?.[1]])
          from = end?.[1] ?? Number.NaN
        }
        expect(bends).toHaveLength(Math.max(points.length - 1, 0))
      }),
    )
  })

  it('[after-4] puts a single point in the middle, and draws nothing without points', () => {
    const [spot] = spotsOf([{ turn: 1, level: 'neutral', by: 'turn' }])
    expect(spot).toMatchObject({ x: 0.5, y: 0.5 })
    expect(lineThrough(spotsOf([{ turn: 1, level: 'neutral', by: 'turn' }]), { width: 10, height: 10 })).toBe('M5 5')
    expect(lineThrough([], { width: 10, height: 10 })).toBe('')
  })

  it('[after-4] of two hundred turns has two hundred spots and one line through them', () => {
    const points = Array.from({ length: 200 }, (_, index) => ({
      turn: index + 1,
      level: LEVELS[index % 5] ?? 'neutral',
      by: 'turn' as const,
    }))
    const line = lineThrough(spotsOf(points), { width: 1_000, height: 500 })
    expect(line.split('C')).toHaveLength(200)
  })
})
