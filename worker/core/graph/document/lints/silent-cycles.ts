import type { Finding } from '../../finding.ts'
import { found } from './found.ts'
import { keyOf, atState, type StatePlace, type StateKey, type Subject } from './subject.ts'

/**
 * Reports cycles of silent states, also through referenced graphs (G009). Each cycle gives one finding, at its first
 * state.
 */
export function lintSilentCycles({ document, places }: Subject): readonly Finding[] {
  const next = silentSteps(places)
  const findings: Finding[] = []
  const told = new Set<StateKey>()
  for (const state of document.states) {
    const key = keyOf(document, state.name)
    if (told.has(key)) continue
    const round = roundThrough(key, next)
    if (round === null) continue
    for (const at of round) told.add(at)
    const names = [...round, key].map((at) => (places.get(at)?.document === document ? places.get(at)?.state.name : at))
    findings.push(
      found(
        'G009',
        atState(state),
        `Nobody speaks on the way round: ${names.join(' -> ')}. Put an action state on it, or break it.`,
      ),
    )
  }
  return findings
}

type Steps = ReadonlyMap<StateKey, readonly StateKey[]>

/**
 * Returns the silent states that can follow each silent state. A step from a state to itself is left out, because G006
 * reports it.
 */
function silentSteps(places: ReadonlyMap<StateKey, StatePlace>): Steps {
  const passing = passedThrough(places)
  return new Map(
    [...places]
      .filter(([, { state }]) => state.type !== 'action')
      .map(([key, { legs }]) => {
        const nexts = legs.flatMap(({ to, returnTo, isCall }) =>
          isCall && to !== null && passing.has(to) ? [to, returnTo] : [to],
        )
        return [key, nexts.filter((next) => next !== null && next !== key && places.get(next)?.state.type !== 'action')]
      }),
  ) as Steps
}

/**
 * Returns the states from which a called graph can return without speaking. From each such state a path of silent
 * states leads to the graph's terminal state, which is silent too.
 */
function passedThrough(places: ReadonlyMap<StateKey, StatePlace>): ReadonlySet<StateKey> {
  const passed = new Set<StateKey>()
  for (let before = -1; before !== passed.size;) {
    before = passed.size
    for (const [key, { state, isTerminal, document, legs }] of places) {
      const isPassed = isTerminal
        ? !document.speaksAtReturn
        : state.type !== 'action' &&
          legs.some(({ to, returnTo, isCall }) => {
            const arrives = to !== null && passed.has(to)
            return isCall ? arrives && returnTo !== null && passed.has(returnTo) : arrives
          })
      if (isPassed) passed.add(key)
    }
  }
  return passed
}

/**
 * Returns the shortest cycle through a state, without the repeated state at the cycle's end; null if no cycle leads
 * through the state.
 */
function roundThrough(start: StateKey, next: Steps): readonly StateKey[] | null {
  const from = new Map<StateKey, StateKey>()
  const queue: StateKey[] = [start]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const to of next.get(at) ?? []) {
      if (to === start) return trail(start, at, from)
      if (from.has(to)) continue
      from.set(to, at)
      queue.push(to)
    }
  }
  return null
}

function trail(start: StateKey, end: StateKey, from: ReadonlyMap<StateKey, StateKey>): readonly StateKey[] {
  const round = [end]
  for (let at = end; at !== start;) {
    at = from.get(at) ?? start
    round.unshift(at)
  }
  return round
}
