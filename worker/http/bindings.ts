import type { ConversationObject } from '../session/session-object.ts'
import type { Config } from '../env.ts'

/**
 * The Worker's bindings to services of the platform. The rest of the Worker's environment is settings, which
 * `readConfig` reads.
 */
export interface Bindings {
  readonly CONVERSATIONS: DurableObjectNamespace<ConversationObject>
  /** The chain: contexts, memories and people. */
  readonly DB: D1Database
  /**
   * Rate limits, each counted separately in each location of the platform. A deployment without these bindings has no
   * rate limits.
   */
  readonly LIMIT_SESSIONS?: RateLimit
  readonly LIMIT_REQUESTS?: RateLimit
  readonly LIMIT_ADMIN?: RateLimit
}

/** The values that the middleware before a route has set. */
export interface Found {
  readonly config: Config
  /** The origin of the requesting page; null for a client that is not a page. */
  readonly origin: string | null
}

/** The Hono environment of every route. */
export interface DoorEnv {
  Bindings: Bindings
  Variables: Found
}
