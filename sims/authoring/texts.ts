import type { DataPath } from './finding.ts'

/** A text somewhere in a scenario's data. */
export interface ScenarioText {
  readonly path: DataPath
  readonly text: string
}

/** Lists every text within a value, with the text's path, in order. Accepts data of any shape. */
export function textsUnder(value: unknown, path: DataPath = []): readonly ScenarioText[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => textsUnder(item, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => textsUnder(item, [...path, key]))
}

/**
 * Lists the texts that a colleague says. `npc` may have any shape, and `path` is the path of `npc` in the file's data.
 */
export function linesSpoken(npc: unknown, path: DataPath): readonly ScenarioText[] {
  return textsUnder(npc).flatMap((text) => (isSpoken(text.path) ? [{ ...text, path: [...path, ...text.path] }] : []))
}

/** The keys whose texts a colleague says, as patterns of the path from the colleague to the text. */
const SPOKEN = [
  /^greeting$/,
  /^keyReveal$/,
  /^next\.why$/,
  /^pivots\.\d+\.question$/,
  /^pivots\.\d+\.choices\.\d+\.reaction$/,
  /^rehearsal\.nodes\.[^.]+\.[a-z]+\.\d+(?:\.say)?$/,
  /^rehearsal\.states\..+\.actions\.\d+\.\d+(?:\.say)?$/,
  /^rehearsal\.answers\.\d+\.say\.\d+$/,
  /^rehearsal\.acknowledgements\.\d+\.questions\.\d+$/,
  /^rehearsal\.redirects\.\d+\.say\.\d+$/,
  /^rehearsal\.(?:asides|phrases)\./,
]

function isSpoken(path: DataPath): boolean {
  const key = path.join('.')
  return SPOKEN.some((pattern) => pattern.test(key))
}
