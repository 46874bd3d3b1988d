import type { ActionDocument, DecisionDocument } from '../document.ts'
import type { Finding } from '../../finding.ts'
import type { Guard } from '../../graph.ts'
import { DEFAULT_POLICY } from '../../policy.ts'
import { isSatisfiable } from '../satisfiable.ts'
import { found } from './found.ts'
import { bindSource, isFork } from './sources.ts'
import { atState, type Subject } from './subject.ts'

/** Reports conditions of overlays (G025) and of exits (G035) that can never hold. */
export function lintGuards(subject: Subject): readonly Finding[] {
  return subject.document.states.flatMap((state) => {
    if (state.type === 'action') return [...lintOverlay(subject, state), ...lintExits(subject, state)]
    return state.type === 'decision' ? lintDecision(state) : []
  })
}

function lintOverlay(subject: Subject, state: ActionDocument): readonly Finding[] {
  if (state.overlay === null) return []
  if (!canHold(subject, [state.overlay.when]))
    return [
      found(
        'G025',
        atState(state, 'overlay', 'when'),
        'Never holds, so the overlay never opens. Change the condition, or remove it.',
      ),
    ]
  const lines = bindSource(subject, state.overlay.contentSource)
  if (lines === 'unknown' || lines === 'unread' || lines.length > 0) return []
  return [
    found(
      'G025',
      atState(state, 'overlay', 'content_source'),
      'Has nothing to show, so the overlay never opens. Give it content.',
    ),
  ]
}

/**
 * Checks the guarded exits in order. The walker takes the first exit whose condition holds, so it never takes an exit
 * after one whose condition always holds.
 */
function lintExits(subject: Subject, state: ActionDocument): readonly Finding[] {
  const before: Guard[] = []
  const findings: Finding[] = []
  const guarded = state.exits.map((exit, index) => ({ exit, index })).filter(({ exit }) => exit.isGuarded)
  for (const { exit, index } of guarded) {
    const when: Guard = exit.when ?? { all: [] }
    const at = atState(state, 'exit_conditions', index, ...(exit.when ? ['when'] : []))
    if (!canHold(subject, [when]))
      findings.push(found('G035', at, 'Never holds. Change the condition, or remove the exit.'))
    else if (!canHold(subject, [when, ...before]))
      findings.push(
        found('G035', at, 'Never gets its turn: one of the exits before it always holds. Put it before them.'),
      )
    before.push({ not: when })
  }
  return isFork(state) ? [...findings, ...lintFork(state)] : [...findings, ...lintTurn(state)]
}

/**
 * Reports guarded exits that the walker never tries. The walker tries a state's guarded exits when the state is
 * satisfied or has used up its turns. In some states neither of the two can happen. (If the state is a gate, G018
 * reports it.)
 */
function lintTurn(state: ActionDocument): readonly Finding[] {
  const { satisfyWhen, dwell } = state
  if (satisfyWhen !== null || dwell?.isGate === true || dwell?.selfLoop === false) return []
  if (typeof dwell?.maxTurns === 'number') return []
  return state.exits.flatMap(({ isGuarded }, index) =>
    isGuarded
      ? found(
          'G035',
          atState(state, 'exit_conditions', index),
          'Never gets its turn: nothing says when this state is satisfied, and it may be stayed in for ever. Add satisfy_when, or dwell.max.',
        )
      : [],
  )
}

/**
 * Reports a fork's choice exits. Only the walker leaves a fork, after a pick or without one, so the actor can never
 * select a choice exit.
 */
function lintFork(state: ActionDocument): readonly Finding[] {
  return state.exits.flatMap(({ isGuarded }, index) =>
    isGuarded
      ? []
      : found(
          'G035',
          atState(state, 'exit_conditions', index),
          'Is never offered: a fork is left by the walker. Mark it guarded, or move it to the state after the fork.',
        ),
  )
}

/**
 * Reports a decision state's guarded exits. The actor selects the exit of a decision, so the walker never takes a
 * guarded exit.
 */
function lintDecision(state: DecisionDocument): readonly Finding[] {
  return state.exits.flatMap(({ isGuarded }, index) =>
    isGuarded
      ? found(
          'G035',
          atState(state, 'exit_conditions', index),
          'Is never taken: in a decision exits are chosen by their descriptions. Give it no condition, or move it to an action state.',
        )
      : [],
  )
}

function canHold(subject: Subject, guards: readonly Guard[]): boolean {
  return isSatisfiable(guards, DEFAULT_POLICY.relationship, (name) => canBeSatisfied(subject, name))
}

/**
 * Tells whether a state can be satisfied while the conversation goes on. Only an action state can be satisfied.
 * Satisfying the terminal state ends the conversation, unless its graph was called and speaks before it returns.
 */
function canBeSatisfied({ document }: Subject, name: string): boolean {
  if (name === document.terminalState) return document.speaksAtReturn
  return document.states.some((state) => state.name === name && state.type === 'action')
}
