/**
 * What the checks of a document and of a linked graph share: states that lead to states, where some lead by way of
 * another graph that comes back.
 */
export interface Stop {
  /** Its graph ends here. */
  readonly isTerminal: boolean
  readonly legs: readonly Leg[]
}

export interface Leg {
  /** Null for a state that is not there, which is a finding of its own, and for the end. */
  readonly to: string | null
  /** For a call: where to go on. */
  readonly returnTo: string | null
  readonly isCall: boolean
  /** A way out for what nobody planned for, and none through. */
  readonly isSafety: boolean
}

type Stops = ReadonlyMap<string, Stop>

/** Every state that can be led to from these, the states after a call among them. */
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
 * Every state from which its own graph's terminal can be reached. A call counts only if the graph called can come to
 * its end; what is not there counts as if it could, since that is a finding already.
 */
export function finishing(stops: Stops): ReadonlySet<string> {
  const done = new Set<string>()
  const isDone = (key: string | null) => key === null || done.has(key)
  // Backwards, since states are mostly written in the order in which they are walked: two rounds are the rule.
  const rest = [...stops].toReversed()
  for (let before = -1; before !== done.size;) {
    before = done.size
    for (const [key, { isTerminal, legs }] of rest) {
      if (isTerminal || legs.some(({ to, returnTo }) => isDone(to) && isDone(returnTo))) done.add(key)
    }
  }
  return done
}

/** The same states without the ways out for what nobody planned for. */
export function withoutSafety<S extends Stop>(stops: ReadonlyMap<string, S>): ReadonlyMap<string, S> {
  return new Map(
    [...stops].map(([key, stop]) => [key, { ...stop, legs: stop.legs.filter(({ isSafety }) => !isSafety) }]),
  )
}

/**
 * The fewest exchanges from each state to the end of its own graph, infinite where there is no way.
 *
 * @param costOf the exchanges a state takes where it is not passed over, 0 or more.
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
