import type {
  ConversationCopy,
  CopyResult,
  CopiedEvent,
  CopiedPage,
  CopiedRecords,
  CopiedTurn,
  CopyMoment,
} from './conversation-copy.ts'
import { laterRows, laterWrite } from '../later-table.ts'
import type { NewEvent } from '../wire/messages.ts'
import { LATER_TABLES } from './migrations.ts'

type TurnRow = Omit<CopiedTurn, 'status'>

/**
 * Where a copy ends: at the last event of a turn or a choice, or before the first event. `walk` is the walk at that
 * moment.
 */
interface Cut {
  readonly seq: number
  readonly at: number
  readonly walk: string | null
}

/** Reads and writes copies of conversations. Copying does not change the original conversation. */
export class CopyStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Stores the `SessionInfo` that a migration is about to replace, so that a copy can end before the migration. */
  keepEarlier(head: number): void {
    const sql = 'INSERT OR IGNORE INTO earlier (seq, info) SELECT ?, info FROM session'
    laterWrite(this.#sql, LATER_TABLES.earlier, sql, head)
  }

  /**
   * Returns true if the conversation may be copied. A copy needs the walk at the moment where it ends. Earlier walks
   * are stored only while the conversation is pinned to a simulation or an assistant, so the scenario must be one in every
   * version to which the conversation was pinned.
   */
  canCopy(): boolean {
    const isBare = (table: 'session' | 'earlier') => {
      const bare = `SELECT 1 FROM ${table}
        WHERE json_type(info, '$.scenario.simulation') IS NULL AND json_type(info, '$.scenario.assistant') IS NULL`
      return laterRows(this.#sql, bare).length > 0
    }
    return !isBare('session') && !isBare('earlier')
  }

  until(moment: CopyMoment): CopyResult {
    const cut = this.#cut(moment)
    if (cut === null) return null
    if (!this.canCopy()) return 'not-kept'
    const { seq, at, walk } = cut
    const events = this.#events(seq)
    const turns = this.#turns(events)
    const page = this.#page(turns.at(-1)?.context ?? null)
    return {
      seq,
      at,
      walk,
      events,
      info: this.#infoAt(seq),
      turns,
      ...(page && { page }),
      records: laterRows<CopiedRecords & Row>(
        this.#sql,
        'SELECT seq, body FROM records WHERE seq <= ? ORDER BY id',
        seq,
      ),
      earlier: laterRows<{ seq: number; info: string }>(
        this.#sql,
        'SELECT seq, info FROM earlier WHERE seq < ? ORDER BY seq',
        seq,
      ),
    }
  }

  /**
   * Writes a copy into a new conversation. The caller calls `write` inside the transaction that begins the new
   * conversation.
   */
  write({ events, turns, records, earlier, page }: ConversationCopy): void {
    if (page) {
      const sql = 'INSERT INTO pages (hash, at, body) VALUES (?, 0, ?)'
      laterWrite(this.#sql, LATER_TABLES.pages, sql, page.hash, page.body)
    }
    for (const { seq, at, body, walk } of events)
      this.#sql.exec('INSERT INTO events (seq, at, body, walk) VALUES (?, ?, ?, ?)', seq, at, body, walk)
    for (const { id, attempt, status, cid, learner, page: text, context = null, lease, report, quality } of turns)
      laterWrite(
        this.#sql,
        LATER_TABLES.turns,
        `INSERT INTO turns (id, attempt, status, cid, learner, page, context, lease, report, quality, told)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
        id,
        attempt,
        status,
        cid,
        learner,
        text,
        context,
        lease,
        report,
        quality,
      )
    for (const { seq, body } of records)
      laterWrite(this.#sql, LATER_TABLES.records, 'INSERT INTO records (body, seq) VALUES (?, ?)', body, seq)
    for (const { seq, info } of earlier)
      laterWrite(this.#sql, LATER_TABLES.earlier, 'INSERT INTO earlier (seq, info) VALUES (?, ?)', seq, info)
  }

  #cut(moment: CopyMoment): Cut | null {
    if ('pivot' in moment) {
      const [asked] = this.#sql
        .exec<{ seq: number }>(
          `SELECT seq FROM events WHERE json_extract(body, '$.command.name') = 'AI_PivotMoment'
             AND json_extract(body, '$.command.pivot') = ? ORDER BY seq LIMIT 1`,
          moment.pivot,
        )
        .toArray()
      return asked ? this.#firstCut('seq >= ? ORDER BY seq', asked.seq) : null
    }
    if ('turn' in moment) return this.#firstCut("json_extract(body, '$.turn') = ? ORDER BY seq DESC", moment.turn)
    if ('seq' in moment) return moment.seq === 0 ? this.#beginning() : this.#firstCut('seq = ?', moment.seq)
    const beginning = this.#beginning()
    if (beginning.at > moment.at) return null
    return this.#firstCut('at <= ? ORDER BY seq DESC', moment.at) ?? beginning
  }

  #firstCut(where: string, value: number): Cut | null {
    const sql = `SELECT seq, at, walk FROM events WHERE walk IS NOT NULL AND ${where} LIMIT 1`
    const [found] = this.#sql.exec<Cut & Row>(sql, value).toArray()
    return found ?? null
  }

  #page(hash: string | null): CopiedPage | null {
    if (hash === null) return null
    const [row] = laterRows<CopiedPage & Row>(this.#sql, 'SELECT hash, body FROM pages WHERE hash = ?', hash)
    return row ?? null
  }

  #beginning(): Cut {
    const { at } = this.#sql.exec<{ at: number }>("SELECT json_extract(info, '$.createdAt') AS at FROM session").one()
    return { seq: 0, at, walk: null }
  }

  #events(until: number): readonly CopiedEvent[] {
    return this.#sql
      .exec<CopiedEvent & Row>('SELECT seq, at, body, walk FROM events WHERE seq <= ? ORDER BY seq', until)
      .toArray()
  }

  #infoAt(seq: number): string {
    const [earlier] = laterRows<{ info: string }>(
      this.#sql,
      'SELECT info FROM earlier WHERE seq >= ? ORDER BY seq LIMIT 1',
      seq,
    )
    return (earlier ?? this.#sql.exec<{ info: string }>('SELECT info FROM session').one()).info
  }

  #turns(events: readonly CopiedEvent[]): readonly CopiedTurn[] {
    const ends = new Map(events.map(read).flatMap((event) => (event.type === 'turn' ? [[event.turn, event]] : [])))
    const sql = 'SELECT id, attempt, cid, learner, page, context, lease, report, quality FROM turns ORDER BY id'
    return laterRows<TurnRow & Row>(this.#sql, sql).flatMap((row): CopiedTurn[] => {
      const end = ends.get(row.id)
      if (end === undefined) return []
      // The stored report belongs to the attempt that completed the turn, so a turn that was not complete is copied
      // without a report.
      const heard = end.outcome === 'complete' ? {} : { report: null, quality: null }
      return [{ ...row, ...heard, attempt: end.attempt, status: end.outcome === 'failed' ? 'failed' : 'done' }]
    })
  }
}

type Row = Record<string, SqlStorageValue>

function read({ body }: CopiedEvent): NewEvent {
  return JSON.parse(body) as NewEvent
}
