import type { GraphDocument, StateDocument } from '../worker/core/graph/document/document.ts'
import { checkPlainData, isRecord } from './plain-data.ts'
import { inWords } from './in-words.ts'
import type { Problem } from './problem.ts'
import { graphSchema } from './graph-schema.ts'
import { shapeProblems } from './shape-problems.ts'
import { pathOfState, readStates } from './read-states.ts'

export type GraphParsing =
  | { readonly ok: true; readonly document: GraphDocument }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Makes a document of plain data in the spelling of S0-9. Total: whatever comes in, a document or problems come out. */
export function parseGraph(value: unknown): GraphParsing {
  const strange = checkPlainData(value)
  if (strange.length > 0) return { ok: false, problems: strange }

  const parsed = graphSchema.safeParse(value, { error: inWords })
  const named = idOf(value)
  const states = readStates(isRecord(value) ? value['states'] : undefined)
  const shape = [...(parsed.success ? [] : shapeProblems(parsed.error)), ...named.problems, ...states.problems]
  if (!parsed.success || shape.length > 0) return { ok: false, problems: shape }

  const document = toDocument(parsed.data, named.id, states.found)
  const problems = [...checkBehaviors(document), ...checkTerminal(document, value), ...checkMigrations(document)]
  return problems.length > 0 ? { ok: false, problems } : { ok: true, document }
}

/** It goes by the name of S0-9 or by `id`; with both, they have to agree. */
function idOf(value: unknown): { id: string; problems: readonly Problem[] } {
  if (!isRecord(value)) return { id: '', problems: [] }
  const { id: short, service_hierarchical_state_machine_id: long } = value
  const id = typeof long === 'string' ? long : typeof short === 'string' ? short : ''
  if (short === undefined && long === undefined) {
    return { id, problems: [{ path: [], message: 'has no id: give service_hierarchical_state_machine_id, or id' }] }
  }
  const disagree = short !== undefined && long !== undefined && short !== long
  return {
    id,
    problems: disagree ? [{ path: ['id'], message: 'differs from service_hierarchical_state_machine_id' }] : [],
  }
}

type Written = ReturnType<typeof graphSchema.parse>

function toDocument(written: Written, id: string, states: readonly StateDocument[]): GraphDocument {
  return {
    id,
    version: written.version,
    name: written.name,
    description: written.description,
    states,
    newUserInitialState: written.new_user_initial_state,
    returningUserInitialState: written.returning_user_initial_state,
    terminalState: written.terminal_state,
    references: written.references,
    globalNavigationGuidelines: written.global_intra_state_navigation_guidelines,
    globalActionGuidelines: written.global_action_guidelines,
    globalBoundaryConstraints: written.global_boundary_constraints,
    topologyDescription: written.topology_description,
    behaviors: written.behaviors,
    content: written.content,
    limits: written.limits,
    speaksAtReturn: written.speaks_at_return,
    allowsRecursion: written.allows_recursion,
    migrations: written.migrations,
  }
}

function checkBehaviors({ behaviors }: GraphDocument): readonly Problem[] {
  return behaviors.flatMap(({ id }, index) =>
    behaviors.findIndex((other) => other.id === id) < index
      ? [{ path: ['behaviors', index, 'id'], message: `there is another behavior "${id}"` }]
      : [],
  )
}

/** How long the last state is stayed in follows from what it is: it has its say, and that is the end. */
function checkTerminal({ states, terminalState }: GraphDocument, value: unknown): readonly Problem[] {
  const terminal = states.find((state) => state.name === terminalState)
  if (terminal?.type !== 'action') return []
  const path = pathOfState(value, terminalState)
  return [
    ...(terminal.dwell ? [{ path: [...path, 'dwell'], message: 'has no place in the terminal state' }] : []),
    ...(terminal.pivot ? [{ path: [...path, 'pivot'], message: 'has no place in the terminal state' }] : []),
  ]
}

function checkMigrations({ migrations, version }: GraphDocument): readonly Problem[] {
  return migrations.flatMap(({ from }, index) => {
    const path = ['migrations', index, 'from']
    if (from >= version) return [{ path, message: `is no version before ${version}` }]
    if (migrations.findIndex((other) => other.from === from) < index) {
      return [{ path, message: `there is another migration from ${from}` }]
    }
    return []
  })
}
