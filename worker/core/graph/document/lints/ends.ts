import { type Finding, pointerTo } from '../../finding.ts'
import { found } from './found.ts'
import { meant } from './nearest.ts'
import { atState, type Subject } from './subject.ts'

/** Checks the entries and the terminal state (G003, G004). */
export function lintEnds({ document }: Subject): readonly Finding[] {
  const entries = [
    ['new_user_initial_state', document.newUserInitialState],
    ['returning_user_initial_state', document.returningUserInitialState],
    ['terminal_state', document.terminalState],
  ] as const
  return [
    ...entries.flatMap(([key, name]) => {
      const state = document.states.find((candidate) => candidate.name === name)
      if (state?.type === 'action') return []
      const wrong = state ? `is a ${state.type} state` : 'is no state of this graph'
      return found(
        'G003',
        pointerTo(key),
        `${name} ${wrong}. Conversations begin and end in action states of their own graph.${state ? '' : meant(name, namesOf(document))}`,
      )
    }),
    ...lintTerminal(document),
  ]
}

function namesOf({ states }: Subject['document']): readonly string[] {
  return states.map(({ name }) => name)
}

function lintTerminal({ states, terminalState }: Subject['document']): readonly Finding[] {
  const state = states.find(({ name }) => name === terminalState)
  if (state?.type !== 'action') return []
  const findings: Finding[] = []
  if (state.exits.length > 0)
    findings.push(
      found('G004', atState(state, 'exit_conditions'), 'The terminal state leads on. It has to end: remove its exits.'),
    )
  if (state.actions.length !== 1)
    findings.push(
      found(
        'G004',
        atState(state, 'actions'),
        `The terminal state has ${state.actions.length} actions. It takes exactly one.`,
      ),
    )
  return findings
}
