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

/** The length of the text around a place by which it is found again, in UTF-16 code units. */
const AROUND = 24

/** Returns a change as it is proposed to the text in which another one, `made`, has been made. */
export function afterChange(change: TextChange, made: TextChange, now: string): TextChange {
  const [start, other] = [findPlace(now, change), findPlace(now, made)]
  const next = applyChange(now, made)
  if (start === null || other === null || next === null || change.id === made.id) return change
  const at = start > other ? start + made.text.length - made.expected.length : start
  const end = at + change.expected.length
  return {
    ...change,
    start: at,
    before: next.slice(Math.max(0, at - AROUND), at),
    after: next.slice(end, end + AROUND),
  }
}

/**
 * Returns where a change's place is in a text now; null if it is not there, or not at one place only, or if the change is
 * in the text already.
 */
export function findPlace(now: string, change: TextChange): number | null {
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
    // At an end of the text nothing stands before or after the place, which is no sign of it.
    const isHere = (before !== '' && around[0]) || (after !== '' && around[1]) || before + after === ''
    if (expected === '' ? around.every(Boolean) : isHere) places.push(place)
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
