/**
 * The existing name that an unknown one most likely means: a typing slip away, or with one word more at either end.
 * Null if none is near, or if two are equally near.
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

/** ` Is greet_visitor meant?`, or nothing. */
export function meant(name: string, names: readonly string[]): string {
  const candidate = nearest(name, names)
  return candidate === null ? '' : ` Is ${candidate} meant?`
}

/** A word at an end weighs more than a letter, so `action` is nearer to `actions` than to `action_guidelines`. */
const WORD_AT_AN_END = 1.5

/** One letter in four may be wrong, at least one in any name. */
function slipsIn(name: string, candidate: string): number {
  return Math.max(WORD_AT_AN_END, Math.floor(Math.max(name.length, candidate.length) / 4))
}

/** The number of letters to change, add or remove; less if only a word at either end is missing. */
function distanceOf(one: string, other: string): number {
  const isPart = one !== '' && (other.endsWith(`_${one}`) || other.startsWith(`${one}_`))
  return Math.min(lettersBetween(one, other), isPart ? WORD_AT_AN_END : Number.POSITIVE_INFINITY)
}

function lettersBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
