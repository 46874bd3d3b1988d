import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const BUILD = /^\[build\]\n(?:(?!\[).*\n)*/m
/** What names something beside the configuration. */
const PLACE = /^(main|directory) = "(.*)"$/gm

/**
 * Writes a copy of a worker's configuration into a folder, for the build that is there: what every start builds anew would
 * be in the way of the servers of other tests, which are handing it out. wrangler's own files go beside the copy, and no
 * settings of a developer are read.
 *
 * @param config from the project's root
 * @returns where the copy is
 */
export async function copyBuiltConfig(config: string, folder: string): Promise<string> {
  const original = path.resolve(ROOT, config)
  const text = await readFile(original, 'utf8')
  const copy = path.join(folder, 'wrangler.toml')
  const at = (file: string) => JSON.stringify(path.resolve(path.dirname(original), file))
  await writeFile(
    copy,
    text.replace(BUILD, '').replace(PLACE, (_, key: string, file: string) => `${key} = ${at(file)}`),
  )
  return copy
}
