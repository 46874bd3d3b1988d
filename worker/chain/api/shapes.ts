import * as z from 'zod'
import { USER_NAME } from '../../trust/learner.ts'
import type { ChainErrorCode } from '../chain-error.ts'

/**
 * The shapes that the chain's requests and answers are made of. Where a shape knows better than zod what is wrong, its
 * message is the code of it.
 */

/** For a shape's message: the code that its refusal has. */
export const as = (code: ChainErrorCode) => ({ error: code })

export const contextId = () => z.string().regex(/^ctx_[\w-]{1,64}$/, as('INVALID_ID'))
export const memoryId = () => z.string().regex(/^mem_[\w-]{1,64}$/, as('INVALID_ID'))
export const erasureId = () => z.string().regex(/^era_[\w-]{1,64}$/, as('INVALID_ID'))

/**
 * The name of a memory space, a participant, a user or a conversation: what the tenant calls them. It has to be able to
 * stand in an address, where a dot or two of them mean another one, however they are written.
 */
export const name = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^(?!\.{1,2}$)/, as('INVALID_FORMAT'))

/**
 * The name of a user in an address, as it stands there. One with blanks around it is nobody's, and refused: whoever asked for
 * " ana" to be erased would erase ana.
 */
export const userInAddress = () => z.string().min(1).max(200).regex(USER_NAME, as('INVALID_FORMAT'))

/** A sentence or two. */
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

/** In a query everything is text. What it is read as is said in the API's document by `meta`. */
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
/** The longest holds a name, each character of it escaped, in base64. */
export const cursor = () => z.string(as('INVALID_CURSOR')).min(1, as('INVALID_CURSOR')).max(2_000, as('INVALID_CURSOR'))

export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item).readonly(), next: z.string().nullable() })
}

/** The most that `data` or `metadata` may be as JSON text in UTF-8, after merging too. A row of D1 holds 2 MB. */
export const MOST_DATA_BYTES = 65_536
/** The most objects and lists that may stand in one another, the outermost counted. */
const MOST_DATA_LEVELS = 32

/** Why free data of a tenant is too much, or null. Depth first: how long very deep data is cannot be asked, since
 * writing it as text goes down all its levels. */
export function dataProblem(data: unknown): Extract<ChainErrorCode, 'TOO_DEEP' | 'TOO_LONG'> | null {
  if (isDeeper(data, MOST_DATA_LEVELS)) return 'TOO_DEEP'
  return bytesOfData(data) > MOST_DATA_BYTES ? 'TOO_LONG' : null
}

/** How long data is as JSON text, in bytes of UTF-8. */
function bytesOfData(data: unknown): number {
  return new TextEncoder().encode(JSON.stringify(data)).length
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
