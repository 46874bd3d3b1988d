import { expect, it } from 'vitest'
import { SPENDING_TABLE } from '../../worker/budget/spending-store.ts'
import { OUTBOX_TABLE } from '../../worker/outbox/outbox-store.ts'
import { firstTables, LATER_TABLES, MIGRATIONS } from '../../worker/session/migrations.ts'
import { SessionStore } from '../../worker/session/session-store.ts'
import { startWalk } from '../../worker/core/walk/walk.ts'
import { Disk, type ObjectStorage } from '../support/in-process/disk.ts'
import { infoOf, roundGraph } from '../support/stored-play.ts'

const storage = () => new Disk().storage({ isAlive: true })
const schemaOf = ({ sql }: ObjectStorage) => sql.exec<{ version: number }>('SELECT version FROM schema').one().version
const tablesIn = ({ sql }: ObjectStorage) =>
  sql
    .exec<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'platform_alarm'")
    .toArray()
    .map(({ name }: { readonly name: string }) => name)
    .toSorted()

/** Returns an object's tables as code of version 3 has left them. */
function oldStorage(): ObjectStorage {
  const disk = storage()
  disk.sql.exec('CREATE TABLE schema (version INTEGER NOT NULL)')
  for (const step of MIGRATIONS.slice(0, 3)) disk.sql.exec(step)
  disk.sql.exec('INSERT INTO schema (version) VALUES (3)')
  return disk
}

it('[turn-17] an object that was never begun makes no table', () => {
  const disk = storage()
  const store = new SessionStore(disk)
  store.migrate()
  expect(tablesIn(disk)).toEqual([])
  expect([store.hasBegun(), store.info(), store.facts(), store.pins(), store.epoch()]).toEqual([
    false,
    null,
    null,
    null,
    0,
  ])
})

it('[turn-17] a conversation begins with the tables that it needs, in the newest form; another is made when it is written', () => {
  const disk = storage()
  const store = new SessionStore(disk)
  store.migrate()
  store.create({ ...infoOf(roundGraph), run: null }, startWalk(roundGraph))
  expect(schemaOf(disk)).toBe(MIGRATIONS.length)
  expect(tablesIn(disk)).toEqual(['events', 'schema', 'session'])

  // Nothing is in a table that is not there.
  expect([store.lastTurn(), store.acknowledged('c'), store.attempts(), store.turnsByStatus()]).toEqual([
    null,
    null,
    0,
    {},
  ])
  expect([store.recorded(), store.outbox.all(), store.outbox.nextDue(), store.chain.nextDue()]).toEqual([
    [],
    [],
    null,
    null,
  ])
  expect([store.remembering.nextDue(), store.assistant.read(), store.assistant.told(null).told]).toEqual([
    null,
    null,
    [],
  ])
  expect(store.copies.until({ seq: 0 })).toMatchObject({ events: [], turns: [], records: [], earlier: [] })
  expect(tablesIn(disk)).toEqual(['events', 'schema', 'session'])

  store.beginTurn({ cid: 'c', learner: 'Hi', page: null }, 1, 2)
  expect(tablesIn(disk)).toEqual(['events', 'inbox', 'schema', 'session', 'turns'])
  store.revoke()
  expect(new SessionStore(disk).epoch()).toBe(1)
})

it('[turn-17] a table that a failed transaction has made is made again', () => {
  const disk = storage()
  const store = new SessionStore(disk)
  store.create(infoOf(roundGraph), startWalk(roundGraph))
  expect(() =>
    disk.transactionSync(() => {
      store.beginTurn({ cid: 'c', learner: 'Hi', page: null }, 1, 2)
      throw new Error('and then it failed')
    }),
  ).toThrow('and then it failed')
  const next = new SessionStore(disk)
  expect(next.lastTurn()).toBeNull()
  next.beginTurn({ cid: 'c', learner: 'Hi', page: null }, 1, 2)
  expect(next.lastTurn()).toMatchObject({ id: 1, learner: 'Hi' })
})

it('[turn-17] the tables of a new object are those that an old one has after all steps', () => {
  const old = oldStorage()
  new SessionStore(old).migrate()
  const fresh = storage()
  for (const table of [firstTables(), ...Object.values(LATER_TABLES), OUTBOX_TABLE, SPENDING_TABLE])
    fresh.sql.exec(table)
  expect(tablesIn(fresh)).toEqual(tablesIn(old))
  const columns = ({ sql }: ObjectStorage, table: string) =>
    sql.exec(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('${table}')`).toArray()
  for (const table of tablesIn(old)) expect([table, columns(fresh, table)]).toEqual([table, columns(old, table)])
})

it('[turn-17] tables of newer code are left as they are, and used', () => {
  const rolledBack = oldStorage()
  new SessionStore(rolledBack).migrate()
  rolledBack.sql.exec('ALTER TABLE turns ADD COLUMN of_the_future TEXT')
  rolledBack.sql.exec('UPDATE schema SET version = ?', MIGRATIONS.length + 1)

  const store = new SessionStore(rolledBack)
  store.migrate()
  expect(schemaOf(rolledBack)).toBe(MIGRATIONS.length + 1)
  expect(store.lastTurn()).toBeNull()
})

it('[turn-17] tables of older code are completed, with a turn that was running kept', () => {
  const disk = storage()
  disk.sql.exec('CREATE TABLE schema (version INTEGER NOT NULL)')
  disk.sql.exec(MIGRATIONS[0] ?? '')
  disk.sql.exec('INSERT INTO schema (version) VALUES (1)')
  disk.sql.exec(
    "INSERT INTO turns (id, attempt, status, cid, learner, lease, told) VALUES (1, 1, 'running', 'c', 'Hi', 0, 0)",
  )
  const store = new SessionStore(disk)
  store.migrate()
  expect(schemaOf(disk)).toBe(MIGRATIONS.length)
  const turn = store.lastTurn()
  if (!turn) throw new Error('the turn is lost')
  expect(turn).toMatchObject({ id: 1, status: 'running', learner: 'Hi' })
  expect(store.brought(1)).toBeNull()
  const brought = { talked: ['maya'], papers: [], facts: ['rate'], remembered: [] }
  expect(store.keepBrought({ ...turn, attempt: 2 }, brought)).toBe(false)
  expect(store.keepBrought(turn, brought)).toBe(true)
  expect(store.brought(1)).toEqual(brought)
})

it('[version-16] a conversation that stores its scenario itself goes on as it is', () => {
  const disk = oldStorage()
  const info = infoOf(roundGraph)
  disk.sql.exec(
    'INSERT INTO session (id, info, walk) VALUES (1, ?, ?)',
    JSON.stringify(info),
    JSON.stringify(startWalk(roundGraph)),
  )
  const store = new SessionStore(disk)
  store.migrate()
  expect([store.hasBegun(), store.pins()]).toEqual([true, null])
  expect(store.info()).toEqual(info)
  expect(store.facts()).toMatchObject({ session: info.session, learner: info.learner })
})
