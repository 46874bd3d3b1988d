import { base64UrlOf } from '../../bytes.ts'
import { ChainError } from '../chain-error.ts'
import type { Scope } from '../scope.ts'

/** The position where a page ends: the values of the columns that order the list, from the page's last row. */
export type ListPosition = readonly (number | string)[]

/**
 * The name of a list and the filter of the request, without `limit` and `cursor`. A cursor is valid only for the list
 * and filter that it was made for.
 */
export interface ListOf {
  readonly list: string
  readonly of: Readonly<Record<string, unknown>>
}

/** Returns the cursor that continues after a position. */
export function cursorOf(scope: Pick<Scope, 'tenant'>, list: ListOf, place: ListPosition): string {
  const bytes = new TextEncoder().encode(JSON.stringify([markOf(scope, list), ...place]))
  return base64UrlOf(bytes)
}

/**
 * Reads the position from a cursor. Returns null without a cursor.
 *
 * @param like any position of the list; the values in the cursor must have the same types as the values in `like`
 * @throws ChainError INVALID_CURSOR if the cursor is malformed or was made for another list or filter
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

/** Parses a cursor. Returns an empty list if the text is not a cursor that `cursorOf` could have made. */
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
 * Returns a 32-bit hash (FNV-1a) of a list and its filter. The hash detects cursors used with the wrong list by
 * mistake. It need not stop forgery, because a forged cursor shows only what its sender may read.
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
