import * as z from 'zod'
import { type OperationName, operations } from '../../../worker/chain/api/operations.ts'
import type { Operation } from '../../../worker/chain/api/operation.ts'
import { type RequestPart, problemsOf } from '../../../worker/http/chain/problems.ts'

/**
 * Returns the problems that validation finds in a part of a request. Each problem is a text with its code and the JSON
 * pointer of the wrong field.
 */
export function problemsFound(name: OperationName, part: RequestPart, value: unknown): readonly string[] {
  const operation: Operation = operations[name]
  const read = (operation[part] ?? z.strictObject({})).safeParse(value)
  return read.success ? [] : problemsOf(part, read.error, value).map(({ code, pointer }) => `${code} ${pointer}`)
}
