import type * as z from 'zod'
import type { ChainErrorCode } from '../chain-error.ts'
import type { OperationName, operations, OperationOutput } from '../api/operations.ts'
import type { NextStep } from '../../wire/messages.ts'
import { PATHS } from './paths.ts'

/**
 * A client of the chain's HTTP API, with one method for each operation. The types of the methods come from
 * `operations`, the server's list of operations.
 */
export type ChainClient = { readonly [N in OperationName]: (asked: OperationRequest<N>) => Promise<OperationAnswer<N>> }

export interface ChainClientOptions {
  /** Address of the server, for example `https://walkon.example`; in the Worker's own pages, `location.origin`. */
  readonly baseUrl: string
  /** Every request sends the token in a header, never in a URL. */
  readonly token: string
  /** The person on whose behalf every request reads. It gets only what was granted to that person. */
  readonly person?: string
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>
}

/**
 * The params, query and body of an operation in one object. Numbers and flags of a query may be given as numbers and
 * booleans.
 */
export type OperationRequest<N extends OperationName> = Texts<N, 'params'> & Texts<N, 'query'> & Given<N, 'body'>

/** The answer of an operation. A CSV answer becomes an object with the text and the cursor of the next page. */
export type OperationAnswer<N extends OperationName> = OperationOutput<N>

/**
 * Thrown when a request fails. A request that the API refuses has changed nothing. If `code` is `unreachable` or
 * `unavailable`, it is unknown whether the request took effect. `next` is the recommended next step. After
 * `retryAfterMs`, the same request may succeed.
 */
export class ChainClientError extends Error {
  override readonly name = 'ChainClientError'
  readonly code: ChainErrorCode | (string & {})
  readonly next: NextStep
  readonly pointer: string | null
  readonly retryAfterMs: number | null
  /** HTTP status of the answer; 0 if no answer arrived. */
  readonly status: number
  readonly issues: readonly Issue[]

  constructor(status: number, error: Partial<ErrorBody>) {
    super(error.message ?? 'That did not work.')
    this.status = status
    this.code = error.code ?? 'unavailable'
    this.next = error.next ?? 'retry-after'
    this.pointer = error.pointer ?? null
    this.retryAfterMs = error.retryAfterMs ?? null
    this.issues = error.issues ?? []
  }
}

export interface Issue {
  readonly code: string
  readonly pointer: string | null
  readonly message: string
}

/** Creates a client. Every method throws a ChainClientError if its request fails. */
export function createChainClient({ baseUrl, token, person, fetch: ask = fetchOf }: ChainClientOptions): ChainClient {
  const methods = Object.keys(PATHS).map((name) => [
    name,
    async (asked: Readonly<Record<string, unknown>>) => {
      const { url, init } = requestOf(PATHS[name as OperationName], asked)
      init.headers['Authorization'] = `Bearer ${token}`
      if (person !== undefined) init.headers['Walkon-Person'] = encodeURIComponent(person)
      const response = await ask(new URL(url, baseUrl).href, init).catch(() => null)
      if (response === null) throw new ChainClientError(0, { code: 'unreachable' })
      return read(response)
    },
  ])
  return Object.fromEntries(methods) as ChainClient
}

/** Calls `fetch` as a plain function: a browser's `fetch` throws when it is called as a method of another object. */
const fetchOf = (url: string, init: RequestInit): Promise<Response> => fetch(url, init)

interface ErrorBody {
  readonly code: string
  readonly next: NextStep
  readonly message: string
  readonly pointer: string | null
  readonly retryAfterMs: number
  readonly issues: readonly Issue[]
}

/**
 * Builds a request. Path parameters go into the path. All other fields go into the query of a GET or DELETE, or into
 * the body.
 */
function requestOf(template: string, asked: Readonly<Record<string, unknown>>) {
  const [method = 'GET', path = ''] = template.split(' ')
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, asked[name]))
  const others = Object.entries(asked).filter(([name, value]) => value !== undefined && !names.includes(name))
  const init: RequestInit & { headers: Record<string, string> } = { method, headers: {} }
  if (method === 'GET' || method === 'DELETE') {
    const query = new URLSearchParams(others.map(([name, value]) => [name, String(value)])).toString()
    return { url: query === '' ? url : `${url}?${query}`, init }
  }
  init.headers['Content-Type'] = 'application/json'
  init.body = JSON.stringify(Object.fromEntries(others))
  return { url, init }
}

/**
 * Encodes a parameter for the path. Refuses `.`, `..` and an empty text, which would change the path, and a text with
 * an unpaired surrogate, which cannot be encoded. Refuses every value that is neither text nor a number.
 */
function segment(name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (!/^\.{0,2}$/.test(text) && text.isWellFormed()) return encodeURIComponent(text)
  const message = 'This cannot stand in an address.'
  throw new ChainClientError(0, { code: 'INVALID_FORMAT', next: 'give-up', message, pointer: `/params/${name}` })
}

async function read(response: Response): Promise<unknown> {
  const isText = response.headers.get('Content-Type')?.startsWith('text/csv') ?? false
  const body: unknown = await (isText ? response.text() : response.json()).catch(() => null)
  if (response.ok && body !== null) return isText ? { csv: body, next: response.headers.get('Walkon-Next') } : body
  const { error = {} } = (body ?? {}) as { error?: Partial<ErrorBody> }
  throw new ChainClientError(response.status, error)
}

type Operations = typeof operations
type Part = 'params' | 'query' | 'body'
type SchemaOf<N extends OperationName, P extends Part> = Operations[N] extends { readonly [K in P]: infer S }
  ? S
  : never

/**
 * The fields of a request's params or query. Each value may be text, or have the type that the server parses the text
 * to.
 */
type Texts<N extends OperationName, P extends Part> = [SchemaOf<N, P>] extends [never]
  ? unknown
  : SchemaOf<N, P> extends z.ZodType
    ? { readonly [K in keyof z.input<SchemaOf<N, P>>]: z.input<SchemaOf<N, P>>[K] | ReadAs<SchemaOf<N, P>, K> }
    : unknown

type ReadAs<S extends z.ZodType, K> = K extends keyof z.output<S> ? z.output<S>[K] : never

type Given<N extends OperationName, P extends Part> = [SchemaOf<N, P>] extends [never]
  ? unknown
  : SchemaOf<N, P> extends z.ZodType
    ? z.input<SchemaOf<N, P>>
    : unknown
