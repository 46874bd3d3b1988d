import { contextStateAt } from './history.ts'
import type { ContextData, Known } from './history.ts'
import { parentsOf } from './tree.ts'

/** One place in which two states of data differ: the keys that lead there, and what stands there before and after. */
export type Difference = { readonly path: readonly string[] } & (
  | { readonly kind: 'added'; readonly after: unknown }
  | { readonly kind: 'removed'; readonly before: unknown }
  | { readonly kind: 'changed'; readonly before: unknown; readonly after: unknown }
)

/**
 * Where two states of data differ. Objects are compared key by key, and lists place by place, as deep as both are of one
 * kind; what is left is shown whole.
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

/** Own entries only: a key may be called `__proto__`. */
function entriesOf(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null
}

/** Of values that JSON has, of which two objects or lists never come here together. */
function isSame(before: unknown, after: unknown): boolean {
  return before === after
}

/** One value a context has, and which context it has it from. */
export interface HeldValue {
  readonly key: string
  readonly value: unknown
  readonly from: string
  /** Contexts further up that say something else, which this hides; nearest first. */
  readonly hides: readonly string[]
}

/** Names that would reach the prototype of an object; the service lets nothing be inherited by them either. */
const NEVER = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * What a context has of its own and from above at a time: what is nearer wins, and null is a value like any other.
 * Its own come first, then those of its parents, nearest first.
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
