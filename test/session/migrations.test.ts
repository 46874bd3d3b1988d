import { expect, it } from 'vitest'
import { type MigrationRecord, readRecord, migrationRecord } from '../../scripts/record-migrations.ts'
import { MIGRATIONS as CHAIN } from '../../worker/chain/migrations.ts'
import { MIGRATIONS as SESSION } from '../../worker/session/migrations.ts'

it('[compat-2] the recorded hashes are those of the migrations', () => {
  const record = readRecord()
  const howTo =
    'a migration changed: run `node scripts/record-migrations.ts`, then `oxfmt`; it refuses to change a released one'
  expect(migrationRecord({ session: SESSION, chain: CHAIN }, record), howTo).toEqual(record)
})

it('[compat-1] before the first release a migration may change, after it there may only be more of them', () => {
  const none: MigrationRecord = { released: false, session: [], chain: [] }
  const first = migrationRecord({ session: ['a'], chain: [['b']] }, none)
  expect(migrationRecord({ session: ['A'], chain: [['b']] }, first)).not.toEqual(first)

  const released = migrationRecord({ session: ['a'], chain: [['b']] }, first, true)
  expect(released).toEqual({ ...first, released: true })
  const further = migrationRecord({ session: ['a', 'c'], chain: [['b']] }, released)
  expect(further).toMatchObject({ released: true, session: [...first.session, expect.any(String)], chain: first.chain })
  for (const session of [['A'], [], ['c', 'a']])
    expect(() => migrationRecord({ session, chain: [['b']] }, released)).toThrow(
      'step 1 of worker/session/migrations.ts',
    )
  expect(() => migrationRecord({ session: ['a'], chain: [['b', 'd']] }, released)).toThrow('append a new step')
})
