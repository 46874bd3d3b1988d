/**
 * Returns a function that draws an integer from 0 to a limit (without the limit). It is a linear congruential
 * generator, so the same seed always gives the same integers.
 */
export function lots(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2_654_435_761)
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
