import { readFile, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Backbone } from '../../worker/core/graph/backbones/backbone.ts'
import { type FileFinding, inFile } from './finding.ts'
import { parseBackbone } from './parse-backbone.ts'
import { readYaml } from './read-yaml.ts'

export type BackboneReading =
  | { readonly ok: true; readonly backbone: Backbone; readonly findings: readonly [] }
  | { readonly ok: false; readonly findings: readonly FileFinding[] }

/**
 * Reads a backbone from YAML. Returns all findings of the parser, the schema and the checks across keys at once, in the
 * order of the file.
 *
 * @param text the file's content
 * @param file the file's name, for the findings
 */
export function readBackbone(content: string, file: string): BackboneReading {
  const source = readYaml(content, file)
  if (!source.ok) return source
  const parsed = parseBackbone(source.value)
  if (!parsed.ok) return { ok: false, findings: inFile(parsed.findings, file, source.positionOf) }
  return { ok: true, backbone: parsed.backbone, findings: [] }
}

const SHIPPED = resolve(import.meta.dirname, '../backbones')

export interface BackboneFiles {
  readonly backbones: readonly Backbone[]
  readonly findings: readonly FileFinding[]
}

/**
 * Reads every `*.yaml` in a folder. If there is no such folder, reads the backbones that come with Walkon.
 *
 * @param name how findings call the folder
 */
export async function readBackbones(folder: string, name = folder): Promise<BackboneFiles> {
  const names = await readdir(folder).catch(() => null)
  if (names === null) return folder === SHIPPED ? { backbones: [], findings: [] } : readBackbones(SHIPPED, name)
  const files = names.filter((file) => /\.ya?ml$/.test(file)).toSorted()
  const read = await Promise.all(
    files.map(async (file) => readBackbone(await readFile(join(folder, file), 'utf8'), `${name}/${file}`)),
  )
  return {
    backbones: read.flatMap((reading) => (reading.ok ? [reading.backbone] : [])),
    findings: read.flatMap(({ findings }) => findings),
  }
}
