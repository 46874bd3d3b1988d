/**
 * Caches a function of two objects that never change, because every turn calls the function with the same objects. A
 * cached value is garbage-collected together with these objects.
 */
export function remembered<A extends object, B extends object, T>(work: (a: A, b: B) => T): (a: A, b: B) => T {
  const known = new WeakMap<A, WeakMap<B, { readonly value: T }>>()
  return (a, b) => {
    const row = known.get(a) ?? new WeakMap<B, { readonly value: T }>()
    const cell = row.get(b) ?? { value: work(a, b) }
    known.set(a, row)
    row.set(b, cell)
    return cell.value
  }
}
