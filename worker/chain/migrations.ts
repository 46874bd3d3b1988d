import { CLASSES_1 } from './tables/classes.ts'
import { CONTEXT_COUNTS_1 } from './tables/context-counts.ts'
import { CONTEXT_TEXT_1 } from './tables/context-text.ts'
import { CONTEXTS_1 } from './tables/contexts.ts'
import { MEMORIES_1 } from './tables/memories.ts'
import { PEOPLE_1 } from './tables/people.ts'
import { PLAYS_1 } from './tables/plays.ts'
import { SESSIONS_1 } from './tables/sessions.ts'
import { TOKENS_1 } from './tables/tokens.ts'

/**
 * The chain's tables, as numbered steps of statements. A step that has landed is never edited: a database that took it
 * does not take it again. Every table begins with its tenant, and so does every index but that of tokens.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  CONTEXTS_1,
  SESSIONS_1,
  MEMORIES_1,
  TOKENS_1,
  CONTEXT_COUNTS_1,
  CONTEXT_TEXT_1,
  PEOPLE_1,
  PLAYS_1,
  CLASSES_1,
]
