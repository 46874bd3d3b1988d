/** Returns a function that makes a value when it is first called, and then always returns that value. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}
