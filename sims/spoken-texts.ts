import type { Problem } from './problem.ts'

/** A text somewhere in a scenario's data. */
export interface PlacedText {
  readonly path: Problem['path']
  readonly text: string
}

/** Every text under a value, with its path, in order. Takes data of any shape. */
export function textsUnder(value: unknown, path: Problem['path'] = []): readonly PlacedText[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => textsUnder(item, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => textsUnder(item, [...path, key]))
}

/** The texts under a colleague that are said out loud. `npc` may be of any shape; `path` is where it stands. */
export function spokenTexts(npc: unknown, path: Problem['path']): readonly PlacedText[] {
  return textsUnder(npc).flatMap((text) => (isSpoken(text.path) ? [{ ...text, path: [...path, ...text.path] }] : []))
}

/** Keys whose texts a colleague says, as patterns over the path from the colleague down. */
const SPOKEN = [
  /^greeting$/,
  /^keyReveal$/,
  /^next\.why$/,
  /^pivots\.\d+\.question$/,
  /^pivots\.\d+\.choices\.\d+\.reaction$/,
  /^rehearsal\.nodes\.[^.]+\.[a-z]+\.\d+(?:\.say)?$/,
  /^rehearsal\.states\..+\.actions\.\d+\.\d+(?:\.say)?$/,
  /^rehearsal\.answers\.\d+\.say\.\d+$/,
  /^rehearsal\.redirects\.\d+\.say\.\d+$/,
  /^rehearsal\.asides\./,
]

function isSpoken(path: Problem['path']): boolean {
  const key = path.join('.')
  return SPOKEN.some((pattern) => pattern.test(key))
}
