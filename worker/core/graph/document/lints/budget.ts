import { densityOfState } from '../../density.ts'
import type { ActionDocument } from '../document.ts'
import type { Finding } from '../../finding.ts'
import { found } from './found.ts'
import { atState, type Subject } from './subject.ts'

/** The numbers of actions and of navigation guidelines in one state that an actor can handle. */
const ACTIONS = { from: 2, to: 6 }
const NAVIGATION = { from: 3, to: 8 }

/**
 * Reports action states with too many or too few actions or guidelines, or with so many instructions that the actor has
 * no freedom (G027). Skips the terminal state, which always has one action and no exits.
 */
export function lintBudget({ document }: Subject): readonly Finding[] {
  return document.states.flatMap((state) => {
    if (state.type !== 'action' || state.name === document.terminalState) return []
    const findings = [...lintActions(state), ...lintNavigation(state, document.globalNavigationGuidelines.length)]
    const { score, band } = densityOfState(document, state)
    if (band !== 'override') return findings
    const message = `Leaves whoever speaks nothing of their own (density ${score}). Loosen it, unless that is what it is for.`
    return [...findings, found('G027', atState(state), message)]
  })
}

/** Checks the number of actions. A state with its own content or fork may have fewer. */
function lintActions(state: ActionDocument): readonly Finding[] {
  const count = state.actions.length
  // G005 reports a state without actions.
  if (count === 0 || (count >= ACTIONS.from && count <= ACTIONS.to)) return []
  if (count < ACTIONS.from && (state.contentSource !== null || state.pivot !== null)) return []
  const message = `Has ${count} action${count === 1 ? '' : 's'}; ${ACTIONS.from} to ${ACTIONS.to} are a choice that can be made.`
  return [found('G027', atState(state, 'actions'), message)]
}

/**
 * Checks the number of navigation guidelines, global ones included. A state with at most one action needs no navigation
 * guidelines.
 */
function lintNavigation(state: ActionDocument, globals: number): readonly Finding[] {
  const count = state.navigationGuidelines.length + globals
  if (count > NAVIGATION.to || (count < NAVIGATION.from && state.actions.length > 1)) {
    const at = atState(state, 'intra_state_navigation_guidelines')
    const message = `Has ${count} navigation guideline${count === 1 ? '' : 's'}, global ones included; ${NAVIGATION.from} to ${NAVIGATION.to} can be followed.`
    return [found('G027', at, message)]
  }
  return []
}
