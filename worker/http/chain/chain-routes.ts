import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { handlers } from '../../chain/api/handlers.ts'
import type { Operation } from '../../chain/api/operation.ts'
import { type OperationName, operations } from '../../chain/api/operations.ts'
import { isGrantable, requireGrant } from '../../chain/grants/reader.ts'
import { migrateChain } from '../../chain/migrate.ts'
import { exportPersonStream } from '../../chain/people/export-person.ts'
import type { Scope } from '../../chain/scope.ts'
import type { Bearer } from '../../chain/tokens/tokens.ts'
import { log } from '../../log.ts'
import { configured, limited } from '../doors.ts'
import { refused } from '../errors.ts'
import { bodyUpTo } from '../small-body.ts'
import { answerProblems, answerThrown } from './answer-error.ts'
import { bearing, type ChainEnv, ownPagesOnly } from './bearer-door.ts'
import { readRequest } from './read-request.ts'
import { scopeOf } from './scope-of.ts'

/** The largest body of a request, in bytes: enough to create many contexts with their data at once. */
const MOST_BYTES = 262_144

const small = bodyUpTo(MOST_BYTES)

/** The routes of all operations of the API. If a path has no operation for a request's method, the answer is 405. */
export const chainRoutes = routesOf(Object.entries(operations) as [OperationName, Operation][])

function routesOf(entries: readonly (readonly [OperationName, Operation])[]): Hono<ChainEnv> {
  const routes = new Hono<ChainEnv>()
  // Paths with fewer parameters come first: `/api/contexts/{context}` also matches a request for `/api/contexts/count`.
  const ordered = entries.toSorted(([, a], [, b]) => a.path.split('{').length - b.path.split('{').length)
  for (const [path, here] of Map.groupBy(ordered, ([, operation]) => honoPath(operation.path))) {
    for (const [name, operation] of here) {
      const before = [
        configured,
        limited('LIMIT_REQUESTS'),
        audited(name),
        ownPagesOnly,
        bearing(name, operation.needs),
      ] as const
      routes.on(operation.method, path, ...before, small, (c) => run(c, name, operation))
    }
    const allow = here.flatMap(([, { method }]) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    routes.all(path, (c) => {
      c.header('Allow', allow)
      return refused(c, 'wrong-method')
    })
  }
  return routes
}

async function run(c: Context<ChainEnv>, name: OperationName, operation: Operation): Promise<Response> {
  const isEmpty = (await c.req.arrayBuffer()).byteLength === 0
  if (!isEmpty && !JSON_TYPE.test(c.req.header('Content-Type') ?? '')) return refused(c, 'wrong-media-type')
  const read = await readRequest(c, operation)
  if (!read.ok) return answerProblems(c, read.problems)
  const { tenant, name: by } = c.var.bearer
  try {
    // The compiler cannot know that this handler's input has been checked by the schemas of the same operation.
    const handler = handlers[name] as (scope: Scope, input: unknown) => Promise<object>
    const scope = scopeOf(c.env, c.var.config, { tenant, by })
    await migrateChain(scope.db)
    const { reader } = c.var
    if (reader && isGrantable(name)) await requireGrant(scope, reader, name, read.input)
    // An export may be larger than memory, so it is sent while the database is read.
    if (name === 'exportPerson') return file(c, await exportPersonStream(scope, String(read.input['user'])))
    const output = await handler(scope, read.input)
    return operation.media === 'text/csv' ? csv(c, output) : c.json(output, operation.status)
  } catch (error) {
    return answerThrown(c, error, name)
  }
}

/** Matches the media type of JSON in UTF-8. */
const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

function csv(c: Context<ChainEnv>, output: object): Response {
  const { csv: text, next } = table.parse(output)
  if (next !== null) c.header('Walkon-Next', next)
  c.header('Content-Type', 'text/csv; charset=utf-8')
  c.header('Content-Disposition', 'attachment; filename="contexts.csv"')
  return c.body(text)
}

function file(c: Context<ChainEnv>, stream: ReadableStream<Uint8Array>): Response {
  c.header('Content-Type', 'application/json')
  c.header('Content-Disposition', 'attachment; filename="person-export.json"')
  return c.body(stream)
}

const table = operations.exportContexts.answer

/** Logs every request: the operation, the tenant, the token's name and the status. */
function audited(operation: OperationName) {
  return createMiddleware<ChainEnv>(async function note(c, next) {
    await next()
    const bearer = c.get('bearer') as Bearer | undefined
    const { tenant = null, name = null } = bearer ?? {}
    log('chain', { operation, tenant, token: name, status: c.res.status })
  })
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
