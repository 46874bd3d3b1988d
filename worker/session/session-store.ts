import type { SessionEvent } from '../chain/session-events.ts'
import type { Brought } from '../core/briefing/brought.ts'
import type { Report } from '../core/reply/report.ts'
import type { LogRecord } from '../core/walk/log-entry.ts'
import type { Remembered } from '../core/memory/remembered.ts'
import { readWalk, type Walk } from '../core/walk/walk.ts'
import { laterChange, laterRows, laterWrite } from '../later-table.ts'
import { OutboxStore } from '../outbox/outbox-store.ts'
import type { Accepted, LogEvent, NewEvent } from '../wire/messages.ts'
import { Alarm } from './alarm.ts'
import type { AssistantRecord } from './assistant/assistant-record.ts'
import { AssistantStore } from './assistant/assistant-store.ts'
import { ChainQueueStore } from './chain-queue-store.ts'
import type { ConversationCopy } from './conversation-copy.ts'
import { CopyStore } from './copy-store.ts'
import { firstTables, LATER_TABLES, MIGRATIONS } from './migrations.ts'
import { RememberingStore } from './remembering-store.ts'
import {
  type Contents,
  isolateContents,
  type Pins,
  pinsOf,
  readFacts,
  readInfo,
  type SessionFacts,
  type SessionInfo,
  writeInfo,
} from './session-info.ts'
import {
  type ChoiceEnd,
  readLoop,
  type ResumedWalk,
  type RunShare,
  type StoredTurn,
  type TurnEnd,
  type TurnLoop,
} from './turn.ts'

/**
 * What this instance of the object has read or written of its tables, so that a turn's computing time does not grow with
 * the length of the conversation. A field that is missing has to be read first. No other code writes these tables.
 */
interface Held {
  lastTurn?: StoredTurn | null
  attempts?: number
  walk?: Walk
  events?: readonly LogEvent[]
  judged?: readonly JudgedTurn[]
  records?: readonly LogRecord[]
}

interface JudgedTurn {
  readonly turn: number
  readonly report: Report
}
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
  readonly #alarm: Pick<Alarm, 'set'>
  readonly #sql: SqlStorage
  readonly #contents: Contents
  /** The revocation epoch in which the conversation was erased; null if it was not erased. */
  #erasedIn: number | null = null
  #held: Held = {}

  /**
   * @param contents where the session's scenario and graphs are, if the session stores only their hashes
   * @param gatherMs how long the conversation gathers events for the chain, in milliseconds
   */
  constructor(
    storage: DurableObjectStorage,
    contents: Contents = isolateContents,
    alarm: Pick<Alarm, 'set'> = new Alarm(storage),
    gatherMs = 0,
  ) {
    this.#contents = contents
    this.#storage = storage
    this.#alarm = alarm
    this.#sql = storage.sql
    this.outbox = new OutboxStore(storage.sql)
    this.chain = new ChainQueueStore(storage.sql, gatherMs)
    this.remembering = new RememberingStore(storage.sql)
    this.copies = new CopyStore(storage.sql)
    this.assistant = new AssistantStore(storage.sql)
    this.#records = new RecordStore(storage.sql)
  }

  /**
   * Brings the tables of an older object up to date. The object calls this method at every wake. If the schema is
   * current, or the conversation never began, the call costs one read.
   *
   * @returns false if there are no tables, because the conversation never began
   */
  migrate(): boolean {
    const [row] = laterRows<{ version: number }>(this.#sql, 'SELECT version FROM schema')
    // A newer deployment that was rolled back may have left a newer schema, which is not changed.
    if (row === undefined || row.version >= MIGRATIONS.length) return row !== undefined
    const { version } = row
    this.#write(() => {
      if (version < 0) return this.#staysErased(version)
      for (const migration of MIGRATIONS.slice(version)) this.#sql.exec(migration)
      this.#sql.exec('DELETE FROM schema')
      this.#sql.exec('INSERT INTO schema (version) VALUES (?)', MIGRATIONS.length)
    })
    return true
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
    this.#held = {}
    // Code of this object that is still running gets empty tables. Without tables, its queries would fail.
    this.#sql.exec(firstTables(erasedVersion(this.epoch())))
  }

  /**
   * Makes the tables and begins the conversation, unless it was erased. A repeated call changes nothing.
   *
   * @param first the events with which the log begins
   * @param pins the hashes to store instead of the contents; null to store the contents
   */
  create(info: SessionInfo, walk: Walk, first: readonly NewEvent[] = [], pins: Pins | null = null): void {
    if (this.#erasedIn !== null) return
    this.#write(() => {
      this.#sql.exec(info.run ? `${firstTables()};${LATER_TABLES.chain_cursor}` : firstTables())
      const { rowsWritten } = this.#sql.exec(
        'INSERT OR IGNORE INTO session (id, info, walk) VALUES (1, ?, ?)',
        writeInfo(info, pins),
        JSON.stringify(walk),
      )
      if (rowsWritten === 0) return
      this.#append(first, info.createdAt, null, 0)
      if (info.run) this.chain.begin()
    })
  }

  /**
   * Begins the conversation as a copy of another conversation, unless it was erased. The events that the original sent
   * to the chain are also queued for the copy. A repeated call changes nothing.
   *
   * @param info the data to which the copy is pinned, with the copy's own session, epoch, learner and run
   * @param pins the hashes that the copy stores instead of the contents; null to store the contents
   * @param record for an assistant: its record, and the events with which the copy's own log begins
   * @param forChain the events that each turn and each choice in the copy sends to the chain, oldest first
   */
  createAs(
    { info, pins }: { readonly info: SessionInfo; readonly pins: Pins | null },
    walk: Walk,
    copy: ConversationCopy,
    forChain: readonly { readonly at: number; readonly events: readonly SessionEvent[] }[],
    at: number,
    { record, first = [] }: { record?: AssistantRecord; first?: readonly NewEvent[] } = {},
  ): void {
    if (this.#erasedIn !== null) return
    const due = this.#write(() => {
      if (this.hasBegun()) return null
      this.create(info, walk, [], pins)
      this.copies.write(copy)
      if (record) this.assistant.write(record)
      this.#append(first, at)
      this.#held = {}
      for (const batch of forChain) this.chain.add(batch.events, batch.at)
      return this.chain.nextDue()
    })
    if (due !== null) this.#wake(at)
  }

  /**
   * Returns the data that the conversation began with; null if it never began or was erased.
   *
   * @throws ContentMissing
   */
  info(): SessionInfo | null {
    const text = this.#info()
    return text === null ? null : readInfo(text, this.#contents)
  }

  /** Returns what the conversation stores of itself besides its contents; null if it never began or was erased. */
  facts(): SessionFacts | null {
    const text = this.#info()
    return text === null ? null : readFacts(text)
  }

  /** Returns the contents to which the conversation is pinned; null if it stores them itself, never began or was erased. */
  pins(): Pins | null {
    const text = this.#info()
    return text === null ? null : pinsOf(text)
  }

  hasBegun(): boolean {
    return this.#erasedIn === null && laterRows(this.#sql, 'SELECT 1 FROM session').length > 0
  }

  #info(): string | null {
    if (this.#erasedIn !== null) return null
    const [row] = laterRows<{ info: string }>(this.#sql, 'SELECT info FROM session')
    return row?.info ?? null
  }

  walk(): Walk {
    if (this.#held.walk) return this.#held.walk
    const { walk } = this.#sql.exec<{ walk: string }>('SELECT walk FROM session').one()
    return (this.#held.walk = readWalk(walk))
  }

  /** Returns the acknowledgement that a message got before; null if the message is new. */
  acknowledged(cid: string): Accepted | null {
    const [row] = laterRows<{ acknowledgement: string }>(
      this.#sql,
      'SELECT acknowledgement FROM inbox WHERE cid = ?',
      cid,
    )
    return row ? (JSON.parse(row.acknowledgement) as Accepted) : null
  }

  lastTurn(): StoredTurn | null {
    if (this.#held.lastTurn === undefined) this.#held.lastTurn = this.#readLastTurn()
    return this.#held.lastTurn
  }

  #readLastTurn(): StoredTurn | null {
    const [row] = laterRows<TurnRow & Record<string, SqlStorageValue>>(
      this.#sql,
      'SELECT id, attempt, status, cid, learner, page, context, lease, told FROM turns ORDER BY id DESC LIMIT 1',
    )
    if (!row) return null
    const { told, ...turn } = row
    return { ...turn, isTold: told === 1 }
  }

  /** Returns the stored progress of a turn; null if none is stored. @throws if the progress cannot be parsed */
  loop(turn: number): TurnLoop | null {
    const [row] = laterRows<{ loop: string | null }>(this.#sql, 'SELECT loop FROM turns WHERE id = ?', turn)
    return readLoop(row?.loop ?? null)
  }

  eventsOf(turn: number): readonly LogEvent[] {
    return this.eventsAfter(0).filter((event) => event.turn === turn)
  }

  /** Returns the number of attempts at all turns together. */
  attempts(): number {
    if (this.#held.attempts !== undefined) return this.#held.attempts
    const [row] = laterRows<{ attempts: number | null }>(this.#sql, 'SELECT sum(attempt) AS attempts FROM turns')
    return (this.#held.attempts = row?.attempts ?? 0)
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
    return this.#write(() => {
      const id = (this.lastTurn()?.id ?? 0) + 1
      const { cid, learner, page, context = null } = begun
      const turn: StoredTurn = { id, attempt: 1, status: 'running', cid, learner, page, context, lease, isTold: false }
      laterWrite(
        this.#sql,
        LATER_TABLES.turns,
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
        this.#addRecords(records, this.head())
      }
      this.#began(turn)
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
    return this.#write(() => {
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
      this.#began(next)
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
    const rowsWritten = laterChange(
      this.#sql,
      "UPDATE turns SET loop = ?, lease = ? WHERE id = ? AND attempt = ? AND status = 'running'",
      JSON.stringify(loop),
      lease,
      turn.id,
      turn.attempt,
    )
    if (rowsWritten > 0) this.#changed(turn.id, { lease })
    return rowsWritten > 0
  }

  /**
   * Stores what the colleague is told in a turn about the learner's other conversations.
   *
   * @returns true if the turn still belongs to the attempt
   */
  keepBrought(turn: StoredTurn, brought: Brought): boolean {
    const rowsWritten = laterChange(
      this.#sql,
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
    const [row] = laterRows<{ brought: string | null }>(this.#sql, 'SELECT brought FROM turns WHERE id = ?', turn)
    return row?.brought == null ? null : (JSON.parse(row.brought) as Brought)
  }

  /**
   * Ends a turn: writes the events, the report, the walk, the outgoing messages and the chain's events together. Writes
   * nothing if another attempt has taken the turn over, which can happen during any await of the caller.
   *
   * @returns the events as logged; null if the turn no longer belongs to the attempt
   */
  endTurn(end: TurnEnd, at: number, share: RunShare): readonly LogEvent[] | null {
    let due: number | null = null
    const events = this.#write(() => {
      // The guard is the row itself, not what is held in memory.
      const current = (this.#held.lastTurn = this.#readLastTurn())
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
      this.#changed(end.turn, { status: end.status })
      if (end.status === 'done' && end.heard && this.#held.judged)
        this.#held.judged = [...this.#held.judged, { turn: end.turn, report: end.heard.report }]
      this.#saveWalk(end.walk)
      const record = end.assisted && this.assistant.read()
      if (record) this.assistant.write(end.assisted.change(record))
      this.outbox.add(end.sends, at)
      due = this.chain.add(share.events, at)
      // Only a conversation that belongs to a run has events that wait for the chain. Other conversations get no
      // memories.
      const isToRemember = share.isOver && this.chain.nextDue() !== null
      if (isToRemember) this.remembering.begin(at)
      if (isToRemember || end.sends.length > 0) due = at
      // A copy of an assistant's conversation begins from its record instead of its walk.
      const logged = this.#append(end.events, at, share.isCopyable ? (this.assistant.read() ?? end.walk) : null)
      if (record) this.#dropOldRecords()
      this.#addRecords(end.records, this.head())
      return logged
    })
    if (events && due !== null) this.#wake(due)
    return events
  }

  markTold({ id, attempt }: Pick<StoredTurn, 'id' | 'attempt'>): void {
    laterChange(this.#sql, 'UPDATE turns SET told = 1 WHERE id = ? AND attempt = ?', id, attempt)
    if (this.#held.lastTurn?.attempt === attempt) this.#changed(id, { isTold: true })
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
    let due: number | null = null
    const written = this.#write(() => {
      this.#saveWalk(chosen.walk)
      this.outbox.add(chosen.sends, at)
      due = this.chain.add(share.events, at)
      const events = this.#append(chosen.events, at, share.isCopyable ? chosen.walk : null)
      this.#addRecords(chosen.records, this.head())
      return { events, acknowledgement: this.#acknowledge(chosen.cid, chosen.turn) }
    })
    if (chosen.sends.length > 0) due = at
    if (due !== null) this.#wake(due)
    return written
  }

  /**
   * Queues the memories and facts of the ended conversation for the chain, once.
   *
   * @returns true if they were not queued before
   */
  remember(remembered: Remembered, at: number): boolean {
    const isNew = this.#write(() => {
      if (!this.remembering.settle()) return false
      this.chain.add([{ type: 'remembered', ...remembered, at }], at)
      return true
    })
    if (isNew) this.#wake(at)
    return isNew
  }

  /**
   * Pins the conversation to a newer version: writes the new `SessionInfo` and the migrated walk together.
   *
   * @param pins the hashes to store instead of the contents; null to store the contents
   */
  repin(info: SessionInfo, walk: Walk, records: readonly LogRecord[], pins: Pins | null = null): void {
    this.#write(() => {
      const head = this.head()
      this.copies.keepEarlier(head)
      this.#sql.exec('UPDATE session SET info = ? WHERE id = 1', writeInfo(info, pins))
      this.#saveWalk(walk)
      // The records get the number of the next event, so that a copy that ends at the current event does not contain
      // them. Such a copy has the old version of the graph.
      this.#addRecords(records, head + 1)
    })
  }

  /** Stores an assistant's record, and writes events in the middle of a turn. Returns the events as logged. */
  writeAssistant(record: AssistantRecord, events: readonly NewEvent[], at: number): readonly LogEvent[] {
    return this.#write(() => {
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
    if (this.#held.events) return this.#held.events.at(-1)?.seq ?? 0
    return this.#sql.exec<{ head: number }>('SELECT coalesce(max(seq), 0) AS head FROM events').one().head
  }

  eventsAfter(seq: number): readonly LogEvent[] {
    const held = this.#held.events
    if (held) return seq <= 0 ? held : held.filter((event) => event.seq > seq)
    const rows = this.#sql
      .exec<{ seq: number; at: number; body: string }>(
        'SELECT seq, at, body FROM events WHERE seq > ? ORDER BY seq',
        seq,
      )
      .toArray()
    const events = rows.map((row) => ({ seq: row.seq, at: row.at, ...(JSON.parse(row.body) as NewEvent) }))
    if (seq <= 0) this.#held.events = events
    return events
  }

  /** Returns the records of the interaction log, oldest first. */
  recorded(): readonly LogRecord[] {
    return (this.#held.records ??= this.#records.all())
  }

  /** Returns the epoch of revocation: how often credentials were revoked. */
  epoch(): number {
    if (this.#erasedIn !== null) return this.#erasedIn
    const [row] = laterRows<{ epoch: number }>(this.#sql, 'SELECT epoch FROM revocation')
    return row?.epoch ?? 0
  }

  revoke(): number {
    const sql = 'INSERT INTO revocation (id, epoch) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET epoch = epoch + 1'
    laterWrite(this.#sql, LATER_TABLES.revocation, sql)
    return this.epoch()
  }

  turnsByStatus(): Record<string, number> {
    const rows = laterRows<{ status: string; turns: number }>(
      this.#sql,
      'SELECT status, count(*) AS turns FROM turns GROUP BY status',
    )
    return Object.fromEntries(rows.map(({ status, turns }) => [status, turns]))
  }

  /** Returns the reports of all finished turns, oldest first. */
  reports(): readonly Report[] {
    return this.judged().map(({ report }) => report)
  }

  /** Returns the reports of all finished turns, oldest first, each with the number of its turn. */
  judged(): readonly JudgedTurn[] {
    if (this.#held.judged) return this.#held.judged
    const rows = laterRows<{ id: number; report: string }>(
      this.#sql,
      "SELECT id, report FROM turns WHERE status = 'done' AND report IS NOT NULL ORDER BY id",
    )
    return (this.#held.judged = rows.map(({ id, report }) => ({ turn: id, report: JSON.parse(report) as Report })))
  }

  /**
   * Sets the alarm that delivers the messages or events just written to the outbox or the chain's queue. The alarm is a
   * row of the same database, and writes without an await in between become durable together. So no message or event
   * can be stored without an alarm for its delivery.
   */
  #wake(at: number): void {
    void this.#alarm.set(at)
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

  /** Writes in one transaction. If it fails, nothing is written, and everything is read anew. */
  #write<T>(act: () => T): T {
    try {
      return this.#storage.transactionSync(act)
    } catch (error) {
      this.#held = {}
      throw error
    }
  }

  #began(turn: StoredTurn): void {
    this.#held.lastTurn = turn
    if (this.#held.attempts !== undefined) this.#held.attempts += 1
  }

  /** Notes a change of a turn's row. Only the last turn is held. */
  #changed(id: number, change: Partial<StoredTurn>): void {
    const { lastTurn } = this.#held
    if (lastTurn?.id === id) this.#held.lastTurn = { ...lastTurn, ...change }
  }

  #addRecords(records: readonly LogRecord[], seq: number): void {
    this.#records.add(records, seq)
    if (this.#held.records) this.#held.records = [...this.#held.records, ...records]
  }

  #saveWalk(walk: Walk): void {
    this.#sql.exec('UPDATE session SET walk = ? WHERE id = 1', JSON.stringify(walk))
    this.#held.walk = walk
  }

  /**
   * @param walk the walk after the events; it is stored with the last event, because a copy may end there ([again-1])
   * @param before the number of the log's last event
   */
  #append(
    events: readonly NewEvent[],
    at: number,
    walk: Walk | AssistantRecord | null = null,
    before = this.head(),
  ): readonly LogEvent[] {
    const logged = events.map((event, place) => {
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
    if (this.#held.events) this.#held.events = [...this.#held.events, ...logged]
    return logged
  }

  /** An assistant's record is larger than a walk, so that only those of the latest turns are kept in the log. */
  #dropOldRecords(): void {
    const kept = 'SELECT seq FROM events WHERE walk IS NOT NULL ORDER BY seq DESC LIMIT 1 OFFSET ?'
    this.#sql.exec(`UPDATE events SET walk = NULL WHERE walk IS NOT NULL AND seq <= (${kept})`, MOST_BRANCHES)
  }

  #acknowledge(cid: string, turn: number): Accepted {
    const acknowledgement: Accepted = { ok: true, turn, seq: this.head() }
    laterWrite(
      this.#sql,
      LATER_TABLES.inbox,
      'INSERT INTO inbox (cid, acknowledgement) VALUES (?, ?)',
      cid,
      JSON.stringify(acknowledgement),
    )
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
    const sql = 'INSERT INTO records (body, seq) VALUES (?, ?)'
    laterWrite(this.#sql, LATER_TABLES.records, sql, JSON.stringify(records), seq)
  }

  all(): readonly LogRecord[] {
    const rows = laterRows<{ body: string }>(this.#sql, 'SELECT body FROM records ORDER BY id')
    return rows.flatMap(({ body }) => JSON.parse(body) as readonly LogRecord[])
  }
}
