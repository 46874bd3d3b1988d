import type { SessionEvent } from '../chain/session-events.ts'
import { laterChange, laterRows, laterWrite } from '../later-table.ts'
import { LATER_TABLES } from './migrations.ts'

/** The events that wait for delivery to the chain, oldest first. */
export interface QueuedEvents {
  /** The number of the first of these events. The numbers of a conversation's events for the chain begin at 1. */
  readonly from: number
  readonly events: readonly SessionEvent[]
  /** Number of failed attempts to deliver these events. */
  readonly attempts: number
}

const DAY_MS = 86_400_000

/** Returns true for an event that others wait for: after the end of a talk, the next colleague is who it names. */
function isUrgent({ type }: SessionEvent): boolean {
  return type === 'ended' || type === 'remembered'
}

/**
 * Stores the events of a conversation that wait for delivery to the chain, in the tables `chain_events` and
 * `chain_cursor`. A conversation without a run has no row in `chain_cursor`, and stores no events.
 */
export class ChainQueueStore {
  readonly #sql: SqlStorage
  readonly #gatherMs: number

  /** @param gatherMs how long events are gathered before they are due, in milliseconds ([run-15]) */
  constructor(sql: SqlStorage, gatherMs = 0) {
    this.#sql = sql
    this.#gatherMs = gatherMs
  }

  /** Starts to store events for the chain. A repeated call changes nothing. */
  begin(): void {
    const sql = 'INSERT OR IGNORE INTO chain_cursor (id, last, seen_at, attempts) VALUES (1, 0, 0, 0)'
    laterWrite(this.#sql, LATER_TABLES.chain_cursor, sql)
  }

  /**
   * Stores the events of a turn or a choice. The first call also stores the event `met`: the learner has said something
   * for the first time. If a call has nothing else to store, it stores `seen`, at most once a day, so that the chain
   * knows when the conversation was last used. The caller calls `add` inside the transaction that writes the turn or
   * the choice.
   *
   * @param at when the turn ended or the choice was made, in milliseconds since 1970
   * @returns when the events are due if nothing was due before that, so that the caller has to set an alarm; else null
   */
  add(events: readonly SessionEvent[], at: number): number | null {
    const [cursor] = laterRows<{ last: number; seen_at: number; due: number | null }>(
      this.#sql,
      'SELECT last, seen_at, due FROM chain_cursor',
    )
    if (!cursor) return null
    const all = cursor.last === 0 ? [{ type: 'met', at } as const, ...events] : [...events]
    if (all.length === 0 && at - cursor.seen_at >= DAY_MS) all.push({ type: 'seen', at })
    if (all.length === 0) return null
    for (const [place, event] of all.entries())
      laterWrite(
        this.#sql,
        LATER_TABLES.chain_events,
        'INSERT INTO chain_events (number, event) VALUES (?, ?)',
        cursor.last + 1 + place,
        JSON.stringify(event),
      )
    const due = all.some(isUrgent) ? at : at + this.#gatherMs
    const isNext = cursor.due === null || due < cursor.due
    this.#sql.exec(
      'UPDATE chain_cursor SET last = ?, seen_at = ?, due = ?',
      cursor.last + all.length,
      at,
      isNext ? due : cursor.due,
    )
    return isNext ? due : null
  }

  /** Returns when the next attempt is due, in milliseconds since 1970; null if no event waits. */
  nextDue(): number | null {
    const [cursor] = laterRows<{ due: number | null }>(this.#sql, 'SELECT due FROM chain_cursor')
    return cursor?.due ?? null
  }

  /** Returns the oldest waiting events, at most `limit`; null if no event waits. */
  waiting(limit: number): QueuedEvents | null {
    const rows = laterRows<{ number: number; event: string }>(
      this.#sql,
      'SELECT number, event FROM chain_events ORDER BY number LIMIT ?',
      limit,
    )
    const [first] = rows
    if (!first) return null
    const { attempts } = this.#sql.exec<{ attempts: number }>('SELECT attempts FROM chain_cursor').one()
    return { from: first.number, events: rows.map(({ event }) => JSON.parse(event) as SessionEvent), attempts }
  }

  /**
   * Removes the events up to the number `applied`, which the chain has applied. The remaining events are due at once.
   */
  settle(applied: number, at: number): void {
    laterChange(this.#sql, 'DELETE FROM chain_events WHERE number <= ?', applied)
    laterChange(
      this.#sql,
      'UPDATE chain_cursor SET attempts = 0, due = iif(EXISTS (SELECT 1 FROM chain_events), ?, NULL)',
      at,
    )
  }

  postpone(attempts: number, due: number): void {
    laterChange(this.#sql, 'UPDATE chain_cursor SET attempts = ?, due = ? WHERE due IS NOT NULL', attempts, due)
  }

  /**
   * Removes all events, and makes later calls of `add` store nothing, because the chain accepts no more events of the
   * conversation.
   */
  drop(): void {
    laterChange(this.#sql, 'DELETE FROM chain_cursor')
    laterChange(this.#sql, 'DELETE FROM chain_events')
  }
}
