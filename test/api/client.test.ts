import { build } from 'esbuild'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Operation } from '../../worker/chain/api/operation.ts'
import { type OperationName, operations } from '../../worker/chain/api/operations.ts'
import { ChainClientError, createChainClient } from '../../worker/chain/client/chain-client.ts'
import { PATHS } from '../../worker/chain/client/paths.ts'

/** The most bytes that the client's code may have after gzip. */
const MOST_BYTES = 2_500

interface Asked {
  readonly url: string
  readonly init: RequestInit
}

function clientOf(answer: () => Response | Promise<Response>) {
  const asked: Asked[] = []
  const client = createChainClient({
    baseUrl: 'https://walkon.example/anything',
    token: 'wkn_token',
    fetch: async (url, init) => {
      asked.push({ url, init })
      return answer()
    },
  })
  return { client, asked }
}

const json =
  (body: unknown, init: ResponseInit = {}) =>
  () =>
    Response.json(body, init)

describe('the client', () => {
  it('[api-10] has the method and path of each operation', () => {
    expect(PATHS).toEqual(
      Object.fromEntries(Object.entries(operations).map(([name, { method, path }]) => [name, `${method} ${path}`])),
    )
    const { client } = clientOf(json({}))
    expect(Object.keys(client)).toEqual(Object.keys(operations))
  })

  it('[api-10] knows from the method where a field goes', () => {
    for (const [name, { method, query, body }] of Object.entries(operations) as [OperationName, Operation][]) {
      const place = method === 'GET' || method === 'DELETE' ? 'query' : 'body'
      expect([name, query === undefined || place === 'query', body === undefined || place === 'body']).toEqual([
        name,
        true,
        true,
      ])
    }
  })

  it('[api-10] puts every field where it belongs', async () => {
    const { client, asked } = clientOf(json({ items: [], next: null }))
    await client.listContexts({ parentId: 'ctx_1', status: 'active', limit: 5 })
    await client.updateContext({ context: 'ctx_1', data: { a: 1 }, expectedVersion: 2 })
    await client.putFact({ user: 'a/b?c é', key: 'tone', value: 'formal', source: 'crm' })
    await client.exportContexts({ history: true, userId: undefined })
    expect(asked.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      ['GET', 'https://walkon.example/api/contexts?parentId=ctx_1&status=active&limit=5', undefined],
      ['PATCH', 'https://walkon.example/api/contexts/ctx_1', '{"data":{"a":1},"expectedVersion":2}'],
      ['PUT', 'https://walkon.example/api/people/a%2Fb%3Fc%20%C3%A9/facts/tone', '{"value":"formal","source":"crm"}'],
      ['GET', 'https://walkon.example/api/contexts/export?history=true', undefined],
    ])
    for (const { url, init } of asked) {
      expect(url).not.toContain('wkn_')
      expect(new Headers(init.headers).get('authorization')).toBe('Bearer wkn_token')
      expect(new Headers(init.headers).get('content-type')).toBe(init.body === undefined ? null : 'application/json')
    }
  })

  it.each(['', '.', '..', '\ud800', undefined as unknown as string, null as unknown as string])(
    '[api-10] never asks for another address because of what somebody is called: %o',
    async (participant) => {
      const { client, asked } = clientOf(json({}))
      await expect(client.removeParticipant({ context: 'ctx_1', participant })).rejects.toMatchObject({
        code: 'INVALID_FORMAT',
        pointer: '/params/participant',
        next: 'give-up',
      })
      expect(asked).toEqual([])
    },
  )

  it('[api-10] gives a CSV with its cursor', async () => {
    const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'Walkon-Next': 'c2' }
    const { client } = clientOf(() => new Response('id\r\n', { headers }))
    expect(await client.exportContexts({})).toEqual({ csv: 'id\r\n', next: 'c2' })
  })

  it('[api-10] throws the API’s error, with the next step', async () => {
    const issues = [{ code: 'BUSY', pointer: null, message: 'Busy.' }]
    const error = { next: 'retry-after', code: 'BUSY', message: 'Busy.', pointer: null, retryAfterMs: 1_000, issues }
    const { client } = clientOf(json({ error }, { status: 503 }))
    const thrown: unknown = await client.getChain({ context: 'ctx_1' }).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(ChainClientError)
    expect(thrown).toMatchObject({ ...error, status: 503 })
  })

  it.each([
    ['no answer at all', () => Promise.reject(new TypeError('fetch failed')), { code: 'unreachable', status: 0 }],
    [
      'a page of a proxy',
      () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
      { code: 'unavailable', status: 502 },
    ],
    [
      'an answer that breaks off',
      () => new Response('{"items":[', { status: 200 }),
      { code: 'unavailable', status: 200 },
    ],
    [
      'a table that breaks off',
      () => {
        const body = new ReadableStream({ pull: (to) => to.error(new TypeError('terminated')) })
        return new Response(body, { headers: { 'Content-Type': 'text/csv' } })
      },
      { code: 'unavailable', status: 200 },
    ],
    ['an answer of somebody else', () => Response.json(5, { status: 500 }), { code: 'unavailable', status: 500 }],
  ])('[api-10] throws the same at %s', async (_, answer, expected) => {
    const { client } = clientOf(answer)
    await expect(client.listContexts({})).rejects.toMatchObject({
      ...expected,
      name: 'ChainClientError',
      next: 'retry-after',
    })
  })

  it('[api-10] is small and contains no schema', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: ['worker/chain/client/chain-client.ts'],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      metafile: true,
    })
    expect(Object.keys(metafile.inputs).toSorted()).toEqual([
      'worker/chain/client/chain-client.ts',
      'worker/chain/client/paths.ts',
    ])
    const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length
    console.log(`the client: ${outputFiles[0]?.contents.length} bytes, ${bytes} gzipped`)
    expect(bytes).toBeLessThan(MOST_BYTES)
  })
})
