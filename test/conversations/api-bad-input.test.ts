import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { examples } from '../../worker/chain/api/examples.ts'
import type { Operation } from '../../worker/chain/api/operation.ts'
import { type OperationName, operations } from '../../worker/chain/api/operations.ts'
import { pointerOf, type Schema, textViolations, type Violation, violations, withValue } from '../support/bad-values.ts'
import { ChainApi, requestFor, type WrittenRequest } from '../support/chain-api.ts'
import { IS_LONG, oneIn } from '../support/runs.ts'

/**
 * Tests every field of every route with every value that violates its schema. The violations are derived from the
 * schemas, so a new field is tested automatically.
 */

let api: ChainApi
let headers: Record<string, string>
beforeAll(async () => {
  api = await ChainApi.start()
  headers = { Authorization: `Bearer ${(await api.token('acme')).token}`, 'Content-Type': 'application/json' }
})
afterAll(() => api.server.stop())

type Part = 'params' | 'query' | 'body'
const PARTS = ['params', 'query', 'body'] as const
const names = Object.keys(operations) as OperationName[]

interface Answered {
  readonly status: number
  readonly error: {
    readonly code: string
    readonly issues: readonly { readonly code: string; readonly pointer: string }[]
  }
}

async function send(name: OperationName, request: WrittenRequest): Promise<Answered> {
  const { path, init } = requestFor(name, request)
  const response = await api.server.fetch(path, { ...init, headers })
  const { error } = (await response.json()) as Pick<Answered, 'error'>
  return { status: response.status, error }
}

function wrongWays(name: OperationName): { part: Part; violation: Violation }[] {
  const operation: Operation = operations[name]
  return PARTS.flatMap((part) => {
    const schema = operation[part]
    if (schema === undefined) return []
    const json = z.toJSONSchema(schema, { io: 'input' }) as Schema
    const valid = (examples[name] as WrittenRequest)[part]
    const found = part === 'body' ? violations(json, valid) : textViolations(json, part)
    return found.map((violation) => ({ part, violation }))
  })
}

/** `npm test` tries one of every 80 violations, `npm run test:long` all of them. */
const STRIDE = 80

describe('bad input', { timeout: 180_000 }, () => {
  it('[api-2] accepts the examples from which the invalid requests are made', async () => {
    for (const name of names) {
      const { path, init } = requestFor(name, examples[name] as WrittenRequest)
      const response = await api.server.fetch(path, { ...init, headers })
      const text = await response.text()
      expect([name, response.status, text.slice(0, 300)]).toEqual([
        name,
        expect.toSatisfy((s) => [200, 201, 202, 404].includes(s as number)),
        expect.anything(),
      ])
    }
  })

  let tried = 0
  it.each(names)('[api-2] %s names the wrong field and its error, and changes nothing', async (name) => {
    const before = await api.hash()
    const wrong: unknown[] = []
    for (const { part, violation } of oneIn(STRIDE, wrongWays(name))) {
      const valid = examples[name] as WrittenRequest
      const request = { ...valid, [part]: withValue(valid[part], violation.path, violation.value) }
      const { status, error } = await send(name, request)
      tried += 1
      const pointer = pointerOf(part, violation.path)
      const codes = (error?.issues ?? []).filter((issue) => issue.pointer === pointer).map(({ code }) => code)
      const isTold = codes.some((code) => (violation.codes as readonly string[]).includes(code))
      if (status !== 400 || !isTold)
        wrong.push({ pointer, how: violation.how.slice(0, 80), status, error, wanted: violation.codes })
    }
    expect(wrong).toEqual([])
    expect(await api.hash()).toBe(before)
  })

  it('[api-2] covers every operation with many invalid values', () => {
    console.log(`${tried} requests, each wrong in one way, to ${names.length} operations`)
    // The test tries at least fifty violations per operation on average.
    expect(tried).toBeGreaterThan((50 * names.length) / (IS_LONG ? 1 : STRIDE))
  })

  it.each(oneIn(3, names))('[api-2] %s reports all errors at once', async (name) => {
    // Picks one violation for each top-level field.
    const ways = wrongWays(name).filter(({ violation: { path } }) => path.length === 1 && path[0] !== '__proto__')
    const one = [...new Map(ways.map((way) => [pointerOf(way.part, way.violation.path), way])).entries()]
    const request = one.reduce<WrittenRequest>(
      (so, [, { part, violation }]) => ({ ...so, [part]: withValue(so[part], violation.path, violation.value) }),
      examples[name] as WrittenRequest,
    )
    if (one.length === 0) return
    const { error } = await send(name, request)
    expect(new Set(error.issues.map(({ pointer }) => pointer))).toEqual(new Set(one.map(([pointer]) => pointer)))
  })

  it.each(names.filter((name) => Object.hasOwn(operations[name], 'query')))(
    '[api-2] %s refuses a query field that is given twice',
    async (name) => {
      const { path, init } = requestFor(name, examples[name] as WrittenRequest)
      const [first = 'limit'] = Object.keys((operations[name] as Operation).query?.shape ?? {})
      const before = await api.hash()
      const response = await api.server.fetch(`${path.split('?')[0]}?${first}=1&${first}=1`, { ...init, headers })
      expect(await response.json()).toMatchObject({
        error: {
          issues: expect.arrayContaining([
            expect.objectContaining({ code: 'DUPLICATE_FIELD', pointer: `/query/${first}` }),
          ]),
        },
      })
      expect(await api.hash()).toBe(before)
    },
  )

  it.each(names.filter((name) => !Object.hasOwn(operations[name], 'query')))(
    '[api-2] %s refuses every query field',
    async (name) => {
      const { path, init } = requestFor(name, examples[name] as WrittenRequest)
      const before = await api.hash()
      const response = await api.server.fetch(`${path}?nonsense=1`, { ...init, headers })
      expect(await response.json()).toMatchObject({ error: { code: 'UNKNOWN_FIELD', pointer: '/query/nonsense' } })
      expect(await api.hash()).toBe(before)
    },
  )
})
