import type * as z from 'zod'
import type { ChainErrorCode } from '../chain-error.ts'
import type { OperationName, operations, OperationOutput } from '../api/operations.ts'
import type { NextStep } from '../../wire/messages.ts'
import { PATHS } from './paths.ts'

/** The chain over HTTP: a method for each operation of the API, typed by the same table that the server reads. */
export type ChainClient = { readonly [N in OperationName]: (asked: OperationRequest<N>) => Promise<OperationAnswer<N>> }

export interface ChainClientOptions {
  /** Such as `https://walkon.example`; in a page of the Worker's own, `location.origin`. */
  readonly baseUrl: string
  /** Where one is given, everything is asked with it; it is never part of an address. */
  readonly token: string
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>
}

/** What is given for an operation: its params, query and body in one object. Numbers and flags of a query may be such. */
export type OperationRequest<N extends OperationName> = Texts<N, 'params'> & Texts<N, 'query'> & Given<N, 'body'>

/** What an operation answers. A CSV is its text, and the cursor of what comes after it. */
export type OperationAnswer<N extends OperationName> = OperationOutput<N>

/**
 * The API did not do what it was asked, and has changed nothing, unless `code` is `unreachable` or `unavailable`: then nobody
 * knows. `next` says what may help: after `retryAfterMs`, the same request may do.
 */
export class ChainClientError extends Error {
  override readonly name = 'ChainClientError'
  readonly code: ChainErrorCode | (string & {})
  readonly next: NextStep
  readonly pointer: string | null
  readonly retryAfterMs: number | null
  /** Of the answer; 0 where there was none. */
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

/** @throws ChainClientError from every method */
export function createChainClient({ baseUrl, token, fetch: ask = fetchOf }: ChainClientOptions): ChainClient {
  const methods = Object.keys(PATHS).map((name) => [
    name,
    async (asked: Readonly<Record<string, unknown>>) => {
      const { url, init } = requestOf(PATHS[name as OperationName], asked)
      init.headers['Authorization'] = `Bearer ${token}`
      const response = await ask(new URL(url, baseUrl).href, init).catch(() => null)
      if (response === null) throw new ChainClientError(0, { code: 'unreachable' })
      return read(response)
    },
  ])
  return Object.fromEntries(methods) as ChainClient
}

/** Called as a function of its own: a page's `fetch` refuses to be called on anything but the window. */
const fetchOf = (url: string, init: RequestInit): Promise<Response> => fetch(url, init)

interface ErrorBody {
  readonly code: string
  readonly next: NextStep
  readonly message: string
  readonly pointer: string | null
  readonly retryAfterMs: number
  readonly issues: readonly Issue[]
}

/** What the path names goes into it; the rest into the query of what is only read or deleted, or into the body. */
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
 * A dot or two would make it another address, however they are written; nothing would make it this one again. What is not
 * given is nobody's name: `undefined` is not written.
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

/** As text, or as what the text is read as. */
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
