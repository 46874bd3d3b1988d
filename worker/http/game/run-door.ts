import { createMiddleware } from 'hono/factory'
import { ownScope } from '../../chain/runs/own-scope.ts'
import { readRunKey } from '../../trust/run-key.ts'
import { refused } from '../errors.ts'
import { bearerKey, withoutKey } from './bearer-key.ts'
import type { RunEnv } from './run-env.ts'

/**
 * Lets in who brings the key of a run ([game-2]), and finds the chain it stands in. Whatever is wrong with a key, it is the same
 * refusal, and nothing is looked up for it. A deployment without a database has no runs, and nothing at this address.
 */
export const runDoor = createMiddleware<RunEnv>(async (c, next) => {
  const { trust } = c.var.config
  const key = bearerKey(c)
  const run = key === undefined ? null : await readRunKey(trust.signing, key, Date.now())
  if (run === null) return withoutKey(c)
  const chain = await ownScope(c.env, trust)
  if (chain === null) return refused(c, 'not-found')
  c.set('run', run)
  c.set('chain', chain)
  await next()
})
