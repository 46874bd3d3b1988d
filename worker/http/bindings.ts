import type { ConversationObject } from '../session/session-object.ts'
import type { Config } from '../env.ts'

/**
 * The services of the platform that the Worker uses, such as the database. `readConfig` reads the settings, which are
 * in the same object.
 */
export interface Bindings {
  readonly CONVERSATIONS: DurableObjectNamespace<ConversationObject>
  /** The chain: contexts, memories and people. */
  readonly DB: D1Database
  /** The static files. */
  readonly ASSETS?: Fetcher
  /**
   * The rate limits. Each of Cloudflare's data centres counts separately. A deployment without these bindings has no
   * rate limits.
   */
  readonly LIMIT_SESSIONS?: RateLimit
  readonly LIMIT_REQUESTS?: RateLimit
  readonly LIMIT_ADMIN?: RateLimit
}

/** The values that middleware sets before a route runs. */
export interface Found {
  readonly config: Config
  /** The origin of the requesting page; null for a client that is not a page. */
  readonly origin: string | null
}

/** The type parameter that every route passes to Hono: the Worker's bindings, and the values that middleware sets. */
export interface DoorEnv {
  Bindings: Bindings
  Variables: Found
}
