import { readFile, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type GraphReading, readGraph } from '../../sims/read-graph.ts'
import { readScenario } from '../../sims/read-scenario.ts'
import { type Position, readYaml } from '../../sims/read-yaml.ts'
import type { GraphDocument } from '../../worker/core/graph/document/document.ts'
import { keysOf } from '../../worker/core/graph/document/pointer.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { asForm, type PlacedFinding } from './report.ts'

/** A file as it was read: a context graph with the graphs around it, a scenario with those its colleagues may walk. */
export type Source =
  | GraphSource
  | ScenarioSource
  | { readonly kind: 'unreadable'; readonly findings: readonly PlacedFinding[] }

export interface GraphSource {
  readonly kind: 'graph'
  readonly file: string
  readonly text: string
  readonly document: GraphDocument
  readonly library: readonly GraphDocument[]
  /** Neighbours that look like graphs and cannot be read. */
  readonly unread: readonly string[]
  readonly placeOf: (pointer: string) => Position
}

export interface ScenarioSource {
  readonly kind: 'scenario'
  readonly file: string
  readonly scenario: Scenario
  readonly library: readonly GraphDocument[]
  readonly unread: readonly string[]
  readonly placeOf: (pointer: string) => Position
}

/**
 * Opens a graph or a scenario, told apart by what stands in it. A graph's library are the graphs in its folder; a
 * scenario's are those in its folder and in `graphs` beside it.
 */
export async function openSource(file: string): Promise<Source> {
  const text = await textOf(file)
  if (text === null) return unreadable(file, 'there is no such file')
  const source = readYaml(text, file)
  if (!source.ok) return { kind: 'unreadable', findings: source.findings.map(asForm) }

  const isScenario = holds(source.value, 'npcs')
  const folders = isScenario ? [dirname(file), join(dirname(file), '..', 'graphs')] : [dirname(file)]
  const { documents, unread } = await neighbours(folders, file)
  if (isScenario) {
    const read = readScenario(text, file, documents)
    if (!read.ok) return { kind: 'unreadable', findings: read.findings.map(asForm) }
    const placeOf = (pointer: string) =>
      source.placeOf(keysOf(pointer).map((key) => (/^\d+$/.test(key) ? Number(key) : key)))
    return { kind: 'scenario', file, scenario: read.scenario, library: documents, unread, placeOf }
  }
  const read = readGraph(text, file)
  if (!read.ok) return { kind: 'unreadable', findings: read.findings.map(asForm) }
  const { document, placeOf } = read
  return { kind: 'graph', file, text, document, library: [document, ...documents], unread, placeOf }
}

async function textOf(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null)
  return found?.isFile() ? await readFile(file, 'utf8') : null
}

function unreadable(file: string, message: string): Source {
  return { kind: 'unreadable', findings: [asForm({ file, line: 1, column: 1, path: [], message })] }
}

async function neighbours(folders: readonly string[], file: string) {
  const listed = await Promise.all(folders.map(async (folder) => filesIn(folder)))
  const files = [...new Set(listed.flat())].filter((other) => resolve(other) !== resolve(file))
  const read = await Promise.all(files.map(async (other) => ({ other, reading: await readNeighbour(other) })))
  return {
    documents: read.flatMap(({ reading }) => (reading?.ok ? [reading.document] : [])),
    unread: read.flatMap(({ other, reading }) => (reading?.ok === false ? [basename(other)] : [])),
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .map((name) => join(folder, name))
    .toSorted()
}

/** Null for a file that is no graph at all. */
async function readNeighbour(file: string): Promise<GraphReading | null> {
  const text = await textOf(file)
  if (text === null) return null
  const source = readYaml(text, file)
  return source.ok && holds(source.value, 'states') ? readGraph(text, file) : null
}

function holds(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}
