/** Returns a database that records each distinct statement with its values. */
export function watchingDatabase(db: D1Database): { readonly db: D1Database; readonly asked: Map<string, unknown[]> } {
  const asked = new Map<string, unknown[]>()
  const watched = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => {
          const statement = target.prepare(sql)
          return {
            bind: (...values: unknown[]) => {
              asked.set(sql, values)
              return statement.bind(...values)
            },
          }
        }
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { db: watched, asked }
}

/** Returns the steps of SQLite's query plans that read a whole table, or all rows of a tenant in one table. */
export async function widePlans(db: D1Database, asked: Map<string, unknown[]>): Promise<readonly string[]> {
  const wide: string[] = []
  for (const [sql, values] of asked) {
    const { results } = await db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...values)
      .all<{ detail: string }>()
    const lines = results.map(({ detail }) => detail).filter((detail) => isWide(detail))
    wide.push(...lines.map((line) => `${line}: ${sql.replaceAll(/\s+/g, ' ')}`))
  }
  return wide
}

const TABLES = 'contexts|context_versions|memories|facts|sessions|tombstones|erasures|erasure_subjects|[a-z]'

function isWide(detail: string): boolean {
  return new RegExp(`^SCAN (?:${TABLES})(?: USING|$)`).test(detail) || detail.endsWith('(tenant=?)')
}
