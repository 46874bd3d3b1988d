import type { Problem } from './problem.ts'

/** Levels of nesting that any file of ours could need, with room to spare. */
const DEEPEST = 64

/**
 * What no schema sees: data nested so deeply, or in itself, that reading it would not come to an end, and the key
 * `__proto__`, which a schema passes over in silence.
 */
export function checkPlainData(value: unknown): readonly Problem[] {
  const problems: Problem[] = []
  const queue: Placed[] = [{ value, path: [] }]
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (next.path.length > DEEPEST) return [{ path: next.path.slice(0, 4), message: 'is nested too deeply' }]
    for (const child of childrenOf(next)) {
      if (child.path.at(-1) === '__proto__')
        problems.push({ path: child.path, message: 'is not a key this file knows' })
      else queue.push(child)
    }
  }
  return problems
}

interface Placed {
  readonly value: unknown
  readonly path: Problem['path']
}

function childrenOf({ value, path }: Placed): readonly Placed[] {
  if (Array.isArray(value)) return value.map((item: unknown, index) => ({ value: item, path: [...path, index] }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, item]: [string, unknown]) => ({ value: item, path: [...path, key] }))
}

/** Whether something is data with keys, as against a list or a single value. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
