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
