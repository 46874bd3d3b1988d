import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import type { Bindings } from './bindings.ts'
import { createSession } from './create-session.ts'
import { onError, onNotFound } from './errors.ts'
import { openSocket } from './open-socket.ts'

/** The routing table. Pages and scripts are static files: a request comes here only if there is none of its name. */
export const app = new Hono<{ Bindings: Bindings }>()
  .use('/api/*', cors({ origin: '*', allowMethods: ['POST'], allowHeaders: ['content-type'], maxAge: 86_400 }))
  .use('/api/*', secureHeaders({ crossOriginResourcePolicy: 'cross-origin' }))
  .post('/api/sessions', ...createSession)
  .all('/socket.io/*', openSocket)
  .notFound(onNotFound)
  .onError(onError)
