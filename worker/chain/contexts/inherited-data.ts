import type { Context, Data } from '../context.ts'

export interface Inherited {
  readonly data: Data
  /** By key, the id of the context its value is from. */
  readonly from: Readonly<Record<string, string>>
}

/** What would change an object's own nature when it is put into one. */
const NEVER = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The data of a line of contexts, laid over one another from the root down: of each key the nearest value holds (S2-9,
 * B2-9). Null is a value and covers what is above it; undefined is none. Keys are taken as a whole, not merged inside.
 * Neither result has a prototype, and neither shares anything with the contexts but the values themselves.
 */
export function inheritedData(chain: readonly Pick<Context, 'id' | 'data'>[]): Inherited {
  const data: Record<string, unknown> = Object.create(null)
  const from: Record<string, string> = Object.create(null)
  for (const { id, data: own } of chain) {
    for (const [key, value] of Object.entries(own)) {
      if (value === undefined || NEVER.has(key)) continue
      data[key] = value
      from[key] = id
    }
  }
  return { data, from }
}
