import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type * as z from 'zod'
import { amountOf } from '../../sims/authoring/finding.ts'
import { compareWalks, type Comparison } from './compare-walks.ts'
import { otherGraphs } from './other-graph.ts'
import { type Recorded, recordedIn } from './recorded.ts'
import { type Stored, storedSchema } from './stored-conversation.ts'
import { pinsOf } from '../../worker/session/session-info.ts'

interface ReplayOptions {
  /** A version of the colleagues' graphs, or the file of a backbone or a scenario; by default the checkout's graphs. */
  readonly against?: string | undefined
  readonly folder?: string | undefined
}

/**
 * The backtest: walks recorded conversations through another version of their graphs, without an actor, and returns the
 * lines to print ([arena-20]).
 *
 * @param files databases of conversations (`*.sqlite`), or files with a conversation as JSON in each line; among them
 *   the database D1 of the server, which has the graphs of conversations that store only their hashes
 * @throws if a file or a line can't be read; the message names it and says what to do
 */
export async function replay(
  files: readonly string[],
  { against, folder = 'sims' }: ReplayOptions = {},
): Promise<string> {
  if (files.length === 0) throw new LogError('--replay takes the logs of conversations: *.sqlite or *.jsonl.')
  const otherFor = await otherGraphs(against, folder)
  const contents = contentsIn(files)
  const played: Replayed[] = []
  for (const file of files.filter((each) => !contents.files.includes(each))) {
    for (const { at, rows } of await rowsIn(file)) {
      const full = rows && withGraph(rows, contents)
      if (full === 'no-graph') {
        played.push({ at, name: '', result: { ok: false, why: NO_GRAPH, turns: rows ? answeredIn(rows) : 0 } })
        continue
      }
      const recorded = full && readRecord(parse(storedSchema, full, at), at)
      if (!recorded) played.push({ at, name: '', result: null })
      else played.push({ at, name: `${recorded.scenario}/${recorded.npc}`, result: await resultOf(recorded, otherFor) })
    }
  }
  return reportOf(played)
}

/** @throws if the stored graph is so broken that it can't be walked */
function readRecord(stored: Stored, at: string): Recorded | null {
  try {
    return recordedIn(stored)
  } catch (error) {
    return refuse(at, `its graph can't be walked (${reasonIn(error)})`)
  }
}

async function resultOf(recorded: Recorded, otherFor: Awaited<ReturnType<typeof otherGraphs>>): Promise<Result> {
  const { walk, turns } = recorded
  if (!walk.ok) return { ...walk, turns }
  const other = await otherFor(recorded)
  return other.ok ? { ok: true, ...compareWalks(walk, other.graph) } : { ...other, turns }
}

type Result =
  | ({ readonly ok: true } & Comparison)
  | { readonly ok: false; readonly why: string; readonly turns: number }

/**
 * A line of the report. `at` names the file and, in a JSON file, the number of the line. `result` is null if there is
 * no conversation at this place.
 */
interface Replayed {
  readonly at: string
  readonly name: string
  readonly result: Result | null
}

/** The rows of a conversation's tables, by the table's name. */
type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** Reads the conversations of a file. `rows` is null for a database that holds no conversation. */
async function rowsIn(file: string): Promise<readonly { readonly at: string; readonly rows: Rows | null }[]> {
  if (file.endsWith('.sqlite')) return [{ at: file, rows: rowsInDatabase(file) }]
  const text = await readFile(file, 'utf8').catch((error: unknown) => refuse(file, reasonIn(error)))
  return text.split('\n').flatMap((line, place) => {
    const at = `${file}:${place + 1}`
    return line.trim() === '' ? [] : [{ at, rows: jsonIn(line, at) as Rows }]
  })
}

const TABLES = ['session', 'events', 'turns', 'records', 'earlier'] as const

function rowsInDatabase(file: string): Rows | null {
  return inDatabase(file, (database, known) => {
    if (!known.includes('session')) return null
    // A table is made when it is first written.
    const rowsOf = (table: string) =>
      known.includes(table) ? database.prepare(`SELECT * FROM ${table} ORDER BY 1`).all() : []
    return Object.fromEntries(TABLES.map((table) => [table, rowsOf(table)]))
  })
}

/** Reads a database. `read` gets the database and the names of its tables. */
function inDatabase<T>(file: string, read: (database: DatabaseSync, tables: readonly unknown[]) => T): T {
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const known = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
      return read(
        database,
        known.map(({ name }) => name),
      )
    } finally {
      database.close()
    }
  } catch (error) {
    return refuse(file, reasonIn(error))
  }
}

const NO_GRAPH = "its graph is in none of the files: give the server's database D1 too (*.sqlite)"

interface KnownContents {
  /** The databases that have contents. */
  readonly files: readonly string[]
  find(hash: string): string | null
}

function contentsIn(files: readonly string[]): KnownContents {
  const isD1 = (file: string) => inDatabase(file, (_, tables) => tables.includes('scenario_bodies'))
  const found = files.filter((file) => file.endsWith('.sqlite') && isD1(file))
  const sql = 'SELECT body FROM scenario_bodies WHERE hash = ?'
  return {
    files: found,
    find: (hash) =>
      found
        .map((file) => inDatabase(file, (database) => database.prepare(sql).get(hash)?.['body']))
        .find((body) => typeof body === 'string') ?? null,
  }
}

/** Returns the rows with the graph in the session's data, whether or not the session stores it itself. */
function withGraph(rows: Rows, contents: KnownContents): Rows | 'no-graph' {
  const session = Array.isArray(rows['session']) ? rows['session'] : []
  const [row] = session as Rows[string]
  const info = row?.['info']
  const pins = typeof info === 'string' ? pinsOf(info) : null
  if (!row || pins === null) return rows
  const own = rows['scenario_bodies']?.find(({ hash }) => hash === pins.graph)?.['body']
  const graph = typeof own === 'string' ? own : contents.find(pins.graph)
  if (graph === null) return 'no-graph'
  const full = { ...(JSON.parse(String(info)) as object), graph: JSON.parse(graph) as unknown }
  return { ...rows, session: [{ ...row, info: JSON.stringify(full) }] }
}

function answeredIn({ turns = [] }: Rows): number {
  return turns.filter(({ report }) => typeof report === 'string').length
}

function jsonIn(line: string, at: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return refuse(at, 'the line is not JSON')
  }
}

function parse<T extends z.ZodType>(schema: T, value: unknown, at: string): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return refuse(at, `${issue?.path.join('/')}: ${issue?.message}`)
}

/** An error in a file of recorded conversations. The message names the file, and in a JSON file the line. */
export class LogError extends Error {}

function refuse(at: string, why: string): never {
  throw new LogError(
    `${at}  is no stored conversation: ${why}\n    Give the database of a conversation, or the rows of its tables as JSON, one conversation a line; leave this one out otherwise.`,
  )
}

function reasonIn(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Returns the report: a line for each conversation, and the number of conversations and turns that could be compared.
 */
function reportOf(played: readonly Replayed[]): string {
  const results = played.flatMap(({ result }) => result ?? [])
  const width = Math.max(0, ...played.map(({ name }) => name.length))
  const lines = played.map(({ at, name, result }) => {
    const says = result ? `${name.padEnd(width)}  ${outcomeOf(result)}` : 'holds no conversation'
    return `${at}  ${says}`
  })
  return [...lines, '', ...coverageOf(results)].join('\n')
}

function outcomeOf(result: Result): string {
  if (!result.ok) return `not evaluable: ${result.why}`
  const { outcome } = result
  switch (outcome.kind) {
    case 'same':
      return 'same'
    case 'another-way':
      return `same end by another way, first in turn ${outcome.turn}: ${outcome.recorded}; otherwise ${outcome.other}`
    case 'parts':
      return `parts at turn ${outcome.turn}, ${outcome.what}: ${outcome.recorded}; otherwise ${outcome.other}`
  }
}

function coverageOf(results: readonly Result[]): readonly string[] {
  const compared = results.filter((result) => result.ok)
  const count = (kind: Comparison['outcome']['kind']) => compared.filter(({ outcome }) => outcome.kind === kind).length
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
  const turns = sum(results.map((result) => result.turns))
  const evaluated = sum(compared.map((result) => result.evaluated))
  const reworded = sum(compared.map((result) => result.reworded))
  const share = turns === 0 ? '' : ` (${Math.round((100 * evaluated) / turns)} %)`
  return [
    `${amountOf(results.length, 'conversation')}: ${count('same')} same, ${count('another-way')} same end by another way, ${count('parts')} parts, ${results.length - compared.length} not evaluable`,
    `${evaluated} of ${turns} recorded turns evaluated${share}, ${reworded} of them in other words`,
  ]
}
