/**
 * A state of a document, or a node of a linked graph, with its exits (`legs`). The checks of documents and the checks
 * of linked graphs share this form.
 */
export interface Stop {
  readonly isTerminal: boolean
  readonly legs: readonly Leg[]
}

export interface Leg {
  /** The next state; null for the end, and for a missing state, which another check reports. */
  readonly to: string | null
  readonly returnTo: string | null
  readonly isCall: boolean
  /** True for a safety exit, which some checks ignore. */
  readonly isSafety: boolean
}

type Stops = ReadonlyMap<string, Stop>

/** Returns every state that is reachable from the given states, return states included. */
export function reachableFrom(stops: Stops, from: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const queue = [...from]
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    const stop = stops.get(key)
    if (!stop || seen.has(key)) continue
    seen.add(key)
    for (const { to, returnTo } of stop.legs) queue.push(...[to, returnTo].filter((next) => next !== null))
  }
  return seen
}

/**
 * Returns every state that can reach its own graph's terminal state. A call counts only if the called graph can reach
 * its own terminal state. A missing state counts as the end of its graph, because another check reports it.
 */
export function finishing(stops: Stops): ReadonlySet<string> {
  const done = new Set<string>()
  const isDone = (key: string | null) => key === null || done.has(key)
  // Goes through the states from the last to the first: authors mostly write states in the order of the walk, and then
  // two rounds are enough.
  const rest = [...stops].toReversed()
  for (let before = -1; before !== done.size;) {
    before = done.size
    for (const [key, { isTerminal, legs }] of rest) {
      if (isTerminal || legs.some(({ to, returnTo }) => isDone(to) && isDone(returnTo))) done.add(key)
    }
  }
  return done
}

/** Returns the same states without their safety exits. */
export function withoutSafety<S extends Stop>(stops: ReadonlyMap<string, S>): ReadonlyMap<string, S> {
  return new Map(
    [...stops].map(([key, stop]) => [key, { ...stop, legs: stop.legs.filter(({ isSafety }) => !isSafety) }]),
  )
}

/**
 * Returns the fewest exchanges from each state to the end of its own graph. A state without a path to the end has no
 * entry.
 *
 * @param costOf returns the least number of exchanges that a state takes, 0 or more
 */
export function exchangesToEnd(stops: Stops, costOf: (key: string) => number): ReadonlyMap<string, number> {
  const fewest = new Map<string, number>()
  const from = (key: string | null) => (key === null ? 0 : (fewest.get(key) ?? Number.POSITIVE_INFINITY))
  const rest = [...stops].toReversed()
  for (let isSettled = false; !isSettled;) {
    isSettled = true
    for (const [key, { isTerminal, legs }] of rest) {
      const onward = isTerminal ? 0 : Math.min(...legs.map(({ to, returnTo }) => from(to) + from(returnTo)))
      const total = costOf(key) + onward
      if (total >= from(key)) continue
      fewest.set(key, total)
      isSettled = false
    }
  }
  return fewest
}
