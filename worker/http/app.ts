import { Hono } from 'hono'
import { revokeSession, showLog, showOutbox, showSession, showState, showTold } from './admin.ts'
import type { DoorEnv } from './bindings.ts'
import { chainRoutes } from './chain/chain-routes.ts'
import { showDocs, showExportSchema, showOpenApi } from './chain/show-api.ts'
import { endToken, giveToken, showTokens } from './chain/tokens.ts'
import { branchSession } from './branch-session.ts'
import { createSession } from './create-session.ts'
import { adminOnly, configured, fromAllowedOrigin, limited, secureHeaders } from './doors.ts'
import { describeSession } from './describe-session.ts'
import { listSessions } from './list-sessions.ts'
import { eraseSession } from './erase-session.ts'
import { onError, onNotFound } from './errors.ts'
import { checkResult } from './game/debrief.ts'
import { classRoutes } from './game/class-routes.ts'
import { runRoutes } from './game/run-routes.ts'
import { postRun } from './game/start-run.ts'
import { setNpcState, showNpcState } from './npc-state.ts'
import { postScenario, showScenarios, withdraw } from './scenarios/admin-scenarios.ts'
import { showCards } from './scenarios/show-cards.ts'
import { giveCredentials } from './give-credentials.ts'
import { openSocket } from './open-socket.ts'
import { showToldTo } from './show-told.ts'
import { unreadBodies } from './small-body.ts'
import { createFactory } from 'hono/factory'
import { DEVELOPMENT_TOKEN } from '../chain/tokens/token-text.ts'
import { ownPagesOnly } from './chain/bearer-door.ts'

const factory = createFactory<DoorEnv>()

/**
 * `GET /api/operator`: returns the public development token if no `WALKON_TOKEN_KEYS` are set ([operator-2]). Without
 * these keys, the middleware `configured` refuses every request whose URL does not name this machine or a host in a
 * private network.
 */
const showOperator = factory.createHandlers(configured, limited('LIMIT_REQUESTS'), ownPagesOnly, (c) =>
  c.json({ developmentToken: c.var.config.trust.isDevelopment ? DEVELOPMENT_TOKEN : null }),
)

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
  .use('/api/runs', configured, fromAllowedOrigin)
  .post('/api/runs', limited('LIMIT_SESSIONS'), ...postRun)
  .use('/api/results', configured, fromAllowedOrigin)
  .post('/api/results', limited('LIMIT_REQUESTS'), ...checkResult)
  .use('/socket.io/*', configured, fromAllowedOrigin)
  .all('/socket.io/*', limited('LIMIT_REQUESTS'), openSocket)
  .use('/api/admin/*', configured, limited('LIMIT_ADMIN'), adminOnly)
  .get('/api/admin/sessions/:session', ...showSession)
  .get('/api/admin/sessions/:session/log', ...showLog)
  .get('/api/admin/sessions/:session/outbox', ...showOutbox)
  .get('/api/admin/sessions/:session/told', ...showTold)
  .get('/api/admin/sessions/:session/state', ...showState)
  .post('/api/admin/sessions/:session/revoke', ...revokeSession)
  .get('/api/admin/sessions/:session/npc-state', ...showNpcState)
  .put('/api/admin/sessions/:session/npc-state', ...setNpcState)
  .get('/api/admin/scenarios', ...showScenarios)
  .post('/api/admin/scenarios', ...postScenario)
  .post('/api/admin/scenarios/:id/:version/withdraw', ...withdraw)
  .get('/api/admin/tenants/:tenant/tokens', ...showTokens)
  .post('/api/admin/tenants/:tenant/tokens', ...giveToken)
  .post('/api/admin/tenants/:tenant/tokens/:token/revoke', ...endToken)
  .get('/scenarios.json', configured, limited('LIMIT_REQUESTS'), ...showCards)
  .get('/api/operator', ...showOperator)
  .get('/api/told/:session', ...showToldTo)
  .get('/api/openapi.json', ...showOpenApi)
  .get('/api/docs', ...showDocs)
  .get('/api/schema/person-export-1.json', ...showExportSchema)
  .route('/', runRoutes)
  .route('/', classRoutes)
  .route('/', chainRoutes)
  .notFound(onNotFound)
  .onError(onError)
