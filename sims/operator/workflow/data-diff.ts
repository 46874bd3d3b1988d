import type { Data } from './known.ts'

/** One place in which two states of data differ: the keys that lead there, and what stands there before and after. */
export type Difference = { readonly path: readonly string[] } & (
  | { readonly kind: 'added'; readonly after: unknown }
  | { readonly kind: 'removed'; readonly before: unknown }
  | { readonly kind: 'changed'; readonly before: unknown; readonly after: unknown }
)

/**
 * Where two states of data differ. Objects are compared key by key, and lists place by place, as deep as both are of one
 * kind; what is left is shown whole.
 */
export function dataDiff(before: Data, after: Data): readonly Difference[] {
  return compare([], before, after)
}

function compare(path: readonly string[], before: unknown, after: unknown): readonly Difference[] {
  const [left, right] = [entriesOf(before), entriesOf(after)]
  if (!left || !right || Array.isArray(before) !== Array.isArray(after))
    return isSame(before, after) ? [] : [{ path, kind: 'changed', before, after }]
  const keys = new Set([...left.keys(), ...right.keys()])
  return [...keys].flatMap((key): readonly Difference[] => {
    const here = [...path, key]
    if (!right.has(key)) return [{ path: here, kind: 'removed', before: left.get(key) }]
    if (!left.has(key)) return [{ path: here, kind: 'added', after: right.get(key) }]
    return compare(here, left.get(key), right.get(key))
  })
}

/** Own entries only: a key may be called `__proto__`. */
function entriesOf(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null
}

/** Of values that JSON has, of which two objects or lists never come here together. */
function isSame(before: unknown, after: unknown): boolean {
  return before === after
}
