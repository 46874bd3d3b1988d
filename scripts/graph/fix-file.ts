import { rename, writeFile } from 'node:fs/promises'
import { readYaml } from '../../sims/read-yaml.ts'
import { applyFixes } from '../../worker/core/graph/document/apply-fixes.ts'
import { lintDocument } from '../../worker/core/graph/document/lint-document.ts'
import { changeText } from './change-text.ts'
import { changesBetween } from './changes.ts'
import type { GraphSource } from './open-source.ts'

/**
 * Makes every change that is safe to make unasked, in the file itself. In YAML only what a change is about is touched:
 * every other line stays as it was written. Returns what was fixed, as code and place; nothing is written when there is
 * nothing.
 *
 * @throws when the file cannot be written; it is whole then, as it was.
 */
export async function fixFile({ file, text, document, library }: GraphSource): Promise<readonly string[]> {
  const findings = lintDocument(document, { library, npc: null }).filter(({ fix }) => fix !== undefined)
  const source = readYaml(text, file)
  if (!source.ok || findings.length === 0) return []
  const fixed = applyFixes(source.value, findings)
  const written = file.endsWith('.json') ? inJson(text, fixed) : inYaml(text, source.value, fixed)
  if (written === null || written === text) return []
  await replace(file, written)
  return findings.map(({ code, at }) => `${code} ${at}`)
}

/** One change after the other; null where the text cannot take one of them. */
function inYaml(text: string, before: unknown, after: unknown): string | null {
  const changes = changesBetween(before, after)
  const written = changes.reduce<string | null>((now, change) => now && changeText(now, change), text)
  const again = written === null ? null : readYaml(written, '')
  return again?.ok && JSON.stringify(again.value) === JSON.stringify(after) ? written : null
}

/** With the indentation that it has. */
function inJson(text: string, after: unknown): string {
  const indent = /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? 2
  return `${JSON.stringify(after, null, indent)}\n`
}

/** Beside it first, so that a file is never half of itself. */
async function replace(file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}.tmp`
  await writeFile(beside, text)
  await rename(beside, file)
}
