import * as z from 'zod'
import type { Context, ContextVersion } from '../context.ts'
import {
  as,
  autoComplete,
  contextId,
  conversationRef,
  cursor,
  data,
  limit,
  name,
  queryFlag,
  queryInt,
  queryTime,
  status,
} from './shapes.ts'

export const context = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  rootId: z.string(),
  depth: z.int(),
  purpose: z.string(),
  description: z.string().nullable(),
  memorySpaceId: z.string(),
  userId: z.string().nullable(),
  childIds: z.array(z.string()).readonly(),
  childCount: z.int(),
  participants: z.array(z.string()).readonly(),
  conversationRef: conversationRef().nullable(),
  data: data(),
  status: status(),
  autoComplete: autoComplete(),
  createdAt: z.int(),
  updatedAt: z.int(),
  completedAt: z.int().nullable(),
  version: z.int(),
  updatedBy: z.string(),
}) satisfies z.ZodType<Context>

export const contextVersion = z.object({
  version: z.int(),
  status: status(),
  purpose: z.string(),
  description: z.string().nullable(),
  data: data(),
  timestamp: z.int(),
  updatedBy: z.string(),
}) satisfies z.ZodType<ContextVersion>

/** A filter of contexts. A context must match all given fields. */
const filter = {
  memorySpaceId: name().optional(),
  userId: name().optional(),
  status: status().optional(),
  parentId: contextId().optional(),
  rootId: contextId().optional(),
  ancestorId: contextId().optional().describe('Everything under this context, however deep.'),
  conversationId: name().optional(),
}

export const queryFilter = {
  ...filter,
  depth: queryInt(0, 10).optional(),
  leaf: queryFlag().optional().describe('`true`: contexts without children; `false`: contexts with some.'),
  createdAfter: queryTime().optional().describe('Later than this.'),
  createdBefore: queryTime().optional().describe('Earlier than this.'),
  completedAfter: queryTime().optional().describe('Later than this.'),
  completedBefore: queryTime().optional().describe('Earlier than this.'),
}

export const bodyFilter = z
  .strictObject({ ...filter, depth: z.int().min(0).max(10).optional() })
  .refine((given) => Object.keys(given).length > 0, as('EMPTY_FILTERS'))

export const paging = {
  limit: limit().describe('The most items of one page. A page that would be too large ends earlier.'),
  cursor: cursor()
    .optional()
    .describe('The `next` of the page before. Everything else must be the same as in that request.'),
}

export type ContextFilter = z.output<z.ZodObject<typeof queryFilter>>
export type BulkFilter = z.output<typeof bodyFilter>
export interface Paging {
  readonly limit: number
  readonly cursor?: string | undefined
}
