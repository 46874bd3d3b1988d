import type { StateDocument } from '../worker/core/graph/document/document.ts'
import { name } from './graph-names.ts'
import { inWords } from './in-words.ts'
import { isRecord } from './plain-data.ts'
import type { Problem } from './problem.ts'
import { shapeProblems } from './shape-problems.ts'
import { stateSchema } from './state-schema.ts'

export interface ReadStates {
  readonly found: readonly StateDocument[]
  readonly problems: readonly Problem[]
}

/** States by name, or a list of states with names (B0-4). */
export function readStates(states: unknown): ReadStates {
  if (Array.isArray(states)) return readEntries(states.map(fromItem))
  if (isRecord(states)) return readEntries(Object.entries(states).map(fromPair))
  return { found: [], problems: [{ path: ['states'], message: 'is neither states by name nor a list of states' }] }
}

interface Entry {
  readonly name: unknown
  readonly state: unknown
  readonly path: Problem['path']
  readonly namePath: Problem['path']
}

function fromItem(item: unknown, index: number): Entry {
  const path = ['states', index]
  if (!isRecord(item)) return { name: undefined, state: item, path, namePath: path }
  const { name: given, ...state } = item
  return { name: given, state, path, namePath: [...path, 'name'] }
}

function fromPair([key, state]: [string, unknown]): Entry {
  const path = ['states', key]
  return { name: key, state, path, namePath: path }
}

function readEntries(entries: readonly Entry[]): ReadStates {
  const found: StateDocument[] = []
  const problems: Problem[] = []
  for (const entry of entries) {
    const named = name().safeParse(entry.name, { error: inWords })
    const state = stateSchema.safeParse(entry.state, { error: inWords })
    if (!named.success) problems.push(...under(entry.namePath, shapeProblems(named.error)))
    if (!state.success) problems.push(...under(entry.path, shapeProblems(state.error)))
    if (named.success && found.some((other) => other.name === named.data)) {
      problems.push({ path: entry.namePath, message: `there is another state "${named.data}"` })
    }
    if (named.success && state.success) found.push({ name: named.data, ...state.data })
  }
  return { found, problems }
}

function under(path: Problem['path'], problems: readonly Problem[]): readonly Problem[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }))
}

/** Where a state stands in the data, which has it by name or in a list. */
export function pathOfState(value: unknown, state: string): Problem['path'] {
  const states = isRecord(value) ? value['states'] : undefined
  if (!Array.isArray(states)) return ['states', state]
  const index = states.findIndex((item: unknown) => isRecord(item) && item['name'] === state)
  return index < 0 ? ['states'] : ['states', index]
}
