import { CLASS_DOORS, CLASS_TABLES } from './tables/classes.ts'
import { CONTEXT_COUNTERS } from './tables/context-counts.ts'
import { CONTEXT_WORDS } from './tables/context-text.ts'
import { COMMIT_GUARDS, CONTEXT_TABLES } from './tables/contexts.ts'
import { GRANT_TABLES } from './tables/grants.ts'
import { MEMORY_TABLES } from './tables/memories.ts'
import { ERASURE_TABLES } from './tables/people.ts'
import { SCENARIO_TABLES } from './tables/scenarios.ts'
import { PLAY_TABLES, SESSION_TABLES } from './tables/sessions.ts'
import { TOKEN_TABLES } from './tables/tokens.ts'

/**
 * The steps that create the chain's tables, each a list of SQL statements. A released step never changes, because a
 * database runs each step only once. Every record has a tenant. Every index begins with the tenant, except the index of
 * tokens' hashes and the full-text indexes.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    ...COMMIT_GUARDS,
    ...CONTEXT_TABLES,
    ...SESSION_TABLES,
    ...MEMORY_TABLES,
    ...TOKEN_TABLES,
    ...CONTEXT_COUNTERS,
    ...CONTEXT_WORDS,
    ...ERASURE_TABLES,
    ...PLAY_TABLES,
    ...CLASS_TABLES,
  ],
  CLASS_DOORS,
  SCENARIO_TABLES,
  GRANT_TABLES,
]
