import { Hono } from 'hono'
import type { DoorEnv } from './bindings.ts'
import { createSession } from './create-session.ts'
import { branchSession } from './branch-session.ts'
import { configured, fromAllowedOrigin, limited, secureHeaders } from './doors.ts'
import { describeSession } from './describe-session.ts'
import { listSessions } from './list-sessions.ts'
import { eraseSession } from './erase-session.ts'
import { onError, onNotFound } from './errors.ts'
import { showCards } from './scenarios/show-cards.ts'
import { giveCredentials } from './give-credentials.ts'
import { openSocket } from './open-socket.ts'
import { unreadBodies } from './small-body.ts'

/** Where the routes of the game's page are. */
const GAME = ['/api/run/*', '/api/runs', '/api/results', '/api/class/*', '/api/classes/*']

/** Where the routes of operators and of other servers are. */
const LATER = [
  '/api/admin/*',
  '/api/operator',
  '/api/told/*',
  '/api/openapi.json',
  '/api/docs',
  '/api/schema/*',
  '/api/contexts/*',
  '/api/memories/*',
  '/api/people/*',
  '/api/erasures/*',
  '/api/grants/*',
]

/**
 * All routes of the Worker. The platform itself serves static files, such as pages and scripts; a request arrives here
 * only if no file has its path.
 */
export const app = new Hono<DoorEnv>()
  .use('*', unreadBodies, secureHeaders)
  .use('/api/sessions/*', configured, fromAllowedOrigin)
  .post('/api/sessions', limited('LIMIT_SESSIONS'), ...createSession)
  .post('/api/sessions/list', limited('LIMIT_REQUESTS'), ...listSessions)
  .post('/api/sessions/:session/credentials', limited('LIMIT_REQUESTS'), ...giveCredentials)
  .post('/api/sessions/:session/metadata', limited('LIMIT_REQUESTS'), ...describeSession)
  .post('/api/sessions/:session/branch', limited('LIMIT_SESSIONS'), ...branchSession)
  .post('/api/sessions/:session/erase', limited('LIMIT_REQUESTS'), ...eraseSession)
  .use('/socket.io/*', configured, fromAllowedOrigin)
  .all('/socket.io/*', limited('LIMIT_REQUESTS'), openSocket)
  .get('/scenarios.json', configured, limited('LIMIT_REQUESTS'), ...showCards)
  // Loaded when they are first needed: most of a cold start is the making of schemas.
  .on('ALL', GAME, async (c) => {
    const { gameRoutes } = await import('./game/game-routes.ts')
    return gameRoutes.fetch(c.req.raw, c.env, c.executionCtx)
  })
  .on('ALL', LATER, async (c) => {
    const { laterRoutes } = await import('./later-routes.ts')
    return laterRoutes.fetch(c.req.raw, c.env, c.executionCtx)
  })
  .notFound(onNotFound)
  .onError(onError)
