import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dataDiff, heldBy } from '../../../sims/operator/workflow/data.ts'
import type { Difference } from '../../../sims/operator/workflow/data.ts'
import type { ContextData, Known } from '../../../sims/operator/workflow/history.ts'
import { anyData, known } from '../../support/any-workflow.ts'

describe('what is different between two versions', () => {
  it('[operator-10] makes the later data from the earlier', () => {
    fc.assert(
      fc.property(anyData, anyData, (before, after) => {
        expect(plain(put(dataDiff(before, after), before))).toEqual(plain(after))
      }),
    )
  })

  it('[operator-10] is nothing between equal data, and never a place that is equal', () => {
    fc.assert(
      fc.property(anyData, (data) => {
        expect(dataDiff(data, JSON.parse(JSON.stringify(data)) as ContextData)).toEqual([])
      }),
    )
  })

  it('[operator-10] names the place as deep as both sides are of one kind', () => {
    const before = { a: { b: [1, 2, 3], c: 'x' }, d: [1], e: { f: 1 }, g: null }
    const after = { a: { b: [1, 9], c: 'x' }, d: { 0: 1 }, e: null, g: null, h: true }
    expect(dataDiff(before, after)).toEqual([
      { path: ['a', 'b', '1'], kind: 'changed', before: 2, after: 9 },
      { path: ['a', 'b', '2'], kind: 'removed', before: 3 },
      { path: ['d'], kind: 'changed', before: [1], after: { 0: 1 } },
      { path: ['e'], kind: 'changed', before: { f: 1 }, after: null },
      { path: ['h'], kind: 'added', after: true },
    ])
  })
})

describe('what a context has', () => {
  const chain = (...data: readonly string[]): ReadonlyMap<string, Known> =>
    new Map(
      data.map((text, index) => {
        const parentId = index === 0 ? null : `ctx_${index - 1}`
        return [`ctx_${index}`, known({ id: `ctx_${index}`, parentId, data: JSON.parse(text) as ContextData })]
      }),
    )

  it('[operator-9] is its own values before inherited ones, with null as a value, and the source of each', () => {
    const held = heldBy(chain('{"a":1,"b":1,"c":1}', '{"b":2,"c":null}', '{"c":3,"d":4}'), 'ctx_2', null)
    expect(held).toEqual([
      { key: 'c', value: 3, from: 'ctx_2', hides: ['ctx_1', 'ctx_0'] },
      { key: 'd', value: 4, from: 'ctx_2', hides: [] },
      { key: 'b', value: 2, from: 'ctx_1', hides: ['ctx_0'] },
      { key: 'a', value: 1, from: 'ctx_0', hides: [] },
    ])
  })

  it('[operator-9] never reaches a prototype', () => {
    const held = heldBy(chain('{"__proto__":{"x":1},"constructor":1,"a":1}', '{}'), 'ctx_1', null)
    expect(held.map(({ key }) => key)).toEqual(['a'])
    expect({}).not.toHaveProperty('x')
  })

  it('[operator-9] is all of its own values, under any key', () => {
    const held = heldBy(chain('{"__proto__":{"x":1},"constructor":1}'), 'ctx_0', null)
    expect(held.map(({ key }) => key)).toEqual(['__proto__', 'constructor'])
  })

  it('[operator-9] is the data of the time', () => {
    const contexts = chain('{"a":1}', '{"b":1}')
    expect(heldBy(contexts, 'ctx_1', 999)).toEqual([])
    expect(heldBy(contexts, 'ctx_1', 1_000)).toHaveLength(2)
  })
})

/** Applies differences to data. A list is treated as an object whose keys are the indexes. */
function put(differences: readonly Difference[], data: unknown): unknown {
  const result = unlisted(data)
  for (const difference of differences) {
    let place = result as Map<string, unknown>
    for (const key of difference.path.slice(0, -1)) place = place.get(key) as Map<string, unknown>
    const last = difference.path.at(-1) ?? ''
    if (difference.kind === 'removed') place.delete(last)
    else place.set(last, unlisted(difference.after))
  }
  return result
}

/** Returns the data with maps in place of objects and lists, because a key may be `__proto__`. */
function unlisted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Map(Object.entries(value).map(([key, inner]) => [key, unlisted(inner)]))
}

function plain(value: unknown): unknown {
  const map = value instanceof Map ? value : unlisted(value)
  if (!(map instanceof Map)) return map
  const entries = [...(map as Map<string, unknown>)].map(([key, inner]) => [key, plain(inner)] as const)
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
}
