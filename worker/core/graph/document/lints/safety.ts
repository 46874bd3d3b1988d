import type { Finding } from '../../finding.ts'
import { found } from './found.ts'
import { isFork } from './sources.ts'
import type { Subject } from './subject.ts'
import { atState, ownTarget, type Way, waysOf } from './ways.ts'

/**
 * Action states that nobody can get out of in one go: no safety exit and no exit to the end, neither here nor
 * in the silent states that an exit from here leads through (G026). A fork is passed whatever is said to it.
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
