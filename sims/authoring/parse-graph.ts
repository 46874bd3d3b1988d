import type { GraphDocument, StateDocument } from '../../worker/core/graph/document/document.ts'
import { pointerTo, type Finding } from '../../worker/core/graph/finding.ts'
import { type DataPath, formError } from './finding.ts'
import { graphSchema } from './graph-schema.ts'
import { checkPlainData, hasKeys } from './plain-data.ts'
import { wordsForAuthors, schemaErrors } from './schema-errors.ts'
import { nameText } from './shapes.ts'
import { stateSchema } from './state-schema.ts'

export type GraphParsing =
  | { readonly ok: true; readonly document: GraphDocument }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/** Makes a document from plain data. Returns a document or findings. Never throws. */
export function parseGraph(value: unknown): GraphParsing {
  const strange = checkPlainData(value)
  if (strange.length > 0) return { ok: false, findings: strange }

  const parsed = graphSchema.safeParse(value, { error: wordsForAuthors })
  const named = idOf(value)
  const states = readStates(hasKeys(value) ? value['states'] : undefined)
  const shape = [...(parsed.success ? [] : schemaErrors(parsed.error)), ...named.findings, ...states.findings]
  if (!parsed.success || shape.length > 0) return { ok: false, findings: shape }

  const document = toDocument(parsed.data, named.id, states.states)
  const findings = [
    ...checkBehaviors(document),
    ...checkTools(document),
    ...checkTerminal(document, value),
    ...checkMigrations(document),
  ]
  return findings.length > 0 ? { ok: false, findings } : { ok: true, document }
}

/**
 * Reads the graph's id, which may have a long key or a short key. If a document contains both keys, their values must
 * be equal.
 */
function idOf(value: unknown): { id: string; findings: readonly Finding[] } {
  if (!hasKeys(value)) return { id: '', findings: [] }
  const { id: short, service_hierarchical_state_machine_id: long } = value
  const id = typeof long === 'string' ? long : typeof short === 'string' ? short : ''
  if (short === undefined && long === undefined) {
    return { id, findings: [formError([], 'has no id: give service_hierarchical_state_machine_id, or id')] }
  }
  const disagree = short !== undefined && long !== undefined && short !== long
  return {
    id,
    findings: disagree ? [formError(['id'], 'differs from service_hierarchical_state_machine_id')] : [],
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
    ...(written.tools && { tools: written.tools }),
    content: written.content,
    limits: written.limits,
    speaksAtReturn: written.speaks_at_return,
    allowsRecursion: written.allows_recursion,
    migrations: written.migrations,
  }
}

function checkBehaviors({ behaviors }: GraphDocument): readonly Finding[] {
  return behaviors.flatMap(({ id }, index) =>
    behaviors.findIndex((other) => other.id === id) < index
      ? [formError(['behaviors', index, 'id'], `there is another behavior "${id}"`)]
      : [],
  )
}

function checkTools({ tools = [] }: GraphDocument): readonly Finding[] {
  return tools.flatMap(({ name }, index) =>
    tools.findIndex((other) => other.name === name) < index
      ? [formError(['tools', index, 'name'], `there is another tool "${name}"`)]
      : [],
  )
}

/**
 * Checks that the terminal state has no `dwell` and no `pivot`. The terminal state speaks once, and then the
 * conversation ends.
 */
function checkTerminal({ states, terminalState }: GraphDocument, value: unknown): readonly Finding[] {
  const terminal = states.find((state) => state.name === terminalState)
  if (terminal?.type !== 'action') return []
  const path = pathOfState(value, terminalState)
  return [
    ...(terminal.dwell ? [formError([...path, 'dwell'], 'has no place in the terminal state')] : []),
    ...(terminal.pivot ? [formError([...path, 'pivot'], 'has no place in the terminal state')] : []),
  ]
}

function checkMigrations({ migrations, version }: GraphDocument): readonly Finding[] {
  return migrations.flatMap(({ from }, index) => {
    const path = ['migrations', index, 'from']
    if (from >= version) return [formError(path, `is no version before ${version}`)]
    if (migrations.findIndex((other) => other.from === from) < index) {
      return [formError(path, `there is another migration from ${from}`)]
    }
    return []
  })
}

interface StatesReading {
  readonly states: readonly StateDocument[]
  readonly findings: readonly Finding[]
}

function readStates(states: unknown): StatesReading {
  if (Array.isArray(states)) return readEntries(states.map(fromItem))
  if (hasKeys(states)) return readEntries(Object.entries(states).map(fromPair))
  return { states: [], findings: [formError(['states'], 'is neither states by name nor a list of states')] }
}

interface StateEntry {
  readonly name: unknown
  readonly state: unknown
  readonly path: DataPath
  readonly namePath: DataPath
}

function fromItem(item: unknown, index: number): StateEntry {
  const path = ['states', index]
  if (!hasKeys(item)) return { name: undefined, state: item, path, namePath: path }
  const { name: given, ...state } = item
  return { name: given, state, path, namePath: [...path, 'name'] }
}

function fromPair([key, state]: [string, unknown]): StateEntry {
  const path = ['states', key]
  return { name: key, state, path, namePath: path }
}

function readEntries(entries: readonly StateEntry[]): StatesReading {
  const states: StateDocument[] = []
  const findings: Finding[] = []
  for (const entry of entries) {
    const named = nameText().safeParse(entry.name, { error: wordsForAuthors })
    const state = stateSchema.safeParse(entry.state, { error: wordsForAuthors })
    if (!named.success) findings.push(...under(entry.namePath, schemaErrors(named.error)))
    if (!state.success) findings.push(...under(entry.path, schemaErrors(state.error)))
    if (named.success && states.some((other) => other.name === named.data)) {
      findings.push(formError(entry.namePath, `there is another state "${named.data}"`))
    }
    if (named.success && state.success) states.push({ name: named.data, ...state.data })
  }
  return { states, findings }
}

function under(path: DataPath, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => ({ ...finding, at: pointerTo(...path) + finding.at }))
}

/** Returns the path of a state in the data, in which `states` may be an object or a list. */
export function pathOfState(value: unknown, state: string): DataPath {
  const states = hasKeys(value) ? value['states'] : undefined
  if (!Array.isArray(states)) return ['states', state]
  const index = states.findIndex((item: unknown) => hasKeys(item) && item['name'] === state)
  return index < 0 ? ['states'] : ['states', index]
}
