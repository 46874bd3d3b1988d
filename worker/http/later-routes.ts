import { createFactory } from 'hono/factory'
import { Hono } from 'hono'
import { DEVELOPMENT_TOKEN } from '../chain/tokens/token-text.ts'
import { revokeSession, showLog, showOutbox, showSession, showState, showTold } from './admin.ts'
import type { DoorEnv } from './bindings.ts'
import { ownPagesOnly } from './chain/bearer-door.ts'
import { chainRoutes } from './chain/chain-routes.ts'
import { showDocs, showExportSchema, showOpenApi } from './chain/show-api.ts'
import { endToken, giveToken, showTokens } from './chain/tokens.ts'
import { adminOnly, configured, limited } from './doors.ts'
import { onError, onNotFound } from './errors.ts'
import { setNpcState, showNpcState } from './npc-state.ts'
import { postScenario, showScenarios, withdraw } from './scenarios/admin-scenarios.ts'
import { showToldTo } from './show-told.ts'

const factory = createFactory<DoorEnv>()

/**
 * `GET /api/operator`: returns the public development token if no `WALKON_TOKEN_KEYS` are set ([operator-2]). Without
 * these keys, the middleware `configured` refuses every request whose URL does not name this machine or a host in a
 * private network.
 */
const showOperator = factory.createHandlers(configured, limited('LIMIT_REQUESTS'), ownPagesOnly, (c) =>
  c.json({ developmentToken: c.var.config.trust.isDevelopment ? DEVELOPMENT_TOKEN : null }),
)

/** The routes of operators and of other servers. `app.ts` loads them with the first request for one of them. */
export const laterRoutes = new Hono<DoorEnv>()
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
  .get('/api/operator', ...showOperator)
  .get('/api/told/:session', ...showToldTo)
  .get('/api/openapi.json', ...showOpenApi)
  .get('/api/docs', ...showDocs)
  .get('/api/schema/person-export-1.json', ...showExportSchema)
  .route('/', chainRoutes)
  .notFound(onNotFound)
  .onError(onError)
