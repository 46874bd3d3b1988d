/** Returns a value as text that is equal for equal values: with sorted keys and without undefined values. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const pairs = Object.entries(value).filter(([, each]) => each !== undefined)
  const sorted = pairs.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${sorted.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join()}}`
}
