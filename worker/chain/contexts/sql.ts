import { type Scope, type Statement, statement, type SqlValue } from '../scope.ts'

/** Puts a value into a statement and returns the place it got: `?2`, `?3`, … */
export type Bind = (value: SqlValue) => string

/** A part of a statement that brings its own values. */
export type Sql = (bind: Bind) => string

/** A statement for the tenant, `?1`, out of a part that brings its own values. */
export function statementOf(scope: Pick<Scope, 'tenant'>, sql: Sql): Statement {
  const values: SqlValue[] = []
  const text = sql((value) => `?${values.push(value) + 1}`)
  return statement(scope, text, ...values)
}

/** All of these; true where there are none. */
export function all(conditions: readonly Sql[]): Sql {
  return (bind) => (conditions.length === 0 ? '1' : conditions.map((each) => `(${each(bind)})`).join(' AND '))
}

/** A column of `contexts` that has to be this value. */
export function is(column: string, value: SqlValue): Sql {
  return (bind) => `contexts.${column} = ${bind(value)}`
}

/** As much text as one value of a statement is given; D1 takes 2 MB. */
const MOST_BYTES = 1_000_000

/** A list as one or more JSON lists in its order, none of them larger than a value of a statement may be. */
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
