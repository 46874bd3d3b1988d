import type { Context } from 'hono'
import * as z from 'zod'
import type { Operation } from '../../chain/api/operation.ts'
import { isStorable, jsonProblems, UNSTORABLE } from './json-problems.ts'
import { MOST_PROBLEMS, type RequestPart, type RequestProblem, problem, problemsOf } from './problems.ts'

/** The input of an operation, or everything that is wrong with the request. */
export type ReadRequest =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly [RequestProblem, ...RequestProblem[]] }

/**
 * Reads the path, the query and the body of a request, and checks each by its schema. A part without a schema must be
 * empty.
 */
export async function readRequest(c: Context, schemas: Pick<Operation, RequestPart>): Promise<ReadRequest> {
  const params = c.req.param()
  const { pathname, search, searchParams } = new URL(c.req.url)
  const parts = [
    readPart('params', schemas.params, {
      value: params,
      problems: [...codingProblems('params', pathname), ...textProblems('params', params)],
    }),
    readPart('query', schemas.query, readQuery(search, searchParams)),
    readPart('body', schemas.body, readBody(await c.req.arrayBuffer())),
  ]
  const [first, ...others] = distinct(parts.flatMap(({ problems }) => problems)).slice(0, MOST_PROBLEMS)
  if (first !== undefined) return { ok: false, problems: [first, ...others] }
  return { ok: true, input: Object.assign({}, ...parts.map(({ value }) => value)) }
}

const NOTHING: z.ZodObject = z.strictObject({})

interface ReadPart {
  /** Undefined if the part could not be parsed; then its schema is not applied. */
  readonly value: unknown
  readonly problems: readonly RequestProblem[]
}

function readPart(part: RequestPart, schema = NOTHING, { value, problems }: ReadPart): ReadPart {
  if (value === undefined) return { value, problems }
  const read = schema.safeParse(value)
  return read.success
    ? { value: read.data, problems }
    : { value, problems: [...problems, ...problemsOf(part, read.error, value)] }
}

function readQuery(written: string, given: URLSearchParams): ReadPart {
  const value = Object.fromEntries(given)
  const twice = [...Map.groupBy(given.keys(), (name) => name)].flatMap(([name, all]) => (all.length > 1 ? [name] : []))
  return {
    value,
    problems: [
      ...codingProblems('query', written),
      ...twice.map((name) => problem('DUPLICATE_FIELD', 'query', [name], 'This is given twice.')),
      ...textProblems('query', value),
    ],
  }
}

/**
 * Reports a path or query that is not percent-encoded UTF-8. If the server accepted other encodings, two different URLs
 * could have the same meaning.
 */
function codingProblems(part: RequestPart, written: string): readonly RequestProblem[] {
  try {
    decodeURIComponent(written)
    return []
  } catch {
    return [problem('INVALID_FORMAT', part, [], 'This is not UTF-8 in percent-encoding.')]
  }
}

function textProblems(part: RequestPart, texts: Readonly<Record<string, string>>): readonly RequestProblem[] {
  const unstorable = Object.keys(texts).filter((name) => !isStorable(texts[name] ?? '') || !isStorable(name))
  return unstorable.map((name) => problem('INVALID_FORMAT', part, [name], UNSTORABLE))
}

/** Parses the body. No body counts as an object without fields. */
function readBody(bytes: ArrayBuffer): ReadPart {
  if (bytes.byteLength === 0) return { value: {}, problems: [] }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    return { value, problems: jsonProblems(text) }
  } catch {
    return { value: undefined, problems: [problem('MALFORMED_JSON', 'body', [], 'This is not JSON in UTF-8.')] }
  }
}

/** Removes repetitions, because two checks may report the same problem. */
function distinct(problems: readonly RequestProblem[]): readonly RequestProblem[] {
  return [...new Map(problems.map((each) => [`${each.code} ${each.pointer}`, each])).values()]
}
