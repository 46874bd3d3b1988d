import { rename, writeFile } from 'node:fs/promises'
import { parseDocument } from 'yaml'
import { readYaml } from '../../sims/read-yaml.ts'
import { applyFixes } from '../../worker/core/graph/apply-fixes.ts'
import { lintDocument } from '../../worker/core/graph/lint-document.ts'
import { changesBetween } from './changes.ts'
import type { GraphSource } from './open-source.ts'

/**
 * Makes every change that is safe to make unasked, in the file itself. In YAML only what a change is about is touched:
 * comments and the order of everything stay. Returns the codes that were fixed; nothing is written when there are none.
 *
 * @throws when the file cannot be written; it is whole then, as it was.
 */
export async function fixFile({ file, text, document, library }: GraphSource): Promise<readonly string[]> {
  const findings = lintDocument(document, { library, npc: null }).filter(({ fix }) => fix !== undefined)
  const source = readYaml(text, file)
  if (!source.ok || findings.length === 0) return []
  const fixed = applyFixes(source.value, findings)
  const written = file.endsWith('.json') ? `${JSON.stringify(fixed, null, 2)}\n` : inYaml(text, source.value, fixed)
  if (written === null || written === text) return []
  await replace(file, written)
  return findings.map(({ code }) => code)
}

/** Null where the text cannot take the change, as behind an alias. */
function inYaml(text: string, before: unknown, after: unknown): string | null {
  const yaml = parseDocument(text)
  for (const change of changesBetween(before, after)) {
    try {
      if ('value' in change) yaml.setIn(change.path, change.value)
      else yaml.deleteIn(change.path)
    } catch {
      return null
    }
  }
  const written = yaml.toString({ lineWidth: 0 })
  const again = readYaml(written, '')
  return again.ok && JSON.stringify(again.value) === JSON.stringify(after) ? written : null
}

/** Beside it first, so that a file is never half of itself. */
async function replace(file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}.tmp`
  await writeFile(beside, text)
  await rename(beside, file)
}
