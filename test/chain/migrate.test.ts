import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { commit, guard } from '../../worker/chain/commit.ts'
import { migrateChain } from '../../worker/chain/migrate.ts'
import { MIGRATIONS } from '../../worker/chain/migrations.ts'
import { firstRow, statement } from '../../worker/chain/scope.ts'
import { freshScope } from './support/fresh-scope.ts'

const SUBJECT = 'INSERT INTO tombstones (tenant, subject, kind, at, running) VALUES (?1, ?2, ?3, 1, 0)'

describe("the chain's tables", () => {
  it('[context-1] are brought up to date once, also by several at once', async () => {
    // Twelve calls run at once, so a call may find that the other calls have done every step of the migration.
    await Promise.all(Array.from({ length: 12 }, () => migrateChain(env.DB)))
    const { results } = await env.DB.prepare('SELECT version FROM chain_schema ORDER BY version').all()
    expect(results.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1))
  })

  it('[context-1] are up to date for the next request, though the first got no answer', async () => {
    let isSilent = true
    let asked = 0
    const db = new Proxy(env.DB, {
      get(target, name) {
        if (isSilent && name === 'prepare') return () => ({ run: () => new Promise(() => {}) })
        asked += 1
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    void migrateChain(db)
    isSilent = false
    await migrateChain(db)
    expect(asked).toBe(2)
    await migrateChain(db)
    expect(asked).toBe(2)
  })

  it('[context-2] a write happens completely or not at all', async () => {
    const scope = await freshScope()
    const writes = [statement(scope, SUBJECT, 'a', 'person'), statement(scope, SUBJECT, 'b', 'no such kind')]
    await expect(commit(scope, { guards: [], writes })).rejects.toThrow(/CHECK/)
    expect(await firstRow(scope, 'SELECT count(*) AS n FROM tombstones WHERE tenant = ?1')).toEqual({ n: 0 })
  })

  it('[context-2] a failed guard undoes everything', async () => {
    const scope = await freshScope()
    const write = [statement(scope, SUBJECT, 'a', 'person')]
    const isThere = 'EXISTS (SELECT 1 FROM tombstones WHERE tenant = ?1 AND subject = ?2)'
    expect(await commit(scope, { guards: [guard(scope, isThere, 'a')], writes: write })).toEqual({ ok: false })
    expect(await commit(scope, { guards: [guard(scope, `NOT ${isThere}`, 'a')], writes: write })).toMatchObject({
      ok: true,
      wrote: [{ changes: 1 }],
    })
    expect(await commit(scope, { guards: [guard(scope, isThere, 'a')], writes: [] })).toEqual({ ok: true, wrote: [] })
  })
})
