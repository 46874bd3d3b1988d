import type { Data } from '../context.ts'

/**
 * Data with other data laid over it, key by key and no deeper (S2-7). `null` is a value like any other.
 *
 * Every key becomes one of the object's own, `__proto__` too: assigning it, as `Object.assign` does, would change what the
 * object is instead (B2-9).
 */
export function mergedData(below: Data, over: Data): Data {
  return Object.fromEntries([...Object.entries(below), ...Object.entries(over)])
}
