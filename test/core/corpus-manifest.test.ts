import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { corpusFile } from '../support/corpus/case.ts'

interface Listed {
  /** The path from `test/fixtures`. */
  readonly file: string
  readonly least: number
  /** The test that plays the file. If another module reads the file, `through` is that module. */
  readonly runner: string
  readonly through?: string
}

const { files } = corpusFile('manifest') as { readonly files: readonly Listed[] }

describe('what the corpus consists of', () => {
  it.each(files)('[corpus-6] $file has $least or more, and $runner plays it', ({ file, least, runner, through }) => {
    expect(countIn(file)).toBeGreaterThanOrEqual(least)
    const name = path.basename(file).replace(/\.\w+$/, '')
    expect(textOf(through ?? runner)).toContain(name)
    if (through) expect(isImportedFrom(runner, through)).toBe(true)
  })

  it('[corpus-6] 23 damaged reports, 40 streams with a separator and every pattern of a way are among it', () => {
    const least = (file: string) => files.find((listed) => listed.file === file)?.least ?? 0
    expect(least('reports.json')).toBeGreaterThanOrEqual(23)
    expect(least('replies.json')).toBeGreaterThanOrEqual(40)
    const { cases } = JSON.parse(textOf('test/fixtures/quantum.json')) as { cases: readonly { pattern: string }[] }
    expect(new Set(cases.map(({ pattern }) => pattern)).size).toBe(least('quantum.json'))
  })
})

/** Returns whether a module imports another module, either itself or through modules under `test/` that it imports. */
function isImportedFrom(from: string, wanted: string, seen = new Set<string>()): boolean {
  if (from === wanted) return true
  if (seen.has(from) || !from.startsWith('test/')) return false
  seen.add(from)
  const imports = [...textOf(from).matchAll(/from '(\.[^']+)'/g)].map((match) => match[1] ?? '')
  return imports
    .filter((name) => name.endsWith('.ts'))
    .some((name) => isImportedFrom(path.join(path.dirname(from), name), wanted, seen))
}

/**
 * Returns how many cases a file has. If the file has lists, this is the length of the longest list. Otherwise it is the
 * number of the file's entries. A text counts as one case.
 */
function countIn(file: string): number {
  const text = textOf(`test/fixtures/${file}`)
  if (!file.endsWith('.json')) return text.trim() === '' ? 0 : 1
  const { about: _, ...data } = JSON.parse(text) as Record<string, unknown>
  if (Array.isArray(JSON.parse(text))) return Object.keys(data).length
  const lists = Object.values(data).filter((value) => Array.isArray(value))
  return lists.length > 0 ? Math.max(...lists.map(({ length }) => length)) : Object.keys(data).length
}

function textOf(file: string): string {
  return readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8')
}
