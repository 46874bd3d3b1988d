import type { ConversationMetadata } from '../../core/assistant/conversation-state.ts'
import type { PageContext } from '../../core/assistant/page-context.ts'
import { laterRows, laterWrite } from '../../later-table.ts'
import { LATER_TABLES } from '../migrations.ts'
import type { SessionInfo } from '../session-info.ts'
import { newAssistantRecord } from './assistant-record.ts'
import { readRecord } from './record-schema.ts'
import type { AssistantRecord, ToldRecord, ToldTurns } from './assistant-record.ts'

/** Changes to what a person has written about a conversation. What is absent or undefined stays. */
export type Described = { readonly [K in keyof ConversationMetadata]?: ConversationMetadata[K] | undefined }

/** The most page contexts that a session keeps: one for each of a few tabs. */
const MOST_PAGES = 4
/** The latest turns of which it is kept what was sent: more than a session takes, unless its operator allows more. */
const MOST_TOLD = 1_000
/** The latest steps of one turn that are kept, because a row has to stay below 2 MB. */
const MOST_STEPS = 16
/** The turns that are returned if no turn is named. */
const LATEST = 20

/** Reads and writes what a session of an assistant stores. A session of any other scenario has no rows here. */
export class AssistantStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Returns the record; null before the first one is stored, and if it cannot be read. */
  read(): AssistantRecord | null {
    const [row] = laterRows<{ body: string }>(this.#sql, 'SELECT body FROM assistant')
    return row ? readRecord(row.body) : null
  }

  /** Stores the record after a turn. What a person has written about the conversation since stays. */
  write(record: AssistantRecord): void {
    const described = this.read()?.state.metadata
    this.#put(described ? withMetadata(record, { ...described, updated_at: record.state.metadata.updated_at }) : record)
  }

  /** Changes what a person has written about the conversation, and returns all of it. Nothing else changes. */
  describe(info: SessionInfo, given: Described, at: number): ConversationMetadata {
    const record = this.read() ?? newAssistantRecord(info)
    if (Object.keys(given).length === 0) return record.state.metadata
    const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const metadata = { ...record.state.metadata, ...changed, updated_at: at }
    this.#put(withMetadata(record, metadata))
    return metadata
  }

  #put(record: AssistantRecord): void {
    const sql = 'INSERT OR REPLACE INTO assistant (id, body) VALUES (1, ?)'
    laterWrite(this.#sql, LATER_TABLES.assistant, sql, JSON.stringify(record))
  }

  /**
   * Stores what a page says about itself, by the hash that the page's messages name. Keeps the latest few, and the one
   * that the last turn names (`inUse`), because that turn may still run.
   */
  putPage(hash: string, page: PageContext, at: number, inUse: string | null = null): void {
    const sql = 'INSERT OR REPLACE INTO pages (hash, at, body) VALUES (?, ?, ?)'
    laterWrite(this.#sql, LATER_TABLES.pages, sql, hash, at, JSON.stringify(page))
    this.#sql.exec(
      'DELETE FROM pages WHERE hash IS NOT ? AND hash NOT IN (SELECT hash FROM pages ORDER BY at DESC, rowid DESC LIMIT ?)',
      inUse,
      MOST_PAGES,
    )
  }

  page(hash: string): PageContext | null {
    const [row] = laterRows<{ body: string }>(this.#sql, 'SELECT body FROM pages WHERE hash = ?', hash)
    return row ? (JSON.parse(row.body) as PageContext) : null
  }

  /** Stores what is sent in one step of a turn, behind the steps before it. */
  addTold(told: ToldRecord): void {
    const steps = [...this.#toldIn(told.turn, told.turn), told].slice(-MOST_STEPS)
    const sql = 'INSERT OR REPLACE INTO told (turn, body) VALUES (?, ?)'
    laterWrite(this.#sql, LATER_TABLES.told, sql, told.turn, JSON.stringify(steps))
    this.#sql.exec('DELETE FROM told WHERE turn <= ?', told.turn - MOST_TOLD)
  }

  /** Returns what was sent in one turn, or in the latest few if `turn` is null. */
  told(turn: number | null): ToldTurns {
    const turns = laterRows<{ turn: number }>(this.#sql, 'SELECT turn FROM told ORDER BY turn').map((row) => row.turn)
    const [from, to] = turn === null ? [turns.at(-LATEST) ?? turns[0] ?? 0, turns.at(-1) ?? 0] : [turn, turn]
    return { turns, told: this.#toldIn(from, to) }
  }

  #toldIn(from: number, to: number): readonly ToldRecord[] {
    const sql = 'SELECT body FROM told WHERE turn BETWEEN ? AND ? ORDER BY turn'
    return laterRows<{ body: string }>(this.#sql, sql, from, to).flatMap(({ body }) =>
      readTold(JSON.parse(body) as readonly ToldRecord[] | OldTold),
    )
  }
}

/** What was stored at first: one object for each turn, without the fields that came later. */
type OldTold = Omit<ToldRecord, 'attempt' | 'step' | 'at' | 'trace'>

function readTold(stored: readonly ToldRecord[] | OldTold): readonly ToldRecord[] {
  return 'turn' in stored ? [{ attempt: 1, step: 'reply', at: 0, trace: [], ...stored }] : stored
}

function withMetadata(record: AssistantRecord, metadata: ConversationMetadata): AssistantRecord {
  return { ...record, state: { ...record.state, metadata } }
}
