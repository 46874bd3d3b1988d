import type { ZodError } from 'zod'
import type { Problem } from './problem.ts'

/**
 * What a schema objects to, each at its place; a key that is not known is one problem of its own. The words are
 * `inWords`', which the parse has to be given.
 */
export function shapeProblems(error: ZodError): readonly Problem[] {
  return error.issues.flatMap(problemsOf)
}

function problemsOf(issue: ZodError['issues'][number]): readonly Problem[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  if (issue.code === 'unrecognized_keys') {
    const lines = issue.message.split('\n')
    return issue.keys.map((key, i) => ({ path: [...path, key], message: lines[i] ?? issue.message }))
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, message }))
  return [{ path, message: issue.message }]
}
