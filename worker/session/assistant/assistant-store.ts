import type { ConversationMetadata } from '../../core/assistant/conversation-state.ts'
import type { PageContext } from '../../core/assistant/page-context.ts'
import { laterRows, laterWrite } from '../../later-table.ts'
import { LATER_TABLES } from '../migrations.ts'
import type { SessionInfo } from '../session-info.ts'
import { newAssistantRecord } from './assistant-record.ts'
import type { AssistantRecord, ToldRecord } from './assistant-record.ts'

/** Changes to what a person has written about a conversation. What is absent or undefined stays. */
export type Described = { readonly [K in keyof ConversationMetadata]?: ConversationMetadata[K] | undefined }

/** The most page contexts that a session keeps: one for each of a few tabs. */
const MOST_PAGES = 4
/** The latest turns of which it is kept what the agent was told. */
const MOST_TOLD = 20

/** Reads and writes what a session of an assistant stores. A session of any other scenario has no rows here. */
export class AssistantStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  read(): AssistantRecord | null {
    const [row] = laterRows<{ body: string }>(this.#sql, 'SELECT body FROM assistant')
    return row ? (JSON.parse(row.body) as AssistantRecord) : null
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

  /** Stores what a page says about itself, by the hash that the page's messages name. Keeps the latest few. */
  putPage(hash: string, page: PageContext, at: number): void {
    const sql = 'INSERT OR REPLACE INTO pages (hash, at, body) VALUES (?, ?, ?)'
    laterWrite(this.#sql, LATER_TABLES.pages, sql, hash, at, JSON.stringify(page))
    this.#sql.exec(
      'DELETE FROM pages WHERE hash NOT IN (SELECT hash FROM pages ORDER BY at DESC, rowid DESC LIMIT ?)',
      MOST_PAGES,
    )
  }

  page(hash: string): PageContext | null {
    const [row] = laterRows<{ body: string }>(this.#sql, 'SELECT body FROM pages WHERE hash = ?', hash)
    return row ? (JSON.parse(row.body) as PageContext) : null
  }

  /** Stores what an agent was told in a turn. Only the latest turns are kept, because each may have 64 kB. */
  addTold(told: ToldRecord): void {
    const sql = 'INSERT OR REPLACE INTO told (turn, body) VALUES (?, ?)'
    laterWrite(this.#sql, LATER_TABLES.told, sql, told.turn, JSON.stringify(told))
    this.#sql.exec('DELETE FROM told WHERE turn <= ?', told.turn - MOST_TOLD)
  }

  told(): readonly ToldRecord[] {
    const rows = laterRows<{ body: string }>(this.#sql, 'SELECT body FROM told ORDER BY turn')
    return rows.map(({ body }) => JSON.parse(body) as ToldRecord)
  }
}

function withMetadata(record: AssistantRecord, metadata: ConversationMetadata): AssistantRecord {
  return { ...record, state: { ...record.state, metadata } }
}
