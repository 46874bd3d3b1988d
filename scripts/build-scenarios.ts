import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Finding } from '../sims/problem.ts'
import { formatFinding } from '../sims/problem.ts'
import { readScenario } from '../sims/read-scenario.ts'
import type { Scenario } from '../worker/core/scenario/scenario.ts'

export type ScenarioBuild =
  | { readonly ok: true; readonly count: number; readonly written: boolean }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Turns every `sims/<name>/scenario.yaml` under `root` into one module at `out`, so that the Worker carries data and
 * no YAML parser. The file is written only when its content changed, so that whatever watches it can rest. When a
 * scenario has findings, nothing is written and all of them come back.
 *
 * @throws when a file can not be read or written.
 */
export async function buildScenarios({ root, out }: { root: string; out: string }): Promise<ScenarioBuild> {
  const files = await scenarioFiles(root)
  const readings = await Promise.all(
    files.map(async (file) => readScenario(await readFile(join(root, file), 'utf8'), file)),
  )
  const scenarios = readings.flatMap((reading) => (reading.ok ? [reading.scenario] : []))
  const findings = [...readings.flatMap((reading) => (reading.ok ? [] : reading.findings)), ...twins(scenarios, files)]
  if (findings.length > 0) return { ok: false, findings }

  const written = await writeIfChanged(out, moduleOf(scenarios, importPath(root, out)))
  return { ok: true, count: scenarios.length, written }
}

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

function moduleOf(scenarios: readonly Scenario[], scenarioTypes: string): string {
  return [
    '// Written by scripts/build-scenarios.ts from sims/*/scenario.yaml. Change those.',
    `import type { Scenario } from '${scenarioTypes}'`,
    '',
    `export const scenarios: readonly Scenario[] = ${JSON.stringify(scenarios, null, 2)}`,
    '',
  ].join('\n')
}

function importPath(root: string, out: string): string {
  const path = relative(dirname(out), join(root, 'worker/core/scenario/scenario.ts')).replaceAll('\\', '/')
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
