import type { Guard } from '../guard.ts'

/** A guard as people read it: `relationship at least cooperative and not (GROUND satisfied)`. */
export function guardWords(guard: Guard): string {
  if ('relationship' in guard) return `relationship at least ${guard.relationship.atLeast}`
  if ('satisfied' in guard) return `${guard.satisfied} satisfied`
  if ('not' in guard) return `not (${guardWords(guard.not)})`
  if ('all' in guard) return joined(guard.all, ' and ', 'always')
  return joined(guard.any, ' or ', 'never')
}

/** @param none what no part at all comes to: all of nothing always holds, any of nothing never does. */
function joined(parts: readonly Guard[], word: string, none: string): string {
  if (parts.length === 0) return none
  return parts.map((part) => (isList(part) ? `(${guardWords(part)})` : guardWords(part))).join(word)
}

function isList(guard: Guard): boolean {
  return 'all' in guard ? guard.all.length > 1 : 'any' in guard && guard.any.length > 1
}
