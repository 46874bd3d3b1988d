import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const BUILD = /^\[build\]\n(?:(?!\[).*\n)*/m
const MAIN = /^main = ".*"$/m
const DIRECTORY = /^directory = "(.*)"$/m

/**
 * Writes a copy of a worker's configuration into a folder. The copy refers to the existing build and the existing
 * bundle. A new build at every start would overwrite files that servers of other tests are using. wrangler puts its own
 * files next to the copy. In that folder there is also no `.dev.vars` of a developer for wrangler to read.
 *
 * @param config the configuration's path from the project's root
 * @param bundle the file with the worker's code
 * @returns the path of the copy
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
