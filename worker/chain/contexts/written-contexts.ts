import type { Committed } from '../commit.ts'
import type { Context } from '../context.ts'
import { type Scope, type Statement, statement } from '../scope.ts'
import { contextOf, type ContextRow, CONTEXTS_BY_ID } from './read-context.ts'

/** As the last of a commit's writes: these contexts as they stand after the others. */
export function theseContexts(scope: Scope, ids: readonly string[]): Statement {
  return statement(scope, CONTEXTS_BY_ID, JSON.stringify(ids))
}

/** What `theseContexts` has answered. */
export function written(done: Extract<Committed, { ok: true }>): readonly Context[] {
  const rows = done.wrote.at(-1)?.rows ?? []
  return rows.map((row) => contextOf(row as unknown as ContextRow))
}
