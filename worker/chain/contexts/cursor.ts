import { base64UrlOf } from '../../bytes.ts'
import { ChainError } from '../chain-error.ts'
import type { Scope } from '../scope.ts'

/** Where a list stands: what it is ordered by, as the last thing that was looked at has it. */
export type ListPosition = readonly (number | string)[]

/** What a list is of: its name and its filter, everything but `limit` and `cursor`. A cursor is good for no other list. */
export interface ListOf {
  readonly list: string
  readonly of: Readonly<Record<string, unknown>>
}

/** The cursor that goes on after a place. It holds times, row numbers and ids. */
export function cursorOf(scope: Pick<Scope, 'tenant'>, list: ListOf, place: ListPosition): string {
  const bytes = new TextEncoder().encode(JSON.stringify([markOf(scope, list), ...place]))
  return base64UrlOf(bytes)
}

/**
 * The place a cursor stands for; null at the beginning of a list.
 *
 * @param like a place of this list
 * @throws ChainError INVALID_CURSOR for one that was not made for this list
 */
export function readCursor(
  scope: Pick<Scope, 'tenant'>,
  list: ListOf,
  like: ListPosition,
  cursor: string | undefined,
  pointer = '/query/cursor',
): ListPosition | null {
  if (cursor === undefined) return null
  const [mark, ...place] = partsOf(cursor)
  if (mark === markOf(scope, list) && isLike(place, like)) return place
  throw new ChainError('INVALID_CURSOR', 'Take the cursor from the page before, and ask for the same list.', pointer)
}

function isLike(place: ListPosition, like: ListPosition): boolean {
  return place.length === like.length && place.every((each, at) => typeof each === typeof like[at])
}

/** Nothing at all when it is not ours. */
function partsOf(cursor: string): ListPosition {
  try {
    const read: unknown = JSON.parse(textOf(cursor))
    return Array.isArray(read) && read.every(isPart) ? read : []
  } catch {
    return []
  }
}

function textOf(cursor: string): string {
  const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (each) => each.charCodeAt(0)))
}

function isPart(value: unknown): value is number | string {
  return Number.isSafeInteger(value) || typeof value === 'string'
}

/**
 * A list in 32 bits (FNV-1a). It keeps a cursor from being used by mistake, and guards nothing: whoever makes one up
 * gets a page of what they may read anyway.
 */
function markOf({ tenant }: Pick<Scope, 'tenant'>, { list, of }: ListOf): number {
  const given = Object.entries(of)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  let hash = 0x81_1c_9d_c5
  for (const byte of new TextEncoder().encode(JSON.stringify([tenant, list, given])))
    hash = Math.imul(hash ^ byte, 0x01_00_01_93)
  return hash >>> 0
}
