import type { TextChange } from '../../worker/wire/messages.ts'

/**
 * Returns a text with a proposed change, or null if the text at that place is another one now. If the place has moved,
 * because something before it changed, the change is made where its text stands now, with the same characters before or
 * after it, if that is exactly one place ([assistant-15]).
 */
export function applyChange(text: string, change: TextChange): string | null {
  const start = findPlace(text, change)
  return start === null ? null : text.slice(0, start) + change.text + text.slice(start + change.expected.length)
}

function findPlace(text: string, { start, expected, before, after }: TextChange): number | null {
  if (start >= before.length && text.startsWith(before + expected + after, start - before.length)) return start
  // An insertion has no text of its own, so its place is found by what stands before it.
  const sought = expected || before || after
  if (sought === '') return text === '' ? 0 : null
  const shift = expected === '' && before !== '' ? before.length : 0
  const places: number[] = []
  for (let at = text.indexOf(sought); at >= 0 && places.length < 2; at = text.indexOf(sought, at + 1)) {
    const place = at + shift
    const isHere = text.slice(0, place).endsWith(before) || text.startsWith(after, place + expected.length)
    if (isHere) places.push(place)
  }
  return places.length === 1 ? (places[0] ?? null) : null
}
