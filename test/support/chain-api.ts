import { createHash } from 'node:crypto'
import type { OperationName } from '../../worker/chain/api/operations.ts'
import type { TokenPermission } from '../../worker/chain/api/operation.ts'
import { type ChainClient, createChainClient } from '../../worker/chain/client/chain-client.ts'
import { PATHS } from '../../worker/chain/client/paths.ts'
import { startWorkerServer, type WorkerServer } from './worker-server.ts'

const ADMIN = 'Zq7vN2mKc9Xw4TbLr8Ys3HdJf6Pg5RtU1aEoViMn'
const VARS = {
  WALKON_TOKEN_KEYS: 'k1:qg5H9yD2ZsVn7tXb0LrKc4mWfJ8uPe1aTi6RoQhYvBk',
  WALKON_LEARNER_SECRET: 'mVx4Tq9Lk2Wn7Rb5Yc8Hd3Jf6Pg1ZsUaEoIyQrCt',
  WALKON_ADMIN_SECRET: ADMIN,
}

export interface GivenToken {
  readonly id: string
  readonly token: string
}

/**
 * A running copy of the deployed worker with an empty chain of its own. Tests send requests to the chain's API as an
 * operator does.
 */
export class ChainApi {
  readonly server: WorkerServer

  private constructor(server: WorkerServer) {
    this.server = server
  }

  /** Starts the server. The caller must stop the server; otherwise the test process does not end. */
  static async start(vars: Record<string, string> = {}): Promise<ChainApi> {
    return new ChainApi(
      await startWorkerServer({ configPath: 'test/conversations/api-worker.toml', vars: { ...VARS, ...vars } }),
    )
  }

  /** Starts the server as `npm start` does: without keys and secrets. */
  static async startDevelopment(): Promise<ChainApi> {
    return new ChainApi(await startWorkerServer({ configPath: 'test/conversations/api-worker.toml' }))
  }

  admin(path: string, init: RequestInit = {}): Promise<Response> {
    return this.server.fetch(`api/admin/${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${ADMIN}`, 'Content-Type': 'application/json' },
    })
  }

  async token(
    tenant: string,
    permissions: readonly TokenPermission[] = ['read', 'write', 'people'],
    own: object = {},
  ): Promise<GivenToken> {
    const body = JSON.stringify({ name: 'tests', permissions, ...own })
    const response = await this.admin(`tenants/${tenant}/tokens`, { method: 'POST', body })
    if (response.status !== 201) throw new Error(`no token: ${response.status} ${await response.text()}`)
    return (await response.json()) as GivenToken
  }

  async client(tenant: string): Promise<ChainClient> {
    return createChainClient({ baseUrl: this.server.url.href, token: (await this.token(tenant)).token })
  }

  /** Returns every row of every table of a database, by the table's name. */
  async tables(of = 'DB'): Promise<Readonly<Record<string, readonly Record<string, unknown>[]>>> {
    return (await (await this.server.fetch(`doors/tables?of=${of}`)).json()) as Record<
      string,
      Record<string, unknown>[]
    >
  }

  /**
   * Returns a hash of everything that the chain stores. Leaves out one value: the day on which each token was last
   * used.
   */
  async hash(): Promise<string> {
    const { tokens = [], ...others } = await this.tables()
    const kept = tokens.map((token) => ({ ...token, last_used_day: null }))
    return createHash('sha256')
      .update(JSON.stringify({ tokens: kept, others }))
      .digest('hex')
  }
}

/** The parts of a request, before the chain's client has checked them. So a test can write invalid parts. */
export interface WrittenRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/**
 * Returns the HTTP request for an operation of the chain's API. If a parameter of the path is missing, its segment of
 * the path is empty.
 */
export function requestFor(name: OperationName, { params = {}, query = {}, body }: WrittenRequest) {
  const [method = '', template = ''] = PATHS[name].split(' ')
  const path = template.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString()
  return {
    path: `${path.slice(1)}${search === '' ? '' : `?${search}`}`,
    init: { method, ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }) },
  }
}
