import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ownScope } from '../../chain/runs/own-scope.ts'
import type { Scope } from '../../chain/scope.ts'
import { type ClassHeld, readClassKey, type RunHeld, readRunKey } from '../../trust/game-credentials.ts'
import type { Bindings, Found } from '../bindings.ts'
import { refused } from '../errors.ts'

/** The Hono environment of every route with a run's key. */
export interface RunEnv {
  Bindings: Bindings
  Variables: Found & {
    /** The run that the request's key names. The run may have been deleted, because `runDoor` does not look it up. */
    readonly run: RunHeld
    /** The deployment's own chain, with its tables up to date. */
    readonly chain: Scope
  }
}

/** The Hono environment of every route with a class's key. */
export interface ClassEnv {
  Bindings: Bindings
  Variables: Found & {
    /**
     * The class that the request's key names. The class may have been deleted, because `classDoor` does not look it up.
     */
    readonly held: ClassHeld
    readonly chain: Scope
  }
}

/** Returns the request's key; undefined if the request has no text that could be a key. */
function bearerKey(c: Context): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,2048})$/i.exec(c.req.header('Authorization') ?? '')?.[1]
}

/** Returns the answer to a request without a valid key. */
function withoutKey(c: Context): Response {
  c.header('WWW-Authenticate', 'Bearer')
  return refused(c, 'not-admitted')
}

/**
 * Accepts a request with the key of a run ([game-2]), and sets `run` and `chain`. Every invalid key gets the same
 * refusal, without a look-up in the database. A deployment without a database has no runs, and answers 404.
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

/**
 * Accepts a request with the key of a class ([class-3]), and sets `held` and `chain`. Every invalid key gets the same
 * refusal, without a look-up in the database.
 */
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
