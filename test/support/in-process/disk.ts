import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { SessionStore } from '../../../worker/session/session-store.ts'

/** The type `DurableObjectStorage`. */
export type ObjectStorage = ConstructorParameters<typeof SessionStore>[0]

/**
 * A prepared query. `statement` is null if the text has several statements, because SQLite prepares only one at a time.
 */
interface Query {
  readonly writes: boolean
  readonly statement: StatementSync | null
  readonly returnsRows: boolean
}

/**
 * The disk of one Durable Object, in memory. SQLite does the work; the class has the small part of
 * `DurableObjectStorage` that a conversation uses. A stretch is everything that the object writes until it waits for
 * something. As on the platform, a stretch becomes durable as a whole, with a delay, and in order. So a crash may lose
 * the last stretches, but never a part of one. The alarm is a row of the database too.
 */
export class Disk {
  readonly #db = new DatabaseSync(':memory:')
  readonly #queries = new Map<string, Query>()
  #waiting = 0
  #isDirty = false

  constructor() {
    this.#db.exec('CREATE TABLE platform_alarm (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL)')
  }

  /** Whether there are writes that a crash would lose. */
  get isPending(): boolean {
    return this.#isDirty || this.#waiting > 0
  }

  /**
   * The number of stretches that have ended but that a crash could still lose. A stretch is what the object writes
   * until it waits for something.
   */
  get waiting(): number {
    return this.#waiting
  }

  /**
   * Returns the storage for one instance of the object. After a reset of the instance, `isAlive` is false, and every
   * use of the storage throws.
   */
  storage(instance: { isAlive: boolean }): ObjectStorage {
    const use = <T>(act: () => T): T => {
      if (!instance.isAlive) throw new Error('this instance of the object was reset')
      return act()
    }
    const storage = {
      sql: { exec: (query: string, ...bindings: SQLInputValue[]) => use(() => this.#exec(query, bindings)) },
      transactionSync: <T>(act: () => T) => use(() => this.#transaction(act)),
      getAlarm: () => Promise.resolve(use(() => this.alarm())),
      setAlarm: (at: number) => Promise.resolve(use(() => this.setAlarm(at))),
      deleteAlarm: () => Promise.resolve(use(() => this.setAlarm(null))),
    }
    return storage as unknown as ObjectStorage
  }

  alarm(): number | null {
    const [row] = this.#exec('SELECT at FROM platform_alarm', []).toArray() as { at: number }[]
    return row?.at ?? null
  }

  setAlarm(at: number | null): void {
    if (at === null) this.#exec('DELETE FROM platform_alarm', [])
    else this.#exec('INSERT INTO platform_alarm (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = ?1', [at])
  }

  /** Ends the current stretch, because the code that wrote it now waits for something. */
  endStretch(): void {
    if (this.#isDirty) this.#waiting += 1
    this.#isDirty = false
  }

  /** Makes everything that was written durable, so that a crash cannot lose it any more. */
  commit(): void {
    if (!this.isPending) return
    this.#db.exec('COMMIT')
    this.#waiting = 0
    this.#isDirty = false
  }

  /**
   * Crashes the object. The first `kept` stretches that are not durable yet survive; everything that was written after
   * them is lost. A stretch is what the object writes until it waits for something.
   */
  crash(kept: number): void {
    if (!this.isPending) return
    if (this.#isDirty || kept < this.#waiting) this.#db.exec(`ROLLBACK TO stretch${Math.min(kept, this.#waiting)}`)
    this.#db.exec('COMMIT')
    this.#waiting = 0
    this.#isDirty = false
  }

  /** Empties the database for the next history. This is faster than creating a new database. */
  wipe(): void {
    this.commit()
    const tables = this.#db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for (const { name } of tables.all() as { name: string }[])
      if (name !== 'schema') this.#db.exec(`DELETE FROM "${name}"`)
  }

  #exec(text: string, bindings: readonly SQLInputValue[]) {
    const { writes, statement, returnsRows } = this.#query(text)
    if (writes) this.#begin()
    if (statement === null) {
      this.#db.exec(text)
      return cursor([], 0)
    }
    if (returnsRows) return cursor(statement.all(...bindings), 0)
    return cursor([], Number(statement.run(...bindings).changes))
  }

  #query(text: string): Query {
    const known = this.#queries.get(text)
    if (known) return known
    const query = this.#prepare(text)
    // SQLite prepares only one statement at a time, so a text with several statements is not kept. Such a text creates
    // tables.
    if (query.statement) this.#queries.set(text, query)
    return query
  }

  #prepare(text: string): Query {
    if (/;\s*\S/.test(text)) return { writes: true, statement: null, returnsRows: false }
    const statement = this.#db.prepare(text)
    return { writes: !/^\s*SELECT\b/i.test(text), statement, returnsRows: statement.columns().length > 0 }
  }

  #transaction<T>(act: () => T): T {
    this.#begin()
    this.#db.exec('SAVEPOINT act')
    try {
      const result = act()
      this.#db.exec('RELEASE act')
      return result
    } catch (error) {
      this.#db.exec('ROLLBACK TO act')
      this.#db.exec('RELEASE act')
      throw error
    }
  }

  #begin(): void {
    if (this.#isDirty) return
    if (this.#waiting === 0) this.#db.exec('BEGIN')
    this.#db.exec(`SAVEPOINT stretch${this.#waiting}`)
    this.#isDirty = true
  }
}

function cursor(rows: readonly object[], rowsWritten: number) {
  return {
    rowsWritten,
    toArray: () => [...rows],
    one: () => {
      if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`)
      return rows[0]
    },
    [Symbol.iterator]: () => rows[Symbol.iterator](),
  }
}
