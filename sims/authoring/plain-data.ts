import type { Finding } from '../../worker/core/graph/finding.ts'
import { type DataPath, formError } from './finding.ts'

/** The most levels of nesting that a file may have. */
const DEEPEST = 64

/**
 * Finds what a schema can't find: data that is nested too deeply or contains itself, and the key `__proto__`, which a
 * schema ignores.
 */
export function checkPlainData(value: unknown): readonly Finding[] {
  const findings: Finding[] = []
  const queue: DataPart[] = [{ value, path: [] }]
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (next.path.length > DEEPEST) return [formError(next.path.slice(0, 4), 'is nested too deeply')]
    for (const child of childrenOf(next)) {
      if (child.path.at(-1) === '__proto__') findings.push(formError(child.path, 'is not a key this file knows'))
      else queue.push(child)
    }
  }
  return findings
}

interface DataPart {
  readonly value: unknown
  readonly path: DataPath
}

function childrenOf({ value, path }: DataPart): readonly DataPart[] {
  if (Array.isArray(value)) return value.map((item: unknown, index) => ({ value: item, path: [...path, index] }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, item]: [string, unknown]) => ({ value: item, path: [...path, key] }))
}

/** Returns true for data with keys, and false for a list or a single value. */
export function hasKeys(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the part of the data that the keys lead to; undefined if there is none. */
export function partAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => {
    if (Array.isArray(part)) return part[Number(key)]
    return hasKeys(part) ? part[String(key)] : undefined
  }, value)
}
