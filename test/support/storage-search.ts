import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

/** A place in a server's storage where one of the searched texts was found. */
export interface Found {
  readonly file: string
  /**
   * The table or the full-text index that contains the text. Null means that the search found the text in the bytes of
   * the file, which include unused pages.
   */
  readonly table: string | null
  readonly text: string
}

/**
 * Searches for texts in every SQLite file of a folder: in all rows of all tables, in the terms of all full-text
 * indexes, and in the bytes of the file. Before the bytes are read, the file's write-ahead log is merged into it. The
 * function searches a copy of the folder, so the server may be running.
 */
export async function searchStorage(state: string, texts: readonly string[]): Promise<readonly Found[]> {
  const find = finderOf(texts)
  for (let tries = 20; ; tries -= 1) {
    try {
      return await searchCopy(state, find)
    } catch (error) {
      // The server may be running. If it removes a log or writes a page while the copy is made, the copy may be
      // unusable.
      if (tries === 0) throw error
      await pause(50)
    }
  }
}

async function searchCopy(state: string, find: Find): Promise<readonly Found[]> {
  const copy = await mkdtemp(path.join(tmpdir(), 'walkon-search-'))
  try {
    await cp(state, copy, { recursive: true })
    const found: Found[] = []
    for (const file of (await readdir(copy, { recursive: true })).filter((each) => each.endsWith('.sqlite')))
      found.push(...(await searchFile(copy, file, find)))
    return found
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/**
 * Searches for texts in the raw bytes of every file of a folder, including write-ahead logs. The server must have
 * stopped.
 */
export async function searchBytes(folder: string, texts: readonly string[]): Promise<readonly Found[]> {
  const find = finderOf(texts)
  const found: Found[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    found.push(...find(await readFile(file, 'latin1')).map((text) => ({ file, table: null, text })))
  }
  return found
}

type Find = (text: string) => readonly string[]

/**
 * Returns the function that finds the texts in a longer text. There may be very many codes (64 hex digits), so they are
 * looked up in a set. All other texts are searched one by one.
 */
function finderOf(texts: readonly string[]): Find {
  const codes = new Set(texts.filter((text) => CODE.test(text)))
  const others = texts.filter((text) => !codes.has(text))
  return (text) => [
    ...others.filter((each) => text.includes(each)),
    ...new Set([...text.matchAll(CODES)].map(([code]) => code).filter((code) => codes.has(code))),
  ]
}

const CODE = /^[0-9a-f]{64}$/
/** Matches 64 hex digits that follow no other hex digit. More hex digits may come after them. */
const CODES = /(?<![0-9a-f])[0-9a-f]{64}/g

async function searchFile(folder: string, file: string, find: Find): Promise<readonly Found[]> {
  const where = path.join(folder, file)
  const database = new DatabaseSync(where)
  const rows = tablesOf(database).flatMap(({ table, text }) =>
    find(text).map((found) => ({ file, table, text: found })),
  )
  // Merges the write-ahead log into the file. After a power cut, a server would read the file in the same way.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  const bytes = await readFile(where, 'latin1')
  return [...rows, ...find(bytes).map((text) => ({ file, table: null, text }))]
}

/** Returns the text of all rows by table, and every term of the full-text indexes. */
function tablesOf(database: DatabaseSync): readonly { readonly table: string; readonly text: string }[] {
  const tables = namesOf(database, "type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
  const indexes = namesOf(database, "sql LIKE '%USING fts5%'")
  return [
    ...tables.map((table) => ({ table, text: textOf(allOf(database, `SELECT * FROM "${table}"`)) })),
    ...indexes.map((table) => ({ table, text: termsOf(database, table) })),
  ]
}

/**
 * Returns the rows of a query. Integers become bigints: the platform stores alarms in nanoseconds, and these are too
 * large for a JavaScript number.
 */
function allOf(database: DatabaseSync, sql: string): readonly Record<string, unknown>[] {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return statement.all()
}

function textOf(rows: readonly Record<string, unknown>[]): string {
  const texts = rows.flatMap((row) => Object.values(row).map(valueText))
  return texts.join('\n')
}

function valueText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
}

/**
 * Returns the terms of a full-text index. A search of the bytes is not enough, because the index stores a term without
 * the prefix that the term shares with the previous term.
 */
function termsOf(database: DatabaseSync, index: string): string {
  database.exec(`CREATE VIRTUAL TABLE temp."${index}_terms" USING fts5vocab('main', '${index}', 'row')`)
  return textOf(allOf(database, `SELECT term FROM temp."${index}_terms"`))
}

function namesOf(database: DatabaseSync, condition: string): readonly string[] {
  const rows = database.prepare(`SELECT name FROM sqlite_master WHERE ${condition}`).all()
  return rows.map(({ name }) => String(name))
}
