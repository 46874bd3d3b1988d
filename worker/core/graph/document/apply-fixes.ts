import { type Finding, type Fix, keysOf } from '../finding.ts'

/**
 * Returns a copy of a document (plain data) with every fix of the findings applied. A fix for a place that does not
 * exist is skipped. A fix refers to a state by its name, whether the document's states are a map or a list.
 */
export function applyFixes(json: unknown, findings: readonly Finding[]): unknown {
  const fixes = findings.flatMap(({ fix }) => fix ?? [])
  // A removal shifts the later items of a list. So values are set first, and items are removed from the end of a list
  // to its beginning.
  const values = fixes.filter((fix) => 'value' in fix)
  const removals = distinct(fixes.filter((fix) => 'remove' in fix)).toSorted((a, b) => indexOf(b) - indexOf(a))
  return [...values, ...removals].reduce(withFix, json)
}

function withFix(json: unknown, fix: Fix): unknown {
  return changed(json, keysOf(fix.at), fix, true)
}

function changed(value: unknown, keys: readonly string[], fix: Fix, isRoot = false): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return 'value' in fix ? fix.value : value
  if (Array.isArray(value)) return changedList(value, key, rest, fix)
  if (typeof value !== 'object' || value === null) return value
  if (rest.length === 0 && 'remove' in fix)
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
  const child: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
  if (child === undefined && rest.length > 0) return value
  const states: unknown = isRoot && key === 'states' && Array.isArray(child) ? inList(child, rest, fix) : null
  return { ...value, [key]: states ?? changed(child, rest, fix) }
}

function changedList(list: readonly unknown[], key: string, rest: readonly string[], fix: Fix): readonly unknown[] {
  const index = Number(key)
  if (!Number.isInteger(index) || index < 0 || index >= list.length) return list
  if (rest.length === 0 && 'remove' in fix) return list.toSpliced(index, 1)
  return list.with(index, changed(list[index], rest, fix))
}

/** Applies a fix to a state in a list. The fix's pointer contains the state's name instead of an index. */
function inList(states: readonly unknown[], [name, ...rest]: readonly string[], fix: Fix): readonly unknown[] {
  return states.map((state) => (nameOf(state) === name ? changed(state, rest, fix) : state))
}

function nameOf(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'name' in state ? state.name : undefined
}

function indexOf({ at }: Fix): number {
  return Number(keysOf(at).at(-1)) || 0
}

function distinct(fixes: readonly Fix[]): readonly Fix[] {
  return [...new Map(fixes.map((fix) => [fix.at, fix])).values()]
}
