import type { ActionDocument } from '../document.ts'
import type { Finding } from '../../finding.ts'
import { exchangesToEnd, finishing, reachableFrom, withoutSafety } from '../routes.ts'
import { found } from './found.ts'
import { keyOf, atState, ownTarget, waysOf, type StatePlace, type StateKey, type Subject, type Way } from './subject.ts'
import { isFork } from './sources.ts'

/** Reports states that no walk reaches (G007), and states from which the end cannot be reached (G008). */
export function lintReach({ document, places }: Subject): readonly Finding[] {
  const entries = [document.newUserInitialState, document.returningUserInitialState]
  const reached = reachableFrom(
    places,
    entries.map((name) => keyOf(document, name)),
  )
  const ending = finishing(places)
  return document.states.flatMap((state) => {
    const key = keyOf(document, state.name)
    if (!reached.has(key)) return found('G007', atState(state), unreached(key, places))
    if (ending.has(key) || isUnfinished(state)) return []
    return found(
      'G008',
      atState(state),
      `From here ${document.terminalState} cannot be reached: a conversation would be trapped.`,
    )
  })
}

/** Returns the message for an unreachable state. Either no exit leads to it, or only exits of unreachable states do. */
function unreached(key: StateKey, places: Subject['places']): string {
  const isLedTo = [...places].some(
    ([from, { legs }]) => from !== key && legs.some(({ to, returnTo }) => to === key || returnTo === key),
  )
  return isLedTo
    ? 'Only states that no conversation comes to lead here. Lead to one of them, or remove it.'
    : 'No exit leads here. Lead to it, or remove it.'
}

/** Tells whether a silent state has no exit. G012 reports such a state. */
function isUnfinished(state: StatePlace['state']): boolean {
  return state.type !== 'action' && ('nextStates' in state ? state.nextStates : state.exits).length === 0
}

/**
 * Reports an entry for returning learners from which every path leads through the entry for new learners (G034). In the
 * entry for new learners, the colleague would greet a returning learner as a stranger.
 */
export function lintReturning({ document, places }: Subject): readonly Finding[] {
  const { newUserInitialState, returningUserInitialState, terminalState } = document
  if (newUserInitialState === returningUserInitialState || newUserInitialState === terminalState) return []
  const newcomers = keyOf(document, newUserInitialState)
  const returning = keyOf(document, returningUserInitialState)
  if (!finishing(places).has(returning)) return []
  const through = [...withoutSafety(places)].filter(([key]) => key !== newcomers)
  const around = new Map(through.map(([key, place]) => [key, without(place, newcomers)]))
  if (finishing(around).has(returning)) return []
  return [
    found(
      'G034',
      '/returning_user_initial_state',
      `Every way from ${returningUserInitialState} leads through ${newUserInitialState}, where newcomers begin: somebody who comes back is met as a stranger. Lead past it.`,
    ),
  ]
}

function without(place: StatePlace, gone: string): StatePlace {
  return { ...place, legs: place.legs.filter(({ to, returnTo }) => to !== gone && returnTo !== gone) }
}

/** Reports limits that are lower than even the shortest conversation needs (G022). */
export function lintLimits({ document, places }: Subject): readonly Finding[] {
  const fewest = exchangesToEnd(withoutSafety(places), (key) => costOf(places.get(key), document))
  const entries = [document.newUserInitialState, document.returningUserInitialState]
  const shortest = Math.max(...entries.map((name) => fewest.get(keyOf(document, name)) ?? Number.POSITIVE_INFINITY))
  const findings: Finding[] = []
  if (Number.isFinite(shortest) && document.limits.exchanges < shortest)
    findings.push(
      found(
        'G022',
        '/limits/exchanges',
        `Allows ${document.limits.exchanges} exchanges, and the shortest way through takes ${shortest}. Raise it.`,
      ),
    )
  const slow = slowest(document)
  // G017 reports a stall limit below 1 in a graph with a gate.
  if (slow && slow.turns > document.limits.stall && (document.limits.stall >= 1 || !hasGate(document)))
    findings.push(
      found(
        'G022',
        '/limits/stall',
        `Gives up after ${document.limits.stall} exchanges in one state, and ${slow.name} needs ${slow.turns}. Raise it.`,
      ),
    )
  return findings
}

function slowest({ states }: Subject['document']): { readonly name: string; readonly turns: number } | undefined {
  return states
    .flatMap((state) => (state.type === 'action' ? { name: state.name, turns: turnsIn(state) } : []))
    .toSorted((a, b) => b.turns - a.turns)[0]
}

function hasGate({ states }: Subject['document']): boolean {
  return states.some((state) => state.type === 'action' && state.dwell?.isGate === true)
}

/**
 * Returns the least number of exchanges that a state takes. A called graph's terminal state takes no exchange if it
 * returns silently.
 */
function costOf(place: StatePlace | undefined, root: Subject['document']): number {
  if (place?.state.type !== 'action') return 0
  if (place.isTerminal) return place.document === root || place.document.speaksAtReturn ? 1 : 0
  return turnsIn(place.state)
}

/** Returns the least number of turns in a state. The number can be 0 if the actor can select an exit on arrival. */
function turnsIn(state: ActionDocument): number {
  const least = state.dwell?.minTurns ?? 0
  const isPassable = !state.dwell?.isGate && state.exits.some(({ isGuarded }) => !isGuarded) && !isFork(state)
  return isPassable ? least : Math.max(1, least)
}

/**
 * Reports action states that a learner cannot leave early in one step (G026): neither the state nor the silent states
 * after it have a safety exit or an exit to the end. Forks are skipped, because a learner can go on from a fork without
 * picking a card.
 */
export function lintSafety({ document }: Subject): readonly Finding[] {
  const states = new Map(document.states.map((state) => [state.name, state]))
  const isSafe = (name: string, seen: Set<string>): boolean => {
    const state = states.get(name)
    if (!state || seen.has(name)) return false
    seen.add(name)
    const away = waysOf(state).filter(({ target }) => target !== name)
    return away.some((way) => isWayOut(way) || leadsOn(ownTarget(way.target), seen))
  }
  const isWayOut = ({ exit, target }: Way) =>
    !exit?.isGuarded && (exit?.isSafety === true || target === document.terminalState)
  const leadsOn = (name: string, seen: Set<string>) => states.get(name)?.type !== 'action' && isSafe(name, seen)

  return document.states.flatMap((state) => {
    if (state.type !== 'action' || state.name === document.terminalState || isFork(state)) return []
    if (isSafe(state.name, new Set())) return []
    return found(
      'G026',
      atState(state, 'exit_conditions'),
      `Whoever wants to stop here cannot. Add an exit to ${document.terminalState}, or mark one safety: true.`,
    )
  })
}
