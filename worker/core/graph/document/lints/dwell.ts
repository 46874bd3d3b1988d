import type { ActionDocument } from '../document.ts'
import type { Finding } from '../../finding.ts'
import { found } from './found.ts'
import { bindSource, isFork } from './sources.ts'
import { atState, type Subject } from './subject.ts'

/** Checks gates, dwell and forks (G017 to G021, G023). */
export function lintDwell(subject: Subject): readonly Finding[] {
  return subject.document.states.flatMap((state) =>
    state.type === 'action' ? [...lintGate(subject, state), ...lintTurns(state), ...lintFork(state)] : [],
  )
}

function lintGate(subject: Subject, state: ActionDocument): readonly Finding[] {
  if (!state.dwell?.isGate) return []
  const findings: Finding[] = []
  if (!(subject.document.limits.stall >= 1))
    findings.push(
      found('G017', atState(state, 'dwell', 'gate'), 'Can hold for ever: limits.stall has to be 1 or more.'),
    )
  if (state.satisfyWhen === null)
    findings.push(
      found('G018', atState(state, 'dwell', 'gate'), 'Nothing says when this gate is satisfied. Add satisfy_when.'),
    )
  const lines = state.contentSource === null ? null : bindSource(subject, state.contentSource)
  if (Array.isArray(lines) && lines.length === 0)
    findings.push(
      found(
        'G018',
        atState(state, 'content_source'),
        `A gate has to get something across, and ${state.contentSource} is empty.`,
      ),
    )
  return findings
}

function lintTurns(state: ActionDocument): readonly Finding[] {
  if (state.dwell === null) return []
  const { minTurns, maxTurns, selfLoop, isGate } = state.dwell
  const findings: Finding[] = []
  if (maxTurns !== null && minTurns > maxTurns)
    findings.push(
      found('G019', atState(state, 'dwell', 'min'), 'Asks for more turns than it allows. Lower min or raise max.'),
    )
  if (minTurns > 1 && !selfLoop) {
    const at = atState(state, 'dwell', 'self_loop')
    findings.push(
      found('G020', at, 'Needs several turns and may not stay for them. Set self_loop.', { at, value: true }),
    )
  }
  if (maxTurns !== null && isGate)
    findings.push(
      found('G021', atState(state, 'dwell', 'max'), 'On a gate max never forces: the wording becomes blunter then.'),
    )
  if (maxTurns !== null && !isGate && !hasWalkersExit(state))
    findings.push(
      found('G021', atState(state, 'dwell', 'max'), 'Never forces: no exit here is the walker’s. Mark one guarded.'),
    )
  return findings
}

function lintFork(state: ActionDocument): readonly Finding[] {
  if (!isFork(state)) return []
  const findings: Finding[] = []
  if (state.pivot !== null && new Set(state.pivot.choices.map(({ id }) => id)).size < 2)
    findings.push(
      found(
        'G023',
        atState(state, 'pivot', 'choices'),
        'A fork needs two choices or more, each with an id of its own.',
      ),
    )
  if (!hasWalkersExit(state))
    findings.push(
      found(
        'G023',
        atState(state, 'exit_conditions'),
        'A fork is left by the walker once it is answered. Give it a guarded exit.',
      ),
    )
  return findings
}

function hasWalkersExit({ exits }: ActionDocument): boolean {
  return exits.some(({ isGuarded }) => isGuarded)
}
