import { readFileSync, writeFileSync } from 'node:fs'
import { fingerprint } from '../worker/core/graph/hash.ts'

/** The hash of every migration, oldest first, for each store. */
export interface MigrationRecord {
  /** Whether there was a release. After the first release, a recorded hash must never change. */
  readonly released: boolean
  readonly session: readonly string[]
  readonly chain: readonly string[]
}

const RECORD = 'test/fixtures/migrations.json'

/** The migrations of each store in the current code. */
export interface Migrations {
  readonly session: readonly unknown[]
  readonly chain: readonly unknown[]
}

/**
 * Makes the record of the hashes of the given migrations.
 *
 * @param before the record so far
 * @throws Error if a released migration was changed or removed; the message tells what to do instead
 */
export function migrationRecord(migrations: Migrations, before: MigrationRecord, isRelease = false): MigrationRecord {
  return {
    released: before.released || isRelease,
    session: hashes('session', migrations, before),
    chain: hashes('chain', migrations, before),
  }
}

function hashes(store: keyof Migrations, migrations: Migrations, { released, ...before }: MigrationRecord) {
  const now = migrations[store].map((step) => fingerprint({ step }))
  const changed = released ? before[store].findIndex((hash, at) => hash !== now[at]) : -1
  if (changed >= 0)
    throw new Error(
      `step ${changed + 1} of worker/${store}/migrations.ts was released and differs now: restore it, and append a new step`,
    )
  return now
}

export function readRecord(): MigrationRecord {
  return JSON.parse(readFileSync(RECORD, 'utf8')) as MigrationRecord
}

if (import.meta.main) {
  const session = (await import('../worker/session/migrations.ts')).MIGRATIONS
  const chain = (await import('../worker/chain/migrations.ts')).MIGRATIONS
  const record = migrationRecord({ session, chain }, readRecord(), process.argv.includes('--release'))
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`)
  console.log(`wrote ${RECORD}: ${record.session.length} and ${record.chain.length} migrations`)
}
