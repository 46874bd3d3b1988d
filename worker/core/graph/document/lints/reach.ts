import type { ActionDocument } from '../document.ts'
import type { Finding } from '../../finding.ts'
import { exchangesToEnd, finishing, reachableFrom, withoutSafety } from '../routes.ts'
import { found } from './found.ts'
import { keyOf, atState, ownTarget, waysOf, type StatePlace, type StateKey, type Subject, type Way } from './subject.ts'
import { isFork } from './sources.ts'

/** Finds states that no walk reaches, and states without a way to the end (G007, G008). */
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

/** Says whether the state itself needs an exit to it, or only comes after one that does. */
function unreached(key: StateKey, places: Subject['places']): string {
  const isLedTo = [...places].some(
    ([from, { legs }]) => from !== key && legs.some(({ to, returnTo }) => to === key || returnTo === key),
  )
  return isLedTo
    ? 'Only states that no conversation comes to lead here. Lead to one of them, or remove it.'
    : 'No exit leads here. Lead to it, or remove it.'
}

/** A silent state without an exit is G012. */
function isUnfinished(state: StatePlace['state']): boolean {
  return state.type !== 'action' && ('nextStates' in state ? state.nextStates : state.exits).length === 0
}

/**
 * Finds a returning entry that only leads to the newcomers' entry (G034): the graph then meets a returning person as a
 * stranger.
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

/** Finds limits that no conversation can keep (G022). */
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
  // A limit below one with a gate is G017.
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

/** The state with the highest least number of turns. */
function slowest({ states }: Subject['document']): { readonly name: string; readonly turns: number } | undefined {
  return states
    .flatMap((state) => (state.type === 'action' ? { name: state.name, turns: turnsIn(state) } : []))
    .toSorted((a, b) => b.turns - a.turns)[0]
}

function hasGate({ states }: Subject['document']): boolean {
  return states.some((state) => state.type === 'action' && state.dwell?.isGate === true)
}

/** A called graph's terminal state returns silently, and takes no exchange. */
function costOf(place: StatePlace | undefined, root: Subject['document']): number {
  if (place?.state.type !== 'action') return 0
  if (place.isTerminal) return place.document === root || place.document.speaksAtReturn ? 1 : 0
  return turnsIn(place.state)
}

/** A choice of exit can pass over a state that has one and needs no turns. */
function turnsIn(state: ActionDocument): number {
  const least = state.dwell?.minTurns ?? 0
  const isPassable = !state.dwell?.isGate && state.exits.some(({ isGuarded }) => !isGuarded) && !isFork(state)
  return isPassable ? least : Math.max(1, least)
}

/**
 * Finds action states that a learner cannot leave in one step (G026): no safety exit and no exit to the end, neither
 * here nor in the silent states behind its exits. A fork lets every message pass.
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
