/** A value as text that is the same for the same value: keys in order, whatever they are called, and no undefined. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const pairs = Object.entries(value).filter(([, each]) => each !== undefined)
  const sorted = pairs.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${sorted.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join()}}`
}
