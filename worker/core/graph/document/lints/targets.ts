import type { GraphDocument, StateDocument } from '../document.ts'
import { type Finding, type Fix, pointerTo } from '../../finding.ts'
import { moduleOf } from '../linked-set.ts'
import { readCall, waysOf, type Subject, type Way } from './subject.ts'
import { found } from './found.ts'
import { meant } from './nearest.ts'

/**
 * Reports exits, calls, references and migrations to states or graphs that do not exist (G001, G002, G016), and exits
 * that lead to their own state (G006).
 */
export function lintTargets(subject: Subject): readonly Finding[] {
  const { document } = subject
  return [
    ...document.states.flatMap((state) => waysOf(state).flatMap((way) => lintWay(subject, state, way))),
    ...lintReferences(subject),
    ...document.migrations.flatMap(({ nodes }, index) =>
      Object.entries(nodes).flatMap(([old, place]) =>
        isPlace(subject, place)
          ? []
          : found(
              'G001',
              pointerTo('migrations', index, 'states', old),
              `There is no state ${place} to move ${old} to.${meant(place, namesOf(document))}`,
            ),
      ),
    ),
  ]
}

function lintWay(subject: Subject, state: StateDocument, way: Way): readonly Finding[] {
  if (typeof way.target !== 'string') return lintCall(subject, way.at, way.target)
  if (way.target === state.name) return [toItself(state, way)]
  if (hasState(subject, way.target)) return []
  const hint = way.target.includes('.')
    ? ' A call also says where to return to: [reference.state, own_state].'
    : meant(way.target, namesOf(subject.document))
  return [found('G001', way.at, `Leads to ${way.target}, which does not exist.${hint}`)]
}

function lintCall(subject: Subject, at: string, { call, returnTo }: { call: string; returnTo: string }): Finding[] {
  const findings: Finding[] = []
  const called = readCall(subject.document, call, subject.graphs)
  if (called.kind === 'no-reference')
    findings.push(
      found(
        'G002',
        `${at}/0`,
        `Calls ${call}, but no reference is called "${called.reference}".${meant(called.reference, Object.keys(subject.document.references)) || ' Add it.'}`,
      ),
    )
  if (called.kind === 'no-state')
    findings.push(
      found(
        'G001',
        `${at}/0`,
        `Calls ${called.state}, which ${moduleOf(called.graph)} does not have.${meant(called.state, namesOf(called.graph))}`,
      ),
    )
  if (!hasState(subject, returnTo))
    findings.push(
      found(
        'G016',
        `${at}/1`,
        `Returns to ${returnTo}, which is no state of this graph.${meant(returnTo, namesOf(subject.document)) || ' Name one that is.'}`,
      ),
    )
  return findings
}

function lintReferences({ document, graphs }: Subject): readonly Finding[] {
  return Object.entries(document.references).flatMap(([name, reference]) =>
    graphs.has(moduleOf(reference))
      ? []
      : found('G002', pointerTo('references', name), `There is no graph ${moduleOf(reference)}. Check id and version.`),
  )
}

/**
 * Reports an exit that leads to its own state. `--fix` removes the exit if another exit of the same kind (choice or
 * guarded) remains.
 */
function toItself(state: StateDocument, { at, exit }: Way): Finding {
  const isLeft = waysOf(state).some(
    ({ target, exit: other }) => target !== state.name && other?.isGuarded === exit?.isGuarded,
  )
  const fix: Fix | undefined = exit && isLeft ? { at: exit.at, remove: true } : undefined
  return found('G006', at, `Leads to itself. To stay is to choose an action, not an exit: remove it.`, fix)
}

/** Tells whether a migration's target exists: a state of this graph, or `id@version/state` in a referenced graph. */
function isPlace(subject: Subject, place: string): boolean {
  return hasState(subject, place) || subject.places.has(place)
}

function namesOf({ states }: GraphDocument): readonly string[] {
  return states.map(({ name }) => name)
}

function hasState({ document }: Subject, name: string): boolean {
  return document.states.some((state) => state.name === name)
}
