import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ownScope } from '../../chain/runs/own-scope.ts'
import type { Scope } from '../../chain/scope.ts'
import { type ClassHeld, readClassKey, type RunHeld, readRunKey } from '../../trust/game-credentials.ts'
import type { Bindings, Found } from '../bindings.ts'
import { refused } from '../errors.ts'

/** For Hono: the environment of every route that is asked with a run's key. */
export interface RunEnv {
  Bindings: Bindings
  Variables: Found & {
    /** The run whose key the request brought. Whether it is there still, nobody has looked. */
    readonly run: RunHeld
    /** The deployment's own chain, with its tables up to date. */
    readonly chain: Scope
  }
}

/** For Hono: the environment of every route that is asked with a class's key. */
export interface ClassEnv {
  Bindings: Bindings
  Variables: Found & {
    /** The class whose key the request brought. Whether it is there still, nobody has looked. */
    readonly held: ClassHeld
    readonly chain: Scope
  }
}

/** The key that a request brings; undefined when it brings none that could be one. */
export function bearerKey(c: Context): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,2048})$/i.exec(c.req.header('Authorization') ?? '')?.[1]
}

/** The answer to whoever brings no key that is to be believed. */
export function withoutKey(c: Context): Response {
  c.header('WWW-Authenticate', 'Bearer')
  return refused(c, 'not-admitted')
}

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
