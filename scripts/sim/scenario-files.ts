import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readYaml } from '../../sims/read-yaml.ts'

/** A scenario's file, and the id it gives itself: null while it can't be read. */
export interface ScenarioFile {
  readonly file: string
  readonly id: string | null
}

/** Every `<name>/scenario.yaml` of a folder, by name. */
export async function scenarioFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name, 'scenario.yaml'))
  const there = await Promise.all(files.map(async (file) => (await stat(file).catch(() => null))?.isFile() === true))
  return files.filter((_, place) => there[place]).toSorted()
}

/** The same with their ids, whatever else is wrong with them. */
export async function scenarioIds(folder: string): Promise<readonly ScenarioFile[]> {
  const files = await scenarioFiles(folder)
  return Promise.all(files.map(async (file) => ({ file, id: idIn(await readFile(file, 'utf8'), file) })))
}

function idIn(text: string, file: string): string | null {
  const source = readYaml(text, file)
  if (!source.ok || typeof source.value !== 'object' || source.value === null) return null
  return 'id' in source.value && typeof source.value.id === 'string' ? source.value.id : null
}
