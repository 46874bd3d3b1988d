import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createToken, findToken, noteUse } from '../../worker/chain/tokens/tokens.ts'
import { newTokenText } from '../../worker/chain/tokens/token-text.ts'
import { freshScope } from './support/fresh-scope.ts'

const WISH = { name: 'tests', permissions: ['read'], expiresAt: null } as const

/** Returns the database, and a list of the statements that the database receives. */
function noting() {
  const asked: { sql: string; values: unknown[] }[] = []
  const prepare = (sql: string) => ({
    bind: (...values: unknown[]) => {
      asked.push({ sql, values })
      return env.DB.prepare(sql).bind(...values)
    },
  })
  return { asked, db: { prepare } as unknown as D1Database }
}

describe('looking for a token', () => {
  it('[api-6] reads one row by one index, whether the token exists or not', async () => {
    const scope = await freshScope()
    const made = []
    for (let i = 0; i < 50; i++) made.push(await createToken(scope, WISH))
    const { asked, db } = noting()
    expect(await findToken(db, made[7]?.token ?? '', 1)).toMatchObject({ tenant: scope.tenant, id: made[7]?.id })
    expect(await findToken(db, newTokenText(), 1)).toBeNull()
    expect(asked.map(({ sql }) => sql)).toEqual([asked[0]?.sql, asked[0]?.sql])
    for (const { sql, values } of asked) {
      const { meta, results } = await env.DB.prepare(sql)
        .bind(...values)
        .all()
      // A lookup reads one index entry and the token's row.
      expect(meta.rows_read).toBeLessThanOrEqual(results.length * 2)
      const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...values)
        .all<{ detail: string }>()
      expect(plan.results.map(({ detail }) => detail).join()).toMatch(
        /^SEARCH tokens USING INDEX tokens_by_hash \(hash=\?\)$/,
      )
    }
  })

  it('[api-6] asks the database nothing for a text that is no token', async () => {
    const { asked, db } = noting()
    for (const text of ['', 'wkn_', 'x'.repeat(53), `${newTokenText()}x`])
      expect(await findToken(db, text, 1)).toBeNull()
    expect(asked).toEqual([])
  })

  it('[api-6] finds a token until it expires', async () => {
    const scope = await freshScope()
    const { token } = await createToken(scope, { ...WISH, expiresAt: 5_000 })
    expect(await findToken(env.DB, token, 4_999)).not.toBeNull()
    expect(await findToken(env.DB, token, 5_000)).toBeNull()
  })

  it('[api-6] writes its use once a day', async () => {
    const scope = await freshScope()
    const { token } = await createToken(scope, WISH)
    const day = Date.UTC(2026, 10, 20, 12)
    const writes = async (now: number) => {
      const { asked, db } = noting()
      const bearer = await findToken(env.DB, token, now)
      if (bearer === null) throw new Error('no token')
      await noteUse(db, bearer, now)
      return asked.length
    }
    expect([await writes(day), await writes(day + 1), await writes(day + 86_400_000)]).toEqual([1, 0, 1])
  })
})
