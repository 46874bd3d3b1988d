import { expect, it } from 'vitest'
import { MIGRATIONS } from '../../worker/session/migrations.ts'
import { SessionStore } from '../../worker/session/session-store.ts'
import { Disk } from '../support/in-process/disk.ts'

const storage = () => new Disk().storage({ isAlive: true })
const schemaOf = ({ sql }: ReturnType<typeof storage>) =>
  sql.exec<{ version: number }>('SELECT version FROM schema').one().version

it('[turn-17] tables are made at the first wake, and left alone at the next', () => {
  const disk = storage()
  const store = new SessionStore(disk)
  store.migrate()
  expect(schemaOf(disk)).toBe(MIGRATIONS.length)
  store.migrate()
  expect(store.lastTurn()).toBeNull()
})

it('[turn-17] tables of newer code are left as they are, and used', () => {
  const rolledBack = storage()
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
