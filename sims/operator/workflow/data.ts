import { contextStateAt } from './history.ts'
import type { ContextData, Known } from './history.ts'
import { parentsOf } from './tree.ts'

/**
 * A difference between two states of data: the keys that lead to the changed value, and the values before and after.
 */
export type Difference = { readonly path: readonly string[] } & (
  | { readonly kind: 'added'; readonly after: unknown }
  | { readonly kind: 'removed'; readonly before: unknown }
  | { readonly kind: 'changed'; readonly before: unknown; readonly after: unknown }
)

/**
 * Lists the differences between two states of data. Compares two objects key by key and two lists item by item. Two
 * values of different kinds, such as a list and a text, are one difference.
 */
export function dataDiff(before: ContextData, after: ContextData): readonly Difference[] {
  return compare([], before, after)
}

function compare(path: readonly string[], before: unknown, after: unknown): readonly Difference[] {
  const [left, right] = [entriesOf(before), entriesOf(after)]
  if (!left || !right || Array.isArray(before) !== Array.isArray(after))
    return isSame(before, after) ? [] : [{ path, kind: 'changed', before, after }]
  const keys = new Set([...left.keys(), ...right.keys()])
  return [...keys].flatMap((key): readonly Difference[] => {
    const here = [...path, key]
    if (!right.has(key)) return [{ path: here, kind: 'removed', before: left.get(key) }]
    if (!left.has(key)) return [{ path: here, kind: 'added', after: right.get(key) }]
    return compare(here, left.get(key), right.get(key))
  })
}

/** Returns the entries of an object or a list. The result is a Map, because a key may be `__proto__`. */
function entriesOf(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after
}

/** One value that a context holds. `from` is the context that the value comes from: the context itself or a parent. */
export interface HeldValue {
  readonly key: string
  readonly value: unknown
  readonly from: string
  /** The parents that have a value of the same key, which this nearer value replaces; nearest parent first. */
  readonly hides: readonly string[]
}

/** Keys that would reach the prototype of an object. The service doesn't let contexts inherit these keys either. */
const NEVER = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Returns the values that a context holds at a time: its own values first, then the values that it inherits, from the
 * nearest parent on. If a key has values in several contexts, the value of the nearest context counts, even if that
 * value is null.
 */
export function heldBy(contexts: ReadonlyMap<string, Known>, id: string, time: number | null): readonly HeldValue[] {
  const own = contexts.get(id)
  if (!own) return []
  const held = new Map<string, { value: unknown; from: string; hides: string[] }>()
  for (const context of [own, ...parentsOf(contexts, id)]) {
    for (const [key, value] of Object.entries(contextStateAt(context, time)?.data ?? {})) {
      if (context !== own && NEVER.has(key)) continue
      const nearer = held.get(key)
      if (nearer) nearer.hides.push(context.id)
      else held.set(key, { value, from: context.id, hides: [] })
    }
  }
  return [...held].map(([key, rest]) => ({ key, ...rest }))
}
