import { type Scope, type Statement, statement, type SqlValue } from '../scope.ts'

/** Adds a value to a statement and returns its placeholder: `?2`, `?3`, … */
export type Bind = (value: SqlValue) => string

/** A part of a statement that binds its own values. */
export type Sql = (bind: Bind) => string

/** Makes a statement for the tenant (`?1`) from a part that binds its own values. */
export function statementOf(scope: Pick<Scope, 'tenant'>, sql: Sql): Statement {
  const values: SqlValue[] = []
  const text = sql((value) => `?${values.push(value) + 1}`)
  return statement(scope, text, ...values)
}

/** Joins conditions by AND. An empty list makes a condition that is always true. */
export function all(conditions: readonly Sql[]): Sql {
  return (bind) => (conditions.length === 0 ? '1' : conditions.map((each) => `(${each(bind)})`).join(' AND '))
}

/** Returns the condition that a column of `contexts` has a value. */
export function is(column: string, value: SqlValue): Sql {
  return (bind) => `contexts.${column} = ${bind(value)}`
}

/** The most bytes of one bound value; D1 allows 2 MB. */
const MOST_BYTES = 1_000_000

/**
 * Splits a list into several JSON lists, in order. Each JSON list is small enough for one bound value of a statement.
 */
export function inParts(list: readonly unknown[]): readonly string[] {
  const parts: string[] = []
  let part: string[] = []
  let bytes = 0
  for (const text of list.map((each) => JSON.stringify(each))) {
    const size = new TextEncoder().encode(text).length
    if (part.length > 0 && bytes + size > MOST_BYTES) {
      parts.push(`[${part.join(',')}]`)
      part = []
      bytes = 0
    }
    part.push(text)
    bytes += size + 1
  }
  return part.length > 0 ? [...parts, `[${part.join(',')}]`] : parts
}
