import { stateAt } from './history.ts'
import type { Known } from './known.ts'
import { parentsOf } from './tree.ts'

/** One value a context has, and which context it has it from. */
export interface Held {
  readonly key: string
  readonly value: unknown
  readonly from: string
  /** Contexts further up that say something else, which this hides; nearest first. */
  readonly hides: readonly string[]
}

/** Names that would reach the prototype of an object; the service lets nothing be inherited by them either (B2-9). */
const NEVER = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * What a context has of its own and from above at a time: what is nearer wins, and null is a value like any other (B2-9).
 * Its own come first, then those of its parents, nearest first.
 */
export function heldBy(contexts: ReadonlyMap<string, Known>, id: string, time: number | null): readonly Held[] {
  const own = contexts.get(id)
  if (!own) return []
  const held = new Map<string, { value: unknown; from: string; hides: string[] }>()
  for (const context of [own, ...parentsOf(contexts, id)]) {
    for (const [key, value] of Object.entries(stateAt(context, time)?.data ?? {})) {
      if (context !== own && NEVER.has(key)) continue
      const nearer = held.get(key)
      if (nearer) nearer.hides.push(context.id)
      else held.set(key, { value, from: context.id, hides: [] })
    }
  }
  return [...held].map(([key, rest]) => ({ key, ...rest }))
}
