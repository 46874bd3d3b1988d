import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const BUILD = /^\[build\]\n(?:(?!\[).*\n)*/m
const MAIN = /^main = ".*"$/m
const DIRECTORY = /^directory = "(.*)"$/m

/**
 * Writes a copy of a worker's configuration into a folder, for the build and the bundle that are there: what every start
 * builds again would be in the way of the servers of other tests, which are handing it out. wrangler's own files go beside
 * the copy, and no settings of a developer are read.
 *
 * @param config from the project's root
 * @param bundle the file with the worker's code
 * @returns where the copy is
 */
export async function copyBuiltConfig(config: string, folder: string, bundle: string): Promise<string> {
  const original = path.resolve(ROOT, config)
  const text = await readFile(original, 'utf8')
  const copy = path.join(folder, 'wrangler.toml')
  const at = (file: string) => JSON.stringify(path.resolve(path.dirname(original), file))
  await writeFile(
    copy,
    text
      .replace(BUILD, '')
      .replace(MAIN, `main = ${JSON.stringify(bundle)}\nno_bundle = true`)
      .replace(DIRECTORY, (_, file: string) => `directory = ${at(file)}`),
  )
  return copy
}
