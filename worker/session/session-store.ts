import type { SessionEvent } from '../chain/session-events.ts'
import type { Brought } from '../core/briefing/brought.ts'
import type { Report } from '../core/reply/report.ts'
import type { LogRecord } from '../core/walk/log-entry.ts'
import type { Remembered } from '../core/memory/remembered.ts'
import { readWalk, type Walk } from '../core/walk/walk.ts'
import { OutboxStore } from '../outbox/outbox-store.ts'
import type { Accepted, LogEvent, NewEvent } from '../wire/messages.ts'
import type { AssistantRecord } from './assistant/assistant-record.ts'
import { AssistantStore } from './assistant/assistant-store.ts'
import { ChainQueueStore } from './chain-queue-store.ts'
import type { ConversationCopy } from './conversation-copy.ts'
import { CopyStore } from './copy-store.ts'
import { MIGRATIONS } from './migrations.ts'
import { RememberingStore } from './remembering-store.ts'
import { readInfo, type SessionInfo } from './session-info.ts'
import {
  type ChoiceEnd,
  readLoop,
  type ResumedWalk,
  type RunShare,
  type StoredTurn,
  type TurnEnd,
  type TurnLoop,
} from './turn.ts'

/** The latest turns of an assistant from which a copy can begin. */
const MOST_BRANCHES = 20

type TurnRow = Omit<StoredTurn, 'isTold'> & { readonly told: number }

/**
 * Reads and writes the session's tables. The outbox, the chain's queue, remembering, copies and spending have stores in
 * files of their own. Every method except `erase` is one synchronous transaction.
 */
export class SessionStore {
  readonly outbox: OutboxStore
  readonly chain: ChainQueueStore
  readonly remembering: RememberingStore
  readonly copies: CopyStore
  readonly assistant: AssistantStore
  readonly #records: RecordStore
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  /** The revocation epoch in which the conversation was erased; null if it was not erased. */
  #erasedIn: number | null = null

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    this.#sql = storage.sql
    this.outbox = new OutboxStore(storage.sql)
    this.chain = new ChainQueueStore(storage.sql)
    this.remembering = new RememberingStore(storage.sql)
    this.copies = new CopyStore(storage.sql)
    this.assistant = new AssistantStore(storage.sql)
    this.#records = new RecordStore(storage.sql)
  }

  /**
   * Brings the tables up to date. The object calls this method at every wake. If the schema is current, the call costs
   * one read.
   */
  migrate(): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec('CREATE TABLE IF NOT EXISTS schema (version INTEGER NOT NULL)')
      const [row] = this.#sql.exec<{ version: number }>('SELECT version FROM schema').toArray()
      const version = row?.version ?? 0
      if (version < 0) return this.#staysErased(version)
      // A newer deployment that was rolled back may have left a newer schema, which is not changed.
      if (version >= MIGRATIONS.length) return
      for (const migration of MIGRATIONS.slice(version)) this.#sql.exec(migration)
      this.#sql.exec('DELETE FROM schema')
      this.#sql.exec('INSERT INTO schema (version) VALUES (?)', MIGRATIONS.length)
    })
  }

  /**
   * Deletes everything in the conversation. From then on, the conversation counts as one that never began, and cannot
   * begin again. The platform deletes the whole database, including the alarm. Then one row is written, with the
   * revocation epoch in which the conversation was erased. Knowing the epoch, the object still admits clients with
   * valid credentials, and tells them to start over ([person-6]).
   */
  async erase(): Promise<void> {
    this.#erasedIn = this.epoch()
    await this.#storage.deleteAll()
    this.#storage.transactionSync(() => {
      this.#sql.exec('CREATE TABLE schema (version INTEGER NOT NULL)')
      this.#sql.exec('INSERT INTO schema (version) VALUES (?)', erasedVersion(this.epoch()))
      // Code of this object that is still running gets empty tables. Without tables, its queries would fail.
      for (const migration of MIGRATIONS) this.#sql.exec(migration)
    })
  }

  /**
   * Begins the conversation, unless it was erased. A repeated call changes nothing.
   *
   * @param first the events with which the log begins
   */
  create(info: SessionInfo, walk: Walk, first: readonly NewEvent[] = []): void {
    if (this.#erasedIn !== null) return
    this.#storage.transactionSync(() => {
      const { rowsWritten } = this.#sql.exec(
        'INSERT OR IGNORE INTO session (id, info, walk) VALUES (1, ?, ?)',
        JSON.stringify(info),
        JSON.stringify(walk),
      )
      if (rowsWritten === 0) return
      this.#append(first, info.createdAt)
      if (info.run) this.chain.begin()
    })
  }

  /**
   * Begins the conversation as a copy of another conversation, unless it was erased. The events that the original sent
   * to the chain are also queued for the copy. A repeated call changes nothing.
   *
   * @param info the data to which the copy is pinned, with the copy's own session, epoch, learner and run
   * @param record for an assistant: its record, and the events with which the copy's own log begins
   * @param forChain the events that each turn and each choice in the copy sends to the chain, oldest first
   */
  createAs(
    info: SessionInfo,
    walk: Walk,
    copy: ConversationCopy,
    forChain: readonly { readonly at: number; readonly events: readonly SessionEvent[] }[],
    at: number,
    { record, first = [] }: { record?: AssistantRecord; first?: readonly NewEvent[] } = {},
  ): void {
    if (this.#erasedIn !== null) return
    const isForChain = this.#storage.transactionSync(() => {
      if (this.#sql.exec('SELECT 1 FROM session').toArray().length > 0) return false
      this.create(info, walk)
      this.copies.write(copy)
      if (record) this.assistant.write(record)
      this.#append(first, at)
      return forChain.map((batch) => this.chain.add(batch.events, batch.at)).includes(true)
    })
    if (isForChain) this.#wake(at)
  }

  /** Returns the data that the conversation began with; null if it never began or was erased. */
  info(): SessionInfo | null {
    if (this.#erasedIn !== null) return null
    const [row] = this.#sql.exec<{ info: string }>('SELECT info FROM session').toArray()
    return row ? readInfo(row.info) : null
  }

  walk(): Walk {
    const { walk } = this.#sql.exec<{ walk: string }>('SELECT walk FROM session').one()
    return readWalk(walk)
  }

  /** Returns the acknowledgement that a message got before; null if the message is new. */
  acknowledged(cid: string): Accepted | null {
    const [row] = this.#sql
      .exec<{ acknowledgement: string }>('SELECT acknowledgement FROM inbox WHERE cid = ?', cid)
      .toArray()
    return row ? (JSON.parse(row.acknowledgement) as Accepted) : null
  }

  lastTurn(): StoredTurn | null {
    const [row] = this.#sql
      .exec<TurnRow>(
        'SELECT id, attempt, status, cid, learner, page, context, lease, told FROM turns ORDER BY id DESC LIMIT 1',
      )
      .toArray()
    if (!row) return null
    const { told, ...turn } = row
    return { ...turn, isTold: told === 1 }
  }

  /** Returns the stored progress of a turn; null if none is stored. @throws if the progress cannot be parsed */
  loop(turn: number): TurnLoop | null {
    const [row] = this.#sql.exec<{ loop: string | null }>('SELECT loop FROM turns WHERE id = ?', turn).toArray()
    return readLoop(row?.loop ?? null)
  }

  eventsOf(turn: number): readonly LogEvent[] {
    return this.eventsAfter(0).filter((event) => event.turn === turn)
  }

  /** Returns the number of attempts at all turns together. */
  attempts(): number {
    return this.#sql.exec<{ attempts: number }>('SELECT coalesce(sum(attempt), 0) AS attempts FROM turns').one()
      .attempts
  }

  /**
   * Writes a learner's message, its turn and its acknowledgement.
   *
   * @param resumed the walk that goes on because the message takes the learner's goodbye back; null if the stored walk
   *   stays
   */
  beginTurn(
    begun: Pick<StoredTurn, 'cid' | 'learner' | 'page' | 'context'>,
    at: number,
    lease: number,
    resumed: ResumedWalk | null = null,
  ): { turn: StoredTurn; acknowledgement: Accepted; events: readonly LogEvent[] } {
    return this.#storage.transactionSync(() => {
      const id = (this.lastTurn()?.id ?? 0) + 1
      const { cid, learner, page, context = null } = begun
      const turn: StoredTurn = { id, attempt: 1, status: 'running', cid, learner, page, context, lease, isTold: false }
      this.#sql.exec(
        "INSERT INTO turns (id, attempt, status, cid, learner, page, context, lease, told) VALUES (?, 1, 'running', ?, ?, ?, ?, ?, 0)",
        id,
        cid,
        learner,
        page,
        context,
        lease,
      )
      const events = this.#append(
        [{ type: 'turn-start', turn: id, attempt: 1, cid, text: learner, ...(resumed && { resumed: true }) }],
        at,
      )
      if (resumed) {
        this.#saveWalk(resumed.walk)
        this.outbox.add(resumed.sends, at)
        const records = resumed.trace.map((entry) => ({ at, turn: String(id), entry }))
        this.#records.add(records, this.head())
      }
      return { turn, events, acknowledgement: this.#acknowledge(begun.cid, id) }
    })
  }

  /**
   * Begins the next attempt of a turn that failed or whose runner died. `cid` is the id of a client's retry; null after
   * a runner died. A retry starts the turn again from its message. After a runner died, the turn continues from its
   * stored progress.
   */
  beginAttempt(
    turn: StoredTurn,
    cid: string | null,
    at: number,
    lease: number,
  ): { turn: StoredTurn; acknowledgement: Accepted | null; events: readonly LogEvent[] } {
    return this.#storage.transactionSync(() => {
      const next: StoredTurn = { ...turn, attempt: turn.attempt + 1, status: 'running', lease, isTold: false }
      this.#sql.exec(
        `UPDATE turns SET attempt = ?, status = 'running', lease = ?, told = 0${cid === null ? '' : ', loop = NULL'} WHERE id = ?`,
        next.attempt,
        lease,
        turn.id,
      )
      const start = {
        type: 'turn-start',
        turn: turn.id,
        attempt: next.attempt,
        cid: turn.cid,
        text: turn.learner,
      } as const
      const events = this.#append([start], at)
      return { turn: next, events, acknowledgement: cid === null ? null : this.#acknowledge(cid, turn.id) }
    })
  }

  /**
   * Stores a turn's progress, and the time until which the turn's runner counts as alive.
   *
   * @returns true if the turn still belongs to the attempt; false if another attempt has taken the turn over or ended
   *   it
   */
  keep(turn: StoredTurn, loop: TurnLoop, lease: number): boolean {
    const { rowsWritten } = this.#sql.exec(
      "UPDATE turns SET loop = ?, lease = ? WHERE id = ? AND attempt = ? AND status = 'running'",
      JSON.stringify(loop),
      lease,
      turn.id,
      turn.attempt,
    )
    return rowsWritten > 0
  }

  /**
   * Stores what the colleague is told in a turn about the learner's other conversations.
   *
   * @returns true if the turn still belongs to the attempt
   */
  keepBrought(turn: StoredTurn, brought: Brought): boolean {
    const { rowsWritten } = this.#sql.exec(
      "UPDATE turns SET brought = ? WHERE id = ? AND attempt = ? AND status = 'running'",
      JSON.stringify(brought),
      turn.id,
      turn.attempt,
    )
    return rowsWritten > 0
  }

  /**
   * Returns what the colleague is told in an unfinished turn about the learner's other conversations; null if nothing
   * is stored.
   */
  brought(turn: number): Brought | null {
    const [row] = this.#sql.exec<{ brought: string | null }>('SELECT brought FROM turns WHERE id = ?', turn).toArray()
    return row?.brought == null ? null : (JSON.parse(row.brought) as Brought)
  }

  /**
   * Ends a turn: writes the events, the report, the walk, the outgoing messages and the chain's events together. Writes
   * nothing if another attempt has taken the turn over, which can happen during any await of the caller.
   *
   * @returns the events as logged; null if the turn no longer belongs to the attempt
   */
  endTurn(end: TurnEnd, at: number, share: RunShare): readonly LogEvent[] | null {
    let isForChain = false
    const events = this.#storage.transactionSync(() => {
      const current = this.lastTurn()
      if (current?.id !== end.turn || current.attempt !== end.attempt || current.status !== 'running') return null
      this.#sql.exec(
        // Only a failed turn keeps `brought`, because only a failed turn can be attempted again.
        `UPDATE turns SET status = ?, report = ?, quality = ?, loop = NULL${end.status === 'failed' ? '' : ', brought = NULL'}
         WHERE id = ?`,
        end.status,
        end.heard && JSON.stringify(end.heard.report),
        end.heard?.quality ?? null,
        end.turn,
      )
      this.#saveWalk(end.walk)
      const record = end.assisted && this.assistant.read()
      if (record) this.assistant.write(end.assisted.change(record))
      this.outbox.add(end.sends, at)
      isForChain = this.chain.add(share.events, at)
      // Only a conversation that belongs to a run has events that wait for the chain. Other conversations get no
      // memories.
      const isToRemember = share.isOver && this.chain.nextDue() !== null
      if (isToRemember) this.remembering.begin(at)
      isForChain ||= isToRemember
      // A copy of an assistant's conversation begins from its record instead of its walk.
      const logged = this.#append(end.events, at, share.isCopyable ? (this.assistant.read() ?? end.walk) : null)
      if (record) this.#dropOldRecords()
      this.#records.add(end.records, this.head())
      return logged
    })
    if (events && (isForChain || end.sends.length > 0)) this.#wake(at)
    return events
  }

  markTold({ id, attempt }: Pick<StoredTurn, 'id' | 'attempt'>): void {
    this.#sql.exec('UPDATE turns SET told = 1 WHERE id = ? AND attempt = ?', id, attempt)
  }

  /**
   * Writes the learner's pick at a fork: the walk after the pick, and the pick's event, acknowledgement and outgoing
   * messages.
   */
  recordChoice(
    chosen: ChoiceEnd,
    at: number,
    share: RunShare,
  ): { acknowledgement: Accepted; events: readonly LogEvent[] } {
    let isForChain = false
    const written = this.#storage.transactionSync(() => {
      this.#saveWalk(chosen.walk)
      this.outbox.add(chosen.sends, at)
      isForChain = this.chain.add(share.events, at)
      const events = this.#append(chosen.events, at, share.isCopyable ? chosen.walk : null)
      this.#records.add(chosen.records, this.head())
      return { events, acknowledgement: this.#acknowledge(chosen.cid, chosen.turn) }
    })
    if (isForChain || chosen.sends.length > 0) this.#wake(at)
    return written
  }

  /**
   * Queues the memories and facts of the ended conversation for the chain, once.
   *
   * @returns true if they were not queued before
   */
  remember(remembered: Remembered, at: number): boolean {
    const isNew = this.#storage.transactionSync(() => {
      if (!this.remembering.settle()) return false
      this.chain.add([{ type: 'remembered', ...remembered, at }], at)
      return true
    })
    if (isNew) this.#wake(at)
    return isNew
  }

  /** Pins the conversation to a newer version: writes the new `SessionInfo` and the migrated walk together. */
  repin(info: SessionInfo, walk: Walk, records: readonly LogRecord[]): void {
    this.#storage.transactionSync(() => {
      const head = this.head()
      this.copies.keepEarlier(head)
      this.#sql.exec('UPDATE session SET info = ? WHERE id = 1', JSON.stringify(info))
      this.#saveWalk(walk)
      // The records get the number of the next event, so that a copy that ends at the current event does not contain
      // them. Such a copy has the old version of the graph.
      this.#records.add(records, head + 1)
    })
  }

  /** Stores an assistant's record, and writes events in the middle of a turn. Returns the events as logged. */
  writeAssistant(record: AssistantRecord, events: readonly NewEvent[], at: number): readonly LogEvent[] {
    return this.#storage.transactionSync(() => {
      this.assistant.write(record)
      return this.#append(events, at)
    })
  }

  /** Stores a walk that a host has set between two turns. */
  putWalk(walk: Walk): void {
    this.#saveWalk(walk)
  }

  /** Returns the number of the last event; 0 for an empty log. */
  head(): number {
    return this.#sql.exec<{ head: number }>('SELECT coalesce(max(seq), 0) AS head FROM events').one().head
  }

  eventsAfter(seq: number): readonly LogEvent[] {
    const rows = this.#sql
      .exec<{ seq: number; at: number; body: string }>(
        'SELECT seq, at, body FROM events WHERE seq > ? ORDER BY seq',
        seq,
      )
      .toArray()
    return rows.map((row) => ({ seq: row.seq, at: row.at, ...(JSON.parse(row.body) as NewEvent) }))
  }

  /** Returns the records of the interaction log, oldest first. */
  recorded(): readonly LogRecord[] {
    return this.#records.all()
  }

  /** Returns the epoch of revocation: how often credentials were revoked. */
  epoch(): number {
    if (this.#erasedIn !== null) return this.#erasedIn
    return this.#sql.exec<{ epoch: number }>('SELECT coalesce(max(epoch), 0) AS epoch FROM revocation').one().epoch
  }

  revoke(): number {
    this.#sql.exec('INSERT INTO revocation (id, epoch) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET epoch = epoch + 1')
    return this.epoch()
  }

  turnsByStatus(): Record<string, number> {
    const rows = this.#sql
      .exec<{ status: string; turns: number }>('SELECT status, count(*) AS turns FROM turns GROUP BY status')
      .toArray()
    return Object.fromEntries(rows.map(({ status, turns }) => [status, turns]))
  }

  /** Returns the reports of all finished turns, oldest first. */
  reports(): readonly Report[] {
    return this.judged().map(({ report }) => report)
  }

  /** Returns the reports of all finished turns, oldest first, each with the number of its turn. */
  judged(): readonly { readonly turn: number; readonly report: Report }[] {
    const rows = this.#sql
      .exec<{ id: number; report: string }>(
        "SELECT id, report FROM turns WHERE status = 'done' AND report IS NOT NULL ORDER BY id",
      )
      .toArray()
    return rows.map(({ id, report }) => ({ turn: id, report: JSON.parse(report) as Report }))
  }

  /**
   * Sets the alarm that delivers the messages or events just written to the outbox or the chain's queue. The alarm is a
   * row of the same database, and writes without an await in between become durable together. So no message or event
   * can be stored without an alarm for its delivery.
   */
  #wake(at: number): void {
    void this.#storage.setAlarm(at)
  }

  /**
   * Drops the empty tables of an erased conversation. A new instance of the object does not need them, because it has
   * no runner that could still write.
   */
  #staysErased(version: number): void {
    this.#erasedIn = epochErasedIn(version)
    // The names of the platform's own tables begin with an underscore, and the names of SQLite's own tables with
    // `sqlite_`.
    const left = `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema'
      AND name NOT GLOB '_*' AND name NOT GLOB 'sqlite_*'`
    for (const { name } of this.#sql.exec<{ name: string }>(left).toArray()) this.#sql.exec(`DROP TABLE "${name}"`)
  }

  #saveWalk(walk: Walk): void {
    this.#sql.exec('UPDATE session SET walk = ? WHERE id = 1', JSON.stringify(walk))
  }

  /**
   * @param walk the walk after the events; it is stored with the last event, because a copy may end there ([again-1])
   */
  #append(events: readonly NewEvent[], at: number, walk: Walk | AssistantRecord | null = null): readonly LogEvent[] {
    const before = this.head()
    return events.map((event, place) => {
      const seq = before + 1 + place
      this.#sql.exec(
        'INSERT INTO events (seq, at, body, walk) VALUES (?, ?, ?, ?)',
        seq,
        at,
        JSON.stringify(event),
        walk && place === events.length - 1 ? JSON.stringify(walk) : null,
      )
      return { seq, at, ...event }
    })
  }

  /** An assistant's record is larger than a walk, so that only those of the latest turns are kept in the log. */
  #dropOldRecords(): void {
    const kept = 'SELECT seq FROM events WHERE walk IS NOT NULL ORDER BY seq DESC LIMIT 1 OFFSET ?'
    this.#sql.exec(`UPDATE events SET walk = NULL WHERE walk IS NOT NULL AND seq <= (${kept})`, MOST_BRANCHES)
  }

  #acknowledge(cid: string, turn: number): Accepted {
    const acknowledgement: Accepted = { ok: true, turn, seq: this.head() }
    this.#sql.exec('INSERT INTO inbox (cid, acknowledgement) VALUES (?, ?)', cid, JSON.stringify(acknowledgement))
    return acknowledgement
  }
}

/**
 * Returns the number that marks an erased conversation in the table `schema`, in place of the schema's version. The
 * number is below zero for every epoch.
 */
function erasedVersion(epoch: number): number {
  return -1 - epoch
}

function epochErasedIn(version: number): number {
  return -1 - version
}

/** Reads and writes the interaction log. */
class RecordStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /**
   * Stores records, all in one row. The caller calls `add` inside the transaction of the turn or the choice that made
   * the records.
   *
   * @param seq the number of the event that the records belong to
   */
  add(records: readonly LogRecord[], seq: number): void {
    if (records.length === 0) return
    this.#sql.exec('INSERT INTO records (body, seq) VALUES (?, ?)', JSON.stringify(records), seq)
  }

  all(): readonly LogRecord[] {
    const rows = this.#sql.exec<{ body: string }>('SELECT body FROM records ORDER BY id').toArray()
    return rows.flatMap(({ body }) => JSON.parse(body) as readonly LogRecord[])
  }
}
