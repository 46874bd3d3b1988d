import type { ZodError } from 'zod'
import type { Problem } from './problem.ts'

/** What a schema objects to, each at its place; a key that is not known is one problem of its own. */
export function shapeProblems(error: ZodError): readonly Problem[] {
  return error.issues.flatMap(problemsOf)
}

function problemsOf(issue: ZodError['issues'][number]): readonly Problem[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: 'is not a key this file knows' }))
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, message }))
  return [{ path, message: issue.message }]
}
