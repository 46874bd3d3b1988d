import { createFactory } from 'hono/factory'
import { DEVELOPMENT_TOKEN } from '../chain/tokens/token-text.ts'
import type { DoorEnv } from './bindings.ts'
import { ownPagesOnly } from './chain/bearer-door.ts'
import { configured, limited } from './doors.ts'

const factory = createFactory<DoorEnv>()

/**
 * `GET /api/operator`: the token that everybody knows, where the deployment has no keys of its own ([operator-2]).
 * `configured` serves such a deployment to nobody from outside.
 */
export const showOperator = factory.createHandlers(configured, limited('LIMIT_REQUESTS'), ownPagesOnly, (c) =>
  c.json({ developmentToken: c.var.config.trust.isDevelopment ? DEVELOPMENT_TOKEN : null }),
)
