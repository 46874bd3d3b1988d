import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ownScope } from '../../chain/runs/own-scope.ts'
import type { Scope } from '../../chain/scope.ts'
import { type ClassHeld, readClassKey, type RunHeld, readRunKey } from '../../trust/game-credentials.ts'
import type { Bindings, Found } from '../bindings.ts'
import { refused } from '../errors.ts'

/** The type parameter for Hono of every route with a run's key. */
export interface RunEnv {
  Bindings: Bindings
  Variables: Found & {
    /** The run that the request's key names. `runDoor` does not check that the run still exists. */
    readonly run: RunHeld
    readonly chain: Scope
  }
}

/** The type parameter for Hono of every route with a class's key. */
export interface ClassEnv {
  Bindings: Bindings
  Variables: Found & {
    /** The class that the request's key names. `classDoor` does not check that the class still exists. */
    readonly held: ClassHeld
    readonly chain: Scope
  }
}

function bearerKey(c: Context): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,2048})$/i.exec(c.req.header('Authorization') ?? '')?.[1]
}

function withoutKey(c: Context): Response {
  c.header('WWW-Authenticate', 'Bearer')
  return refused(c, 'not-admitted')
}

/**
 * Accepts a request with the key of a run ([game-2]), and sets `run` and `chain`. Every request with an invalid key
 * gets the same refusal, for which the database is not read. A deployment without a database has no runs, and answers
 * 404.
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
 * refusal, and the database is not read.
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
