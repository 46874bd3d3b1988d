import { type Chain, freshChain } from './call.ts'

/**
 * Returns a chain on the same tables that runs `meanwhile` just before its first write. If `how` is `always`, the chain
 * runs `meanwhile` before each write.
 */
export function overtaken(
  chain: Chain,
  meanwhile: () => Promise<unknown>,
  how: 'once' | 'always' = 'once',
): Promise<Chain> {
  const { db } = chain.scope
  let isOver = false
  const batch: D1Database['batch'] = async (statements) => {
    if (!isOver) {
      isOver = how === 'once'
      await meanwhile()
    }
    return await db.batch(statements)
  }
  const late = { prepare: (sql: string) => db.prepare(sql), batch } as unknown as D1Database
  return freshChain({ ...chain.scope, db: late })
}
