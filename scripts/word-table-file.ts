import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readWordTable, type WordTable } from '../worker/actor/rehearsal/word-table.ts'

/** The file of both tables. */
export const TABLE_FILE = path.resolve(import.meta.dirname, '../sims/words/english.bin')
let loading: Promise<WordTable> | null = null

/** Reads the table of words from the repository, once. */
export function wordTable(): Promise<WordTable> {
  loading ??= readTable()
  return loading
}

/** Reads the table of words from the repository. */
export async function readTable(): Promise<WordTable> {
  const { buffer, byteOffset, byteLength } = await readFile(TABLE_FILE)
  return readWordTable(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)
}

/**
 * Encodes one table as `readWordTable` reads it: the number of words and of dimensions as 32-bit integers, the vectors,
 * and the words line by line.
 */
export function encodeTable(words: readonly string[], vectors: Int8Array): Uint8Array {
  const header = new Uint32Array([words.length, vectors.length / words.length])
  return Buffer.concat([new Uint8Array(header.buffer), new Uint8Array(vectors.buffer), Buffer.from(words.join('\n'))])
}
