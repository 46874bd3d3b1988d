import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Finding } from '../sims/problem.ts'
import { formatFinding } from '../sims/problem.ts'
import { readScenario } from '../sims/read-scenario.ts'
import type { GraphDocument } from '../worker/core/graph/document/document.ts'
import type { Scenario, Tier } from '../worker/core/scenario/scenario.ts'
import { readGraphFiles } from './build-graphs.ts'

export type ScenarioBuild =
  | { readonly ok: true; readonly scenarios: readonly Scenario[]; readonly written: boolean }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Turns every `sims/<name>/scenario.yaml` and `sims/graphs/<id>@<version>.yaml` under `root` into one module at `out`,
 * so that the Worker carries data and no YAML parser. The file is written only when its content changed, so that
 * whatever watches it can rest. When a file has findings, nothing is written and all of them come back.
 *
 * @throws when a file can not be read or written.
 */
export async function buildScenarios({ root, out }: { root: string; out: string }): Promise<ScenarioBuild> {
  const graphs = await readGraphFiles(root)
  // A scenario is bound to its graphs, so it can be judged only when they are sound.
  if (graphs.findings.length > 0) return { ok: false, findings: graphs.findings }

  const files = await scenarioFiles(root)
  const readings = await Promise.all(
    files.map(async (file) => readScenario(await readFile(join(root, file), 'utf8'), file, graphs.documents)),
  )
  const scenarios = readings.flatMap((reading) => (reading.ok ? [reading.scenario] : []))
  const findings = [...readings.flatMap((reading) => (reading.ok ? [] : reading.findings)), ...twins(scenarios, files)]
  if (findings.length > 0) return { ok: false, findings }

  const ordered = scenarios.toSorted((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier))
  const written = await writeIfChanged(
    out,
    moduleOf(ordered, graphs.documents, (file) => importPath(root, out, file)),
  )
  return { ok: true, scenarios: ordered, written }
}

/** The order in which scenarios are offered, those of one tier by the names of their folders. The first is the default. */
const TIERS: readonly Tier[] = ['TECHNICAL', 'ACADEMIC', 'EXPERT']

async function scenarioFiles(root: string): Promise<readonly string[]> {
  const folders = await readdir(join(root, 'sims'), { withFileTypes: true })
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const known = await Promise.all(names.map(async (name) => [name, await readdir(join(root, 'sims', name))] as const))
  return known
    .filter(([, entries]) => entries.includes('scenario.yaml'))
    .map(([name]) => `sims/${name}/scenario.yaml`)
    .toSorted()
}

function twins(scenarios: readonly Scenario[], files: readonly string[]): readonly Finding[] {
  if (scenarios.length !== files.length) return []
  return scenarios.flatMap(({ id }, index) =>
    scenarios.findIndex((other) => other.id === id) < index
      ? [{ file: files[index] ?? '', line: 1, column: 1, path: ['id'], message: `there is another scenario "${id}"` }]
      : [],
  )
}

function moduleOf(
  scenarios: readonly Scenario[],
  documents: readonly GraphDocument[],
  pathTo: (file: string) => string,
): string {
  return [
    '// Written by scripts/build-scenarios.ts from sims/*/scenario.yaml and sims/graphs/*.yaml. Change those.',
    `import type { GraphDocument } from '${pathTo('worker/core/graph/document/document.ts')}'`,
    `import type { Scenario } from '${pathTo('worker/core/scenario/scenario.ts')}'`,
    '',
    `export const scenarios: readonly Scenario[] = ${JSON.stringify(scenarios, null, 2)}`,
    '',
    `export const graphDocuments: readonly GraphDocument[] = ${JSON.stringify(documents, null, 2)}`,
    '',
  ].join('\n')
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
    console.error(`${built.findings.map(formatFinding).join('\n')}\n\nNo scenario was built.`)
    process.exitCode = 1
  }
}
