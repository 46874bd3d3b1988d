import type { ConversationObject } from '../session/session-object.ts'
import type { Config } from '../env.ts'

/** The bindings the platform makes. The settings beside them are read by `readConfig`. */
export interface Bindings {
  readonly CONVERSATIONS: DurableObjectNamespace<ConversationObject>
  /** The chain: contexts, memories and people. */
  readonly DB: D1Database
  /** Rate limits, each counted by location. A deployment without them has none. */
  readonly LIMIT_SESSIONS?: RateLimit
  readonly LIMIT_REQUESTS?: RateLimit
  readonly LIMIT_ADMIN?: RateLimit
}

/** What the doors before a route have found out. */
export interface Found {
  readonly config: Config
  /** The origin of the page that asks; null for a client that is not a page. */
  readonly origin: string | null
}

/** For Hono: the environment of every route. */
export interface DoorEnv {
  Bindings: Bindings
  Variables: Found
}
