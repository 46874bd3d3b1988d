import { readFile, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, normalize, resolve } from 'node:path'
import type { GraphDocument } from '../../worker/core/graph/document/document.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { readAssistant } from './assistant-schema.ts'
import { type FileFinding, inFile, ofWholeFile, type Position } from './finding.ts'
import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import { readBackbones } from './read-backbone.ts'
import { type GraphReading, readGraph } from './read-graph.ts'
import { readScenario, type ScenarioReading } from './read-scenario.ts'
import { readYaml } from './read-yaml.ts'
import { partAt } from './plain-data.ts'

/**
 * A file after reading: a context graph with the other graphs of its folder, or a scenario with the graphs that its
 * colleagues may walk.
 */
export type AuthoredFile =
  | GraphFile
  | ScenarioFile
  | { readonly kind: 'unreadable'; readonly findings: readonly FileFinding[] }

export interface GraphFile {
  readonly kind: 'graph'
  readonly file: string
  readonly text: string
  readonly document: GraphDocument
  readonly library: readonly GraphDocument[]
  /** Files in the folders of `library` that look like graphs but can't be read. */
  readonly unread: readonly string[]
  readonly positionOf: (pointer: string) => Position
}

export interface ScenarioFile {
  readonly kind: 'scenario'
  readonly file: string
  readonly scenario: Scenario
  readonly library: GraphLibrary
  readonly unread: readonly string[]
  readonly positionOf: (pointer: string) => Position
}

/**
 * Opens a graph or a scenario. A file that contains `npcs` is a scenario, and one that contains `agents` an assistant,
 * which counts as a scenario too. The library holds the graphs that the file
 * may refer to. For a graph these are the graphs in its folder. For a scenario these are the graphs in its folder and
 * in `../graphs`, and the backbones in `../backbones`. If there is no such folder, these are the backbones that come
 * with Walkon. A scenario whose backbones have findings can't be read.
 */
export async function openFile(file: string): Promise<AuthoredFile> {
  const text = await textOf(file)
  if (text === null) return { kind: 'unreadable', findings: [ofWholeFile(file, 'there is no such file')] }
  const source = readYaml(text, file)
  if (!source.ok) return { kind: 'unreadable', findings: source.findings }

  if (holds(source.value, 'npcs') || holds(source.value, 'agents')) {
    const found = await libraryBeside(file)
    if (!found.ok) return { kind: 'unreadable', findings: found.findings }
    const { library, unread } = found
    const read = holds(source.value, 'agents')
      ? readAssistantFile(source.value, file, library, source.positionOf)
      : readScenario(text, file, library, source)
    if (!read.ok) return { kind: 'unreadable', findings: read.findings }
    const { positionOf } = source
    return { kind: 'scenario', file, scenario: read.scenario, library, unread, positionOf }
  }
  const { documents, unread } = await neighbours([dirname(file)], file)
  const read = readGraph(text, file, source)
  if (!read.ok) return { kind: 'unreadable', findings: read.findings }
  const { document, positionOf } = read
  return { kind: 'graph', file, text, document, library: [document, ...documents], unread, positionOf }
}

/** The graphs that a scenario's colleagues may walk, or the findings of the backbones that can't be read. */
type LibraryReading =
  | { readonly ok: true; readonly library: GraphLibrary; readonly unread: readonly string[] }
  | { readonly ok: false; readonly findings: readonly FileFinding[] }

/** Returns the library of a scenario's file, even if the file itself has findings. */
export async function libraryOf(file: string): Promise<LibraryReading> {
  if ((await textOf(file)) === null) return { ok: false, findings: [ofWholeFile(file, 'there is no such file')] }
  return libraryBeside(file)
}

async function libraryBeside(file: string): Promise<LibraryReading> {
  const { backbones, findings } = await readBackbones(join(dirname(file), '..', 'backbones'))
  if (findings.length > 0) return { ok: false, findings }
  const { documents, unread } = await neighbours([dirname(file), join(dirname(file), '..', 'graphs')], file)
  return { ok: true, library: { documents, backbones }, unread }
}

function readAssistantFile(
  data: unknown,
  file: string,
  library: GraphLibrary,
  positionOf: (pointer: string) => Position,
): ScenarioReading {
  const read = readAssistant(data, library)
  return read.ok ? read : { ok: false, findings: inFile(read.findings, file, positionOf) }
}

async function textOf(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null)
  return found?.isFile() ? await readFile(file, 'utf8') : null
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

/** Reads a file of the opened file's library. Returns null for a file that is not a graph. */
async function readNeighbour(file: string): Promise<GraphReading | null> {
  const text = await textOf(file)
  if (text === null) return null
  const source = readYaml(text, file)
  return source.ok && holds(source.value, 'states') ? readGraph(text, file, source) : null
}

function holds(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}

/** A scenario's file and its id. The id is null if the file contains no readable id. */
export interface ScenarioId {
  readonly file: string
  readonly id: string | null
}

/** Returns the path of every `<name>/scenario.yaml` in a folder, sorted. */
export async function scenarioFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name, 'scenario.yaml'))
  const there = await Promise.all(files.map(isFile))
  return files.filter((_, place) => there[place]).toSorted()
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true
}

/** Returns the scenario files with their ids, even if the files have errors. */
export async function scenarioIds(folder: string): Promise<readonly ScenarioId[]> {
  const files = await scenarioFiles(folder)
  return Promise.all(files.map(async (file) => ({ file, id: idIn(await readFile(file, 'utf8'), file) })))
}

/**
 * Returns the file that an author means: a path as it is, the scenario or the assistant with this id, or the context graph with this id
 * and version (`week-three@1`). A name with a dot or a slash is a path.
 *
 * @param folder the folder of the scenarios
 */
export async function fileNamed(name: string, folder: string): Promise<string> {
  if (/[./\\]/.test(name)) return normalize(name)
  if (name.includes('@')) return join(folder, 'graphs', `${name}.yaml`)
  const known = (await scenarioIds(folder)).find(({ id }) => id === name)?.file
  const assistant = join(folder, name, 'assistant.yaml')
  return known ?? ((await isFile(assistant)) ? assistant : join(folder, name, 'scenario.yaml'))
}

function idIn(text: string, file: string): string | null {
  // The line with the id is enough, unless the id is elsewhere. To read a whole scenario takes a tenth of a second.
  const line = /^id:.*/m.exec(text)?.[0] ?? ''
  for (const part of [line, text]) {
    const source = readYaml(part, file)
    const id = source.ok ? partAt(source.value, ['id']) : null
    if (typeof id === 'string') return id
  }
  return null
}
