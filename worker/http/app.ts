import { Hono } from 'hono'
import { revokeSession, showLog, showOutbox, showSession } from './admin.ts'
import type { DoorEnv } from './bindings.ts'
import { createSession } from './create-session.ts'
import { adminOnly, configured, fromAllowedOrigin, limited } from './doors.ts'
import { onError, onNotFound } from './errors.ts'
import { giveCredentials } from './give-credentials.ts'
import { openSocket } from './open-socket.ts'
import { secureHeaders } from './secure-headers.ts'

/** The routing table. Pages and scripts are static files: a request comes here only if there is none of its name. */
export const app = new Hono<DoorEnv>()
  .use('*', secureHeaders)
  .use('/api/sessions/*', configured, fromAllowedOrigin)
  .post('/api/sessions', limited('LIMIT_SESSIONS'), ...createSession)
  .post('/api/sessions/:session/credentials', limited('LIMIT_REQUESTS'), ...giveCredentials)
  .use('/socket.io/*', configured, fromAllowedOrigin)
  .all('/socket.io/*', limited('LIMIT_REQUESTS'), openSocket)
  .use('/api/admin/*', configured, limited('LIMIT_ADMIN'), adminOnly)
  .get('/api/admin/sessions/:session', ...showSession)
  .get('/api/admin/sessions/:session/log', ...showLog)
  .get('/api/admin/sessions/:session/outbox', ...showOutbox)
  .post('/api/admin/sessions/:session/revoke', ...revokeSession)
  .notFound(onNotFound)
  .onError(onError)
