import { createMiddleware } from 'hono/factory'
import { ownScope } from '../../chain/runs/own-scope.ts'
import { readClassKey } from '../../trust/class-key.ts'
import { refused } from '../errors.ts'
import { bearerKey, withoutKey } from './bearer-key.ts'
import type { ClassEnv } from './class-env.ts'

/** Lets in who brings the key of a class ([class-3]). Whatever is wrong with a key, it is the same refusal, and nothing is looked up. */
export const classDoor = createMiddleware<ClassEnv>(async (c, next) => {
  const { trust } = c.var.config
  const key = bearerKey(c)
  const held = key === undefined ? null : await readClassKey(trust.signing, key, Date.now())
  if (held === null) return withoutKey(c)
  const chain = await ownScope(c.env, trust)
  if (chain === null) return refused(c, 'not-found')
  c.set('held', held)
  c.set('chain', chain)
  await next()
})
