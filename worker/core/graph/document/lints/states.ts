import type { ActionDocument, RecallDocument, StateDocument } from '../document.ts'
import type { Finding } from '../../finding.ts'
import { found } from './found.ts'
import { isFork } from './sources.ts'
import { atState, type Subject } from './subject.ts'

/** Checks the fields that each type of state needs (G005, G012, G013, G014). */
export function lintStates({ document }: Subject): readonly Finding[] {
  return document.states.flatMap((state) => {
    if (state.type === 'action') return lintAction(state, state.name === document.terminalState)
    const findings = lintWays(state)
    if (state.type === 'recall') return [...findings, ...lintRecall(state)]
    // The negated comparison also refuses a word limit that is NaN.
    if (state.type === 'reflection' && !(state.wordLimit >= 1))
      return [
        ...findings,
        found('G014', atState(state, 'word_limit'), `${state.wordLimit} words are none. Allow at least 1.`),
      ]
    return findings
  })
}

function lintAction(state: ActionDocument, isTerminal: boolean): readonly Finding[] {
  const findings: Finding[] = []
  if (state.objective.trim() === '')
    findings.push(found('G005', atState(state, 'objective'), 'Has no objective. Say what this state is for.'))
  if (state.actions.length > 0 || isTerminal) return findings
  if (state.contentSource === null && state.pivot === null)
    findings.push(found('G005', atState(state, 'actions'), 'Has no actions, so there is nothing to do here. Add one.'))
  else if (!isFork(state) && state.exits.some(({ isGuarded }) => !isGuarded))
    findings.push(
      found(
        'G005',
        atState(state, 'actions'),
        'Has exits to choose and no action to choose instead, so nothing is ever said here. Add an action, or let the walker take the exits (guarded: true).',
      ),
    )
  return findings
}

function lintWays(state: Exclude<StateDocument, ActionDocument>): readonly Finding[] {
  if (state.type === 'decision') {
    if (state.exits.some(({ isGuarded }) => !isGuarded)) return []
    return [
      found('G012', atState(state, 'exit_conditions'), 'Has nothing to choose from. Add exits with descriptions.'),
    ]
  }
  if (state.nextStates.length === 1) return []
  return [
    found(
      'G012',
      atState(state, 'next_state'),
      `Leads to ${state.nextStates.length} states. A ${state.type} state goes on to exactly one; a choice is a decision's.`,
    ),
  ]
}

function lintRecall(state: RecallDocument): readonly Finding[] {
  if (state.queries !== null || state.requestedInformation !== null) return []
  return [
    found(
      'G013',
      atState(state),
      'Asks for nothing in particular. Give it queries, or say what information is requested.',
    ),
  ]
}
