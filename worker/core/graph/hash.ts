/**
 * Returns a hash of plain data in 16 hexadecimal digits. Equal data has the same hash, whatever the order of its keys.
 * The hash joins two FNV-1a sums and is not cryptographic.
 */
export function fingerprint(value: unknown): string {
  const text = canonical(value)
  return fnv1a(text, 0x811c9dc5) + fnv1a(text, 0x9747b28c)
}

/** Returns JSON with sorted keys, so that equal data gives the same text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`)
  return `{${entries.join(',')}}`
}

function fnv1a(text: string, basis: number): string {
  let sum = basis
  for (let i = 0; i < text.length; i++) {
    sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  }
  return (sum >>> 0).toString(16).padStart(8, '0')
}
