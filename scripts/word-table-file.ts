import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readWordTable, type WordTable } from '../worker/actor/rehearsal/word-table.ts'

const FILE = path.resolve(import.meta.dirname, '../sims/words/english.bin')
let loading: Promise<WordTable> | null = null

/** Reads the table of words from the repository, once. */
export function wordTable(): Promise<WordTable> {
  loading ??= readTable()
  return loading
}

/** Reads the table of words from the repository. */
export async function readTable(): Promise<WordTable> {
  const { buffer, byteOffset, byteLength } = await readFile(FILE)
  return readWordTable(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)
}
