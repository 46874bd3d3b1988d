/**
 * Returns the existing name that an unknown name most likely means: an existing name that differs from the unknown one
 * in a few letters, or that is the unknown name with words added at its beginning or end. Returns null if no name is
 * near, or if two are equally near.
 */
export function nearest(name: string, names: readonly string[]): string | null {
  const near = names
    .map((candidate) => ({ candidate, distance: distanceOf(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= slipsIn(name, candidate))
    .toSorted((a, b) => a.distance - b.distance)
  const [first, second] = near
  if (first === undefined || first.distance === second?.distance) return null
  return first.candidate
}

/** Returns a hint such as ` Is greet_visitor meant?`, or an empty text. */
export function meant(name: string, names: readonly string[]): string {
  const candidate = nearest(name, names)
  return candidate === null ? '' : ` Is ${candidate} meant?`
}

/**
 * The distance of a name that lacks words at one end. A missing word is farther than one wrong letter, so that `action`
 * is nearer to `actions` than to `action_guidelines`.
 */
const WORD_AT_AN_END = 1.5

/**
 * Returns the greatest distance at which two names are near: a quarter of the longer name's letters, rounded down, or
 * `WORD_AT_AN_END`, whichever is greater.
 */
function slipsIn(name: string, candidate: string): number {
  return Math.max(WORD_AT_AN_END, Math.floor(Math.max(name.length, candidate.length) / 4))
}

/**
 * Returns the distance of two names: their edit distance, but at most `WORD_AT_AN_END` if the first name only lacks
 * words at one end.
 */
function distanceOf(one: string, other: string): number {
  const isPart = one !== '' && (other.endsWith(`_${one}`) || other.startsWith(`${one}_`))
  return Math.min(lettersBetween(one, other), isPart ? WORD_AT_AN_END : Number.POSITIVE_INFINITY)
}

/** The edit distance of two names. Two letters in the wrong order count as one slip: `gaols` is one away from `goals`. */
function lettersBetween(one: string, other: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
