import { expect, it } from 'vitest'
import { MIGRATIONS } from '../../worker/session/migrations.ts'
import { phaseOf } from '../../worker/session/phase.ts'
import { SessionStore } from '../../worker/session/session-store.ts'
import { Disk } from '../support/in-process/disk.ts'

const storage = () => new Disk().storage({ isAlive: true })
const schemaOf = ({ sql }: ReturnType<typeof storage>) =>
  sql.exec<{ version: number }>('SELECT version FROM schema').one().version

it('[turn-17] [turn-2] tables of before turns were kept are brought up to date, with a turn that runs in them', () => {
  const old = storage()
  old.sql.exec('CREATE TABLE schema (version INTEGER NOT NULL)')
  for (const step of MIGRATIONS.slice(0, 3)) old.sql.exec(step)
  old.sql.exec('INSERT INTO schema (version) VALUES (3)')
  const insert = 'INSERT INTO turns (id, attempt, status, cid, learner, lease) VALUES (?, 1, ?, ?, ?, 5)'
  old.sql.exec(insert, 1, 'done', 'c1', 'Hello')
  old.sql.exec(insert, 2, 'running', 'c2', 'And then?')

  const store = new SessionStore(old)
  store.migrate()
  expect(schemaOf(old)).toBe(MIGRATIONS.length)
  const last = store.lastTurn()
  expect(last).toMatchObject({ id: 2, status: 'running', learner: 'And then?', page: null })
  expect(store.loop(2)).toBeNull()
  expect([store.epoch(), store.attempts()]).toEqual([0, 2])
  expect(last && phaseOf(last, null, null)).toBe('accepted')
  store.migrate()
  expect(store.lastTurn()).toEqual(last)
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
