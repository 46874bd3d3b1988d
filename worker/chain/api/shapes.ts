import * as z from 'zod'
import { USER_NAME } from '../../trust/learner.ts'
import type { ChainErrorCode } from '../chain-error.ts'

/**
 * Zod schemas for the chain's requests and answers. Where zod's own issue does not tell which error code applies, the
 * schema's message is the error code.
 */

/** Returns the zod option that sets the error code of a refused value. */
export const as = (code: ChainErrorCode) => ({ error: code })

export const contextId = () => z.string().regex(/^ctx_[\w-]{1,64}$/, as('INVALID_ID'))
export const memoryId = () => z.string().regex(/^mem_[\w-]{1,64}$/, as('INVALID_ID'))
export const grantId = () => z.string().regex(/^grt_[\w-]{1,64}$/, as('INVALID_ID'))
export const tokenId = () => z.string().regex(/^tok_[\w-]{1,64}$/, as('INVALID_ID'))
export const erasureId = () => z.string().regex(/^era_[\w-]{1,64}$/, as('INVALID_ID'))

/**
 * The name that a tenant gives to a memory space, a participant, a user or a conversation. The name must fit into a
 * URL, so `.` and `..` are refused: even percent-encoded, they change the URL's path.
 */
export const name = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^(?!\.{1,2}$)/, as('INVALID_FORMAT'))

/**
 * The name of a user in a URL, without trimming. A name that begins or ends with a blank is refused, because a request
 * to erase " ana" would otherwise erase "ana".
 */
export const userInAddress = () => z.string().min(1).max(200).regex(USER_NAME, as('INVALID_FORMAT'))

/** A text of up to 2,000 characters that is not blank. */
export const line = () => z.string().trim().min(1).max(2_000)

export const status = () => z.enum(['active', 'blocked', 'completed', 'cancelled'], as('INVALID_STATUS'))
export const autoComplete = () => z.enum(['never', 'all-completed', 'all-settled'])

/** Any JSON object, up to 64 KiB as text and 32 levels. */
export const data = () =>
  z.record(z.string(), z.unknown()).check((payload) => {
    const code = dataProblem(payload.value)
    if (code !== null) payload.issues.push({ code: 'custom', message: code, input: payload.value })
  })

export const conversationRef = () =>
  z.strictObject({ conversationId: name(), messageIds: z.array(name()).max(1_000).readonly().default([]) })

/** Milliseconds since 1970, or an ISO 8601 date and time. */
export const time = () =>
  z.union([z.int().min(0), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))], as('INVALID_DATE'))

/** A time in a query, where every value is text. `meta` tells the OpenAPI document which type the text stands for. */
export const queryTime = () =>
  z.union(
    [
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number)
        .meta({ type: 'integer', minimum: 0 }),
      z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
    ],
    as('INVALID_DATE'),
  )
export const queryInt = (least: number, most: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, as('INVALID_RANGE'))
    .transform(Number)
    .pipe(z.int().min(least).max(most))
    .meta({ type: 'integer', minimum: least, maximum: most })
export const queryFlag = () =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ type: 'boolean' })

export const limit = () => queryInt(1, 1_000).default(100).meta({ default: 100 })
/** A page cursor. The limit is enough for the longest cursor: a name with every character escaped, in base64. */
export const cursor = () => z.string(as('INVALID_CURSOR')).min(1, as('INVALID_CURSOR')).max(2_000, as('INVALID_CURSOR'))

export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item).readonly(), next: z.string().nullable() })
}

/**
 * The most bytes of `data` or `metadata` as JSON text in UTF-8, also after an update is merged in. A row of D1 holds 2
 * MB.
 */
export const MOST_DATA_BYTES = 65_536
/** The deepest nesting of objects and lists, the outermost one included. */
const MOST_DATA_LEVELS = 32

/**
 * Returns the error code if a tenant's data is too large, otherwise null. The depth is checked first, because
 * converting very deep data to text would overflow the stack.
 */
export function dataProblem(data: unknown): Extract<ChainErrorCode, 'TOO_DEEP' | 'TOO_LONG'> | null {
  if (isDeeper(data, MOST_DATA_LEVELS)) return 'TOO_DEEP'
  return bytesOfData(data) > MOST_DATA_BYTES ? 'TOO_LONG' : null
}

function bytesOfData(data: unknown): number {
  return new TextEncoder().encode(JSON.stringify(data)).length
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
