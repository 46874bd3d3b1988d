import type { TextChange } from '../../worker/wire/messages.ts'

/**
 * Returns a text with a proposed change, or null if the text at that place is another one now, or if the change is in the
 * text already. If the place has moved, because something before it changed, the change is made where its text stands
 * now, if that is exactly one place: with the same characters before or after it, and for an insertion with both
 * ([assistant-15]).
 */
export function applyChange(now: string, change: TextChange): string | null {
  const start = findPlace(now, change)
  return start === null ? null : now.slice(0, start) + change.text + now.slice(start + change.expected.length)
}

function findPlace(now: string, change: TextChange): number | null {
  const { start, expected, before, after } = change
  if (start >= before.length && now.startsWith(before + expected + after, start - before.length))
    return isMade(now, change, start, true) ? null : start
  // An insertion has no text of its own, so its place is found by what stands before and after it.
  const sought = expected || before || after
  if (sought === '') return now === '' ? 0 : null
  const shift = expected === '' && before !== '' ? before.length : 0
  const places: number[] = []
  for (let at = now.indexOf(sought); at >= 0 && places.length < 2; at = now.indexOf(sought, at + 1)) {
    const place = at + shift
    const around = [now.slice(0, place).endsWith(before), now.startsWith(after, place + expected.length)]
    if (expected === '' ? around.every(Boolean) : around.some(Boolean)) places.push(place)
  }
  const [place] = places
  return places.length !== 1 || place === undefined || isMade(now, change, place, expected === '') ? null : place
}

/**
 * Returns true if a change that makes the text longer stands at a place already, with what was found after it, before it,
 * or both. Without this check, such a change could be made twice, because the text before it is a part of the text after it.
 */
function isMade(now: string, { expected, text, before, after }: TextChange, place: number, both: boolean): boolean {
  if (text.length <= expected.length) return false
  for (
    let shift = text.indexOf(expected);
    shift >= 0;
    shift = expected === '' ? -1 : text.indexOf(expected, shift + 1)
  ) {
    const from = place - shift
    const around = [now.slice(0, from).endsWith(before), now.startsWith(after, from + text.length)]
    if (from >= 0 && now.startsWith(text, from) && (both ? around.every(Boolean) : around.some(Boolean))) return true
  }
  return false
}
