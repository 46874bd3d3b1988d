import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OperationName, operations } from '../../worker/chain/api/operations.ts'
import { ChainApi } from '../support/chain-api.ts'
import { rawRequest } from '../support/raw-request.ts'
import { variants } from '../support/runs.ts'

let api: ChainApi
let headers: Record<string, string>
beforeAll(async () => {
  api = await ChainApi.start()
  headers = { Authorization: `Bearer ${(await api.token('acme')).token}`, 'Content-Type': 'application/json' }
})
afterAll(() => api.server.stop())

interface ErrorBody {
  readonly next: string
  readonly code: string
  readonly pointer?: string
  readonly retryAfterMs?: number
}

async function errorOf(response: Response): Promise<ErrorBody> {
  return ((await response.json()) as { error: ErrorBody }).error
}

const post = (path: string, body: BodyInit, own: Record<string, string> = {}) =>
  api.server.fetch(path, { method: 'POST', headers: { ...headers, ...own }, body })

const linesOf = ({ server }: ChainApi, event: string) =>
  server
    .logs()
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line) as unknown)

const VALID = { purpose: 'p', memorySpaceId: 'm' }

describe('routes', () => {
  const paths = [...new Set(Object.values(operations).map(({ path }) => path))]
  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

  it.each(paths)('[api-1] %s names its methods in the answer to a wrong one', async (path) => {
    const there = Object.values(operations).filter((operation) => operation.path === path)
    const address = path.slice(1).replaceAll(/\{\w+\}/g, 'x')
    // When two routes match an address, the route without parameters wins.
    for (const method of METHODS.filter((each) => !there.some((operation) => operation.method === each))) {
      const response = await api.server.fetch(address, { method, headers })
      expect([method, response.status, (await errorOf(response)).code]).toEqual([method, 405, 'wrong-method'])
      const allowed = response.headers
        .get('allow')
        ?.split(', ')
        .filter((each) => each !== 'HEAD')
      expect(allowed?.toSorted()).toEqual(there.map((operation) => operation.method).toSorted())
    }
  })

  it.each([
    ['api/people/%ff/facts', '/params'],
    ['api/people/%/facts', '/params'],
    ['api/people/%C3/facts', '/params'],
    ['api/memories?userId=%ff', '/query'],
    ['api/memories?userId=100%', '/query'],
  ])('[api-1] %s is refused for its invalid encoding', async (path, pointer) => {
    const response = await api.server.fetch(path, { headers })
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject({ code: 'INVALID_FORMAT', pointer })
  })

  it.each(['api/contexts/ctx_1/nonsense', 'api/memories/mem_1/x', 'api/people', 'api/erasures', 'api/chain'])(
    '[api-1] %s is not found',
    async (path) => {
      const response = await api.server.fetch(path, { headers })
      expect([response.status, (await errorOf(response)).code]).toEqual([404, 'not-found'])
    },
  )

  it('[api-1] an address may contain any name that the tenant uses for a person', async () => {
    const user = 'a/b?c#d%20 é'
    const response = await api.server.fetch(`api/people/${encodeURIComponent(user)}/facts/tone`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ value: 'formal', source: 'crm' }),
    })
    expect(response.status).toBe(200)
    const { facts = [] } = await api.tables()
    expect(facts.map(({ user_id }) => user_id)).toContain(user)
  })

  it('[person-1] a name with blanks around it is not taken for the name without them', async () => {
    const body = JSON.stringify({ value: 'formal', source: 'crm' })
    expect((await api.server.fetch('api/people/alice/facts/tone', { method: 'PUT', headers, body })).status).toBe(200)
    for (const path of ['api/people/%20alice', 'api/people/alice%20', 'api/people/%C2%A0alice']) {
      for (const [method, at] of [
        ['POST', `${path}/erasure`],
        ['GET', `${path}/export`],
        ['GET', path],
        ['GET', `${path}/facts`],
        ['DELETE', `${path}/facts/tone`],
      ] as const) {
        const response = await api.server.fetch(at, { method, headers, ...(method === 'POST' && { body: '{}' }) })
        expect([at, response.status, await errorOf(response)]).toMatchObject([
          at,
          400,
          { code: 'INVALID_FORMAT', pointer: '/params/user' },
        ])
      }
    }
    const { facts = [] } = await api.tables()
    expect(facts.map(({ user_id }) => user_id)).toContain('alice')
  })
})

describe('request bodies', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
    '',
  ])('[api-3] are refused as %s', async (type) => {
    const response = await post('api/contexts', JSON.stringify(VALID), { 'Content-Type': type })
    expect([response.status, (await errorOf(response)).code]).toEqual([415, 'wrong-media-type'])
  })

  it('[api-3] may declare UTF-8', async () => {
    const type = { 'Content-Type': 'application/json; charset=utf-8' }
    expect((await post('api/contexts', JSON.stringify(VALID), type)).status).toBe(201)
  })

  it.each([
    ['nothing but a brace', '{'],
    ['a comment', '{} // yes'],
    ['NaN', '{"purpose":NaN}'],
    ['single quotes', "{'purpose':'p'}"],
    ['a byte order mark', '\ufeff{}'],
    ['half a character in UTF-8', new Uint8Array([0x22, 0xc3, 0x22])],
  ])('[api-3] with %s are refused as invalid JSON', async (_, body) => {
    const response = await post('api/contexts', body)
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject({ code: 'MALFORMED_JSON', pointer: '/body', next: 'give-up' })
  })

  it.each(['[]', '"text"', '5', 'null', 'true'])('[api-3] of %s have no fields', async (body) => {
    expect(await errorOf(await post('api/contexts', body))).toMatchObject({ code: 'INVALID_TYPE', pointer: '/body' })
  })

  it('[api-3] that are empty lack the required fields', async () => {
    const response = await api.server.fetch('api/contexts', { method: 'POST', headers })
    expect(await errorOf(response)).toMatchObject({ code: 'MISSING_REQUIRED_FIELD', pointer: '/body/purpose' })
  })

  it.each([
    ['{"purpose":"p","memorySpaceId":"m","purpose":"q"}', '/body/purpose'],
    ['{"purpose":"p","memorySpaceId":"m","data":{"a":[0,{"b":1,"\\u0062":2}]}}', '/body/data/a/1/b'],
  ])('[api-3] are refused with a duplicate key: %s', async (body, pointer) => {
    expect(await errorOf(await post('api/contexts', body))).toMatchObject({ code: 'DUPLICATE_FIELD', pointer })
  })

  it('[api-2] [api-3] full of unknown fields with long names get a short answer', async () => {
    const key = 'k'.repeat(120_000)
    for (const body of [
      `{"${key}":[${Array(14_000).fill('"\\u0000"').join()}]}`,
      `{"data":{"${key}":[${Array(8_000).fill('9007199254740993').join()}]}}`,
      `{${Array.from({ length: 20_000 }, (_, at) => `"x${at}":1`).join()}}`,
      `{"pattern":"sequence","purpose":"p","memorySpaceId":"m","steps":[${Array(100).fill('{"x":1,"y":1,"purpose":""}').join()}]}`,
    ]) {
      const response = await post('api/contexts/patterns', body)
      expect(response.status).toBe(400)
      expect((await response.text()).length).toBeLessThan(20_000)
    }
  })

  it('[api-3] may have the same key in two different objects', async () => {
    const data = { a: [{ x: 1, y: '"x":' }, { x: 2 }], b: { x: 3 }, x: '{"x":1}' }
    const response = await post('api/contexts', JSON.stringify({ ...VALID, data }))
    expect(((await response.json()) as { data: unknown }).data).toEqual(data)
  })

  it('[api-3] beyond 256 KiB are refused, with and without a content length', async () => {
    const body = JSON.stringify({ ...VALID, description: 'x'.repeat(262_144) })
    const said = await post('api/contexts', body)
    expect([said.status, (await errorOf(said)).code]).toEqual([413, 'too-long'])
    const chunked = await rawRequest(new URL('api/contexts', api.server.url), {
      method: 'POST',
      headers: { ...headers, 'Transfer-Encoding': 'chunked' },
      body,
    })
    expect(chunked.status).toBe(413)
  })

  it('[api-3] may be nested as deep as data may, and no deeper', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { in: nested(levels - 1) })
    expect((await post('api/contexts', JSON.stringify({ ...VALID, data: nested(32) }))).status).toBe(201)
    const deeper = await post('api/contexts', JSON.stringify({ ...VALID, data: nested(33) }))
    expect(await errorOf(deeper)).toMatchObject({ code: 'TOO_DEEP', pointer: '/body/data' })
    const deepest = await post('api/contexts', `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
    expect(deepest.status).toBe(400)
    expect((await errorOf(deepest)).code).toBe('TOO_DEEP')
  })

  it('[api-3] may contain data up to the limit, and no more', async () => {
    const text = 'x'.repeat(65_536 - JSON.stringify({ text: '' }).length)
    expect((await post('api/contexts', JSON.stringify({ ...VALID, data: { text } }))).status).toBe(201)
    const more = await post('api/contexts', JSON.stringify({ ...VALID, data: { text: `${text}x` } }))
    expect(await errorOf(more)).toMatchObject({ code: 'TOO_LONG', pointer: '/body/data' })
  })
})

describe('answers', { timeout: 180_000 }, () => {
  it('[api-4] a refusal says what to do next, and changes nothing', async () => {
    const context = (await (await post('api/contexts', JSON.stringify(VALID))).json()) as { id: string }
    const path = `api/contexts/${context.id}`
    const change = (body: object) => api.server.fetch(path, { method: 'PATCH', headers, body: JSON.stringify(body) })
    const conflict = await change({ data: { a: 1 }, expectedVersion: 9 })
    expect([conflict.status, await errorOf(conflict)]).toEqual([
      409,
      expect.objectContaining({ code: 'VERSION_CONFLICT', next: 'start-over' }),
    ])
    await change({ status: 'completed' })
    const over = await change({ status: 'active' })
    expect([over.status, await errorOf(over)]).toEqual([
      409,
      expect.objectContaining({ code: 'INVALID_TRANSITION', next: 'give-up' }),
    ])
    const gone = await api.server.fetch('api/contexts/ctx_nobody', { headers })
    expect([gone.status, await errorOf(gone)]).toEqual([
      404,
      expect.objectContaining({ code: 'CONTEXT_NOT_FOUND', next: 'give-up' }),
    ])
  })

  it.each(variants(['facts', 'tokens']))(
    '[api-4] a failure of the database at %s is reported without naming its cause',
    async (table) => {
      const broken = await ChainApi.start()
      try {
        const { token } = await broken.token('acme')
        await broken.server.fetch(`doors/break/${table}`)
        const response = await broken.server.fetch('api/people/u/facts', {
          headers: { Authorization: `Bearer ${token}` },
        })
        const body = await response.text()
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
        expect(JSON.parse(body)).toEqual({
          error: { next: 'retry-after', code: 'unavailable', message: expect.any(String), retryAfterMs: 5_000 },
        })
        expect(body).not.toMatch(/facts|tokens|D1|SQL/i)
        const failed = () => linesOf(broken, 'request-failed')
        await expect.poll(failed).toEqual([{ event: 'request-failed', error: 'D1', operation: 'listFacts' }])
      } finally {
        await broken.server.stop()
      }
    },
  )

  it('[api-5] a page of the same origin may send requests, and gets no CORS headers', async () => {
    for (const own of [{ Origin: api.server.url.origin }, { 'Sec-Fetch-Site': 'same-origin' }]) {
      const response = await api.server.fetch('api/contexts/count', { headers: { ...headers, ...own } })
      expect(response.status).toBe(200)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('[api-5] a preflight from another origin is never allowed, whatever the settings are', async () => {
    const open = await ChainApi.start({ WALKON_ORIGINS: 'self none https://school.example' })
    try {
      const { token } = await open.token('acme')
      for (const method of ['OPTIONS', 'GET']) {
        const response = await open.server.fetch('api/contexts/count', {
          method,
          headers: {
            Authorization: `Bearer ${token}`,
            Origin: 'https://school.example',
            'Access-Control-Request-Method': 'GET',
          },
        })
        expect(response.ok).toBe(false)
        expect(response.headers.get('access-control-allow-origin')).toBeNull()
      }
    } finally {
      await open.server.stop()
    }
  })

  it('[api-9] every request leaves a log line without names and texts', async () => {
    const canary = 'heron-at-gate-nine'
    await post('api/memories', JSON.stringify({ content: canary, memorySpaceId: canary, userId: canary }))
    await api.server.fetch(`api/people/${canary}`, { headers })
    await api.server.fetch(`api/contexts?q=${canary}`, { headers })
    await api.server.fetch('api/contexts/count?limit=1', { headers: {} })
    await expect
      .poll(() => linesOf(api, 'chain').slice(-4))
      .toEqual([
        { event: 'chain', operation: 'storeMemory', tenant: 'acme', token: 'tests', status: 201 },
        { event: 'chain', operation: 'getPerson', tenant: 'acme', token: 'tests', status: 200 },
        { event: 'chain', operation: 'listContexts', tenant: 'acme', token: 'tests', status: 200 },
        { event: 'chain', operation: 'countContexts', tenant: null, token: null, status: 401 },
      ])
    expect(api.server.logs().join('\n')).not.toContain(canary)
  })

  it('[api-9] a client with too many requests is refused before its token is checked', async () => {
    const statuses: number[] = []
    // 11 requests are more than twice the limit of a minute, so they exceed the limit even if a new minute begins
    // between them.
    for (let i = 0; i < 11; i++) {
      const response = await api.server.fetch('api/contexts/count', { headers: { 'CF-Connecting-IP': '203.0.113.7' } })
      statuses.push(response.status)
      if (response.status === 429) expect(response.headers.get('retry-after')).toBe('60')
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
  })

  it('[api-14] the export is a CSV, with the cursor of the next page in a header', async () => {
    const { token } = await api.token('tables')
    const own = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    for (const purpose of ['one', 'two, "three"', '=four'])
      await post('api/contexts', JSON.stringify({ ...VALID, purpose }), own)
    const first = await api.server.fetch('api/contexts/export?limit=2', { headers: own })
    expect(first.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(first.headers.get('content-disposition')).toBe('attachment; filename="contexts.csv"')
    expect(await first.text()).toContain('"two, ""three"""')
    const next = first.headers.get('walkon-next') ?? ''
    const last = await api.server.fetch(`api/contexts/export?limit=2&cursor=${encodeURIComponent(next)}`, {
      headers: own,
    })
    expect(await last.text()).toContain('four')
    expect(last.headers.get('walkon-next')).toBeNull()
  })

  it('[api-11] every response matches the OpenAPI document', async () => {
    const client = await api.client('answers')
    const root = await client.createContext({ purpose: 'root', memorySpaceId: 'm', userId: 'u' })
    const child = await client.createContext({ purpose: 'child', memorySpaceId: 'm', parentId: root.id })
    const memory = await client.storeMemory({
      content: 'mornings are best',
      memorySpaceId: 'm',
      userId: 'u',
      contextId: child.id,
    })
    await client.putFact({ user: 'u', key: 'tone', value: 'formal', source: 'crm' })
    await client.updateContext({ context: child.id, data: { a: 1 } })
    const { erasure } = await client.erasePerson({ user: 'somebody-else' })
    const given = await client.grantAccess({ contextId: root.id, person: 'u' })
    const at = { context: child.id }
    const asked: { readonly [N in OperationName]?: Parameters<(typeof client)[N]>[0] } = {
      createPattern: {
        pattern: 'approval',
        purpose: 'p',
        memorySpaceId: 'm',
        autoComplete: 'all-completed',
        steps: [{ purpose: 's', memorySpaceId: 'm' }],
      },
      listContexts: { q: 'child', history: true, at: '2099-01-01T00:00:00Z', limit: 2 },
      countContexts: { leaf: true },
      exportContexts: { history: true },
      repairOrphans: { mode: 'promote' },
      verifyIntegrity: { kind: 'orphan' },
      updateContexts: { filter: { parentId: root.id }, updates: { data: { b: 2 } } },
      getContext: { ...at, children: true, inherited: true, version: 1 },
      getConversation: at,
      getChain: at,
      addParticipant: { ...at, participant: 'x' },
      removeParticipant: { ...at, participant: 'x' },
      listVersions: at,
      listMemories: { q: 'mornings' },
      getMemory: { memory: memory.id },
      listFacts: { user: 'u' },
      getPerson: { user: 'u' },
      exportPerson: { user: 'u' },
      erasePerson: { user: 'u', dryRun: true },
      getErasure: { erasure: erasure?.id ?? 'era_none' },
      grantAccess: { contextId: child.id, person: 'u', expiresAt: '2099-01-01T00:00:00Z' },
      listGrants: { person: 'u' },
      revokeGrant: { grant: given.id },
      deleteFact: { user: 'u', key: 'tone' },
      deleteMemory: { memory: memory.id },
      deleteContexts: { filter: { conversationId: 'c' } },
      deleteContext: { ...at, mode: 'leaf' },
    }
    const done = new Set<string>(['createContext', 'storeMemory', 'putFact', 'updateContext'])
    for (const [name, input] of Object.entries(asked) as [OperationName, never][]) {
      const answer: unknown = await client[name](input)
      const read = operations[name].answer.safeParse(answer)
      expect([name, read.success ? [] : read.error.issues]).toEqual([name, []])
      // The response has no field that the document does not describe.
      expect([name, read.data]).toEqual([name, answer])
      done.add(name)
    }
    expect(Object.keys(operations).filter((name) => !done.has(name))).toEqual([])
  })
})
