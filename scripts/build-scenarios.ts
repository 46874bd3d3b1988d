import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type FileFinding, linesWithAdvice, inFile, ofWholeFile } from '../sims/authoring/finding.ts'
import { readBackbones } from '../sims/authoring/read-backbone.ts'
import { type GraphReading, readGraph } from '../sims/authoring/read-graph.ts'
import { readAssistant } from '../sims/authoring/assistant-schema.ts'
import { readScenario } from '../sims/authoring/read-scenario.ts'
import { readYaml } from '../sims/authoring/read-yaml.ts'
import { simulationCard } from '../sims/authoring/simulation-card.ts'
import { BODIES_PATH } from '../worker/chain/scenarios/built-body.ts'
import { bodyOf, type StoredScenario } from '../worker/chain/scenarios/stored-scenario.ts'
import type { GraphDocument } from '../worker/core/graph/document/document.ts'
import type { GraphLibrary } from '../worker/core/graph/graph-for.ts'
import { canonical } from '../worker/core/graph/hash.ts'
import { link } from '../worker/core/graph/document/link.ts'
import { verifyGraph } from '../worker/core/graph/proof/verify.ts'
import type { Scenario, Tier } from '../worker/core/scenario/scenario.ts'
import { writeBuilt } from './write-built.ts'

export type ScenarioBuild =
  | { readonly ok: true; readonly scenarios: readonly Scenario[]; readonly written: boolean }
  | { readonly ok: false; readonly findings: readonly FileFinding[] }

/**
 * Turns every `sims/<name>/scenario.yaml`, `sims/graphs/<id>@<version>.yaml` and `sims/backbones/<id>.yaml` under
 * `root` into files, so that the Worker needs no YAML parser:
 *
 * - the module `out`, which has every scenario whole, for programs in Node
 * - the module `catalogue.ts` beside it, which has what the Worker's lists need
 * - `public/worker-only/<hash>.json` beside it: for each scenario the file that the Worker reads when it needs the
 *   scenario ([publish-10])
 *
 * Writes a module only when its content has changed, so that file watchers don't start another build. If a source file
 * has findings, returns all findings and writes nothing.
 *
 * @throws Error when a file cannot be read or written
 */
export async function buildScenarios({ root, out }: { root: string; out: string }): Promise<ScenarioBuild> {
  const graphs = await readGraphFiles(root)
  // A scenario is checked together with the graphs that its colleagues walk, so the graphs must have no errors.
  const backbones = await readBackbones(join(root, 'sims/backbones'), 'sims/backbones')
  const unread = [...graphs.findings, ...backbones.findings]
  if (unread.length > 0) return { ok: false, findings: unread }
  const library = { backbones: backbones.backbones, documents: graphs.documents }

  const files = await authoredFiles(root, 'scenario.yaml')
  const readings = await Promise.all(
    files.map(async (file) => readScenario(await readFile(join(root, file), 'utf8'), file, library)),
  )
  const assistants = await readAssistants(root, library)
  const simulations = readings.flatMap((reading) => (reading.ok ? [reading.scenario] : []))
  const findings = [
    ...readings.flatMap((reading) => (reading.ok ? [] : reading.findings)),
    ...twins(simulations, files),
    ...assistants.findings,
  ]
  if (findings.length > 0) return { ok: false, findings }

  const ordered = [
    ...simulations.toSorted((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier)),
    ...assistants.scenarios,
  ]
  const bodies = ordered.map((scenario) => hashed(bodyOf({ scenario, library })))
  // The bodies are there before a module names them.
  await writeBodies(join(dirname(out), 'public', BODIES_PATH), bodies)
  const written = await writeIfChanged(
    out,
    moduleOf(ordered, library, (file) => importPath(root, out, file)),
  )
  await writeIfChanged(join(dirname(out), 'catalogue.ts'), catalogueOf(bodies))
  return { ok: true, scenarios: ordered, written }
}

/**
 * The order of the scenarios by tier. Within a tier the scenarios are sorted by folder name. A page that names no
 * scenario gets the first scenario of this order.
 */
const TIERS: readonly Tier[] = ['TECHNICAL', 'ACADEMIC', 'EXPERT']

/** Reads every `sims/<name>/assistant.yaml`. */
async function readAssistants(
  root: string,
  library: GraphLibrary,
): Promise<{ readonly scenarios: readonly Scenario[]; readonly findings: readonly FileFinding[] }> {
  const files = await authoredFiles(root, 'assistant.yaml')
  const read = await Promise.all(
    files.map(async (file) => {
      const source = readYaml(await readFile(join(root, file), 'utf8'), file)
      if (!source.ok) return source
      const assistant = readAssistant(source.value, library)
      return assistant.ok
        ? assistant
        : { ok: false as const, findings: inFile(assistant.findings, file, source.positionOf) }
    }),
  )
  return {
    scenarios: read.flatMap((each) => (each.ok ? [each.scenario] : [])),
    findings: read.flatMap((each) => (each.ok ? [] : each.findings)),
  }
}

async function authoredFiles(root: string, name: string): Promise<readonly string[]> {
  const folders = await readdir(join(root, 'sims'), { withFileTypes: true })
  const names = folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const known = await Promise.all(
    names.map(async (folder) => [folder, await readdir(join(root, 'sims', folder))] as const),
  )
  return known
    .filter(([, entries]) => entries.includes(name))
    .map(([folder]) => `sims/${folder}/${name}`)
    .toSorted()
}

function twins(scenarios: readonly Scenario[], files: readonly string[]): readonly FileFinding[] {
  if (scenarios.length !== files.length) return []
  return scenarios.flatMap(({ id }, index) =>
    scenarios.findIndex((other) => other.id === id) < index
      ? [ofWholeFile(files[index] ?? '', `there is another scenario "${id}"`)]
      : [],
  )
}

function moduleOf(scenarios: readonly Scenario[], library: GraphLibrary, pathTo: (file: string) => string): string {
  // The keys are sorted, as in the bodies, so that a program in Node finds everything in the same order as the Worker.
  // As a text, because a literal of this size takes longer to compile than to parse.
  const parsed = (value: unknown) => `JSON.parse(${JSON.stringify(canonical(value))})`
  return [
    '// Written by scripts/build-scenarios.ts from sims/*/scenario.yaml, sims/graphs and sims/backbones. Change those.',
    `import type { GraphLibrary } from '${pathTo('worker/core/graph/graph-for.ts')}'`,
    `import type { Scenario } from '${pathTo('worker/core/scenario/scenario.ts')}'`,
    '',
    `export const scenarios: readonly Scenario[] = ${parsed(scenarios)}`,
    '',
    `export const graphLibrary: GraphLibrary = ${parsed(library)}`,
    '',
  ].join('\n')
}

interface HashedBody {
  readonly hash: string
  readonly body: string
}

function hashed(body: string): HashedBody {
  return { hash: createHash('sha256').update(body).digest('hex'), body }
}

function catalogueOf(bodies: readonly HashedBody[]): string {
  const entries = bodies.map(({ hash, body }) => {
    const { scenario } = JSON.parse(body) as StoredScenario
    const { id, version, title, npcs } = scenario
    return { id, version, title, hash, npcs: npcs.map((npc) => npc.id) }
  })
  return [
    '// Written by scripts/build-scenarios.ts from sims/*/scenario.yaml, sims/graphs and sims/backbones. Change those.',
    '/** A scenario of this build. The file `public/worker-only/<hash>.json` has it whole, with the graphs it walks. */',
    'export interface BuiltScenario {',
    '  readonly id: string',
    '  readonly version: number',
    '  readonly title: string',
    '  readonly hash: string',
    '  readonly npcs: readonly string[]',
    '}',
    '',
    `export const builtScenarios: readonly BuiltScenario[] = ${JSON.stringify(entries, null, 2)}`,
    '',
  ].join('\n')
}

/** Writes the bodies of this build into the folder, and removes those of earlier builds. */
async function writeBodies(folder: string, bodies: readonly HashedBody[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { hash, body } of bodies) await writeBuilt(join(folder, `${hash}.json`), body)
  const known = new Set(bodies.map(({ hash }) => `${hash}.json`))
  for (const name of await readdir(folder)) if (!known.has(name)) await rm(join(folder, name))
}

function importPath(root: string, out: string, file: string): string {
  const path = relative(dirname(out), join(root, file)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

async function writeIfChanged(file: string, content: string): Promise<boolean> {
  const before = await readFile(file, 'utf8').catch(() => null)
  if (before === content) return false
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
  return true
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = resolve(import.meta.dirname, '..')
  const built = await buildScenarios({ root, out: join(root, 'build/scenarios.ts') })
  if (!built.ok) {
    console.error(`${built.findings.flatMap(linesWithAdvice).join('\n')}\n\nNo scenario was built.`)
    process.exitCode = 1
  }
}

export interface GraphFiles {
  readonly documents: readonly GraphDocument[]
  readonly findings: readonly FileFinding[]
}

/**
 * Reads every `sims/graphs/<id>@<version>.yaml` under `root`, links each graph with the others and verifies each graph.
 * Returns only errors, because a lint's warning doesn't stop the build.
 *
 * @throws Error if a file can't be read
 */
export async function readGraphFiles(root: string): Promise<GraphFiles> {
  const files = await graphFiles(root)
  const readings = await Promise.all(
    files.map(async (file) => ({ file, reading: readGraph(await readFile(join(root, file), 'utf8'), file) })),
  )
  const documents = readings.flatMap(({ reading }) => (reading.ok ? [reading.document] : []))
  // If one file can't be read, no graph is linked, because every graph that refers to the unread one would get a
  // finding.
  const isWhole = documents.length === files.length
  const findings = readings.flatMap(({ file, reading }) => {
    if (!reading.ok) return reading.findings
    return [...misnamed(reading.document, file), ...(isWhole ? errorsIn(reading, file, documents) : [])]
  })
  return { documents, findings }
}

async function graphFiles(root: string): Promise<readonly string[]> {
  const folder = join(root, 'sims', 'graphs')
  if (!existsSync(folder)) return []
  const names = await readdir(folder)
  return names
    .filter((name) => /\.ya?ml$|\.json$/.test(name))
    .map((name) => `sims/graphs/${name}`)
    .toSorted()
}

/** Returns a finding if a file's name is not its graph's id and version. So no two files contain the same graph. */
function misnamed({ id, version }: GraphDocument, file: string): readonly FileFinding[] {
  const expected = `sims/graphs/${id}@${version}.yaml`
  return file === expected ? [] : [ofWholeFile(file, `has to be called ${expected}`)]
}

function errorsIn(
  { document, positionOf }: Extract<GraphReading, { ok: true }>,
  file: string,
  library: readonly GraphDocument[],
): readonly FileFinding[] {
  const linked = link(document, { library, scenario: null, npc: null })
  const findings = linked.ok ? [...linked.findings, ...verifyGraph(linked.graph).findings] : linked.findings
  const errors = findings.filter(({ severity }) => severity === 'error')
  return inFile(errors, file, positionOf)
}

/**
 * Writes one JSON file for the game's library. For each simulation, the file has a *card*: what the library shows of
 * the simulation.
 */
export async function buildCards(scenarios: readonly Scenario[], out: string): Promise<void> {
  const cards = scenarios.map(simulationCard).filter((card) => card !== null)
  await writeBuilt(out, JSON.stringify(cards))
}
