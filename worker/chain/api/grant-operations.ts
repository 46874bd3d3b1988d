import * as z from 'zod'
import { paging } from './context-shapes.ts'
import type { Operation } from './operation.ts'
import { as, contextId, grantId, name, page, time, tokenId, userInAddress } from './shapes.ts'

/** The operations for which access can be granted. Each reads one context, or what is under one. */
export const GRANTABLE = ['getContext', 'listContexts', 'listVersions'] as const

export type Grantable = (typeof GRANTABLE)[number]

export const grant = z.object({
  id: z.string(),
  contextId: z.string(),
  /** The reader: the id of a token, or the name of a person. The other one is null. */
  token: z.string().nullable(),
  person: z.string().nullable(),
  operations: z.array(z.enum(GRANTABLE)).readonly(),
  under: z.boolean(),
  grantedBy: z.string(),
  createdAt: z.int(),
  expiresAt: z.int().nullable(),
  revokedAt: z.int().nullable(),
})

const reader = {
  token: tokenId().optional().describe('The id of a token of this tenant that allows `granted`.'),
  person: userInAddress().optional().describe('Your name for a person on whose behalf your server reads.'),
}

const given = (values: readonly unknown[]): number => values.filter((value) => value !== undefined).length

/** Every operation on grants, by its name. */
export const grantOperations = {
  grantAccess: {
    method: 'POST',
    path: '/api/grants',
    summary: 'Allow one token or one person to read a context, for some operations and until a time.',
    needs: 'write',
    body: z
      .strictObject({
        contextId: contextId(),
        ...reader,
        operations: z
          .array(z.enum(GRANTABLE))
          .min(1)
          .max(GRANTABLE.length)
          .default(['getContext'])
          .describe('What the reader may call. `listContexts` needs `under`, and an earlier state `listVersions`.'),
        under: z.boolean().default(false).describe('Also for everything under the context.'),
        expiresAt: time().optional().describe('Until when; by default until it is revoked.'),
        by: name().optional().describe('Who allows it; by default the name of the token.'),
      })
      .refine(({ token, person }) => given([token, person]) === 1, { ...as('INVALID_FORMAT'), path: ['person'] }),
    status: 201,
    answer: grant,
    errors: ['CONTEXT_NOT_FOUND', 'ERASURE_RUNNING', 'BUSY'],
  },
  listGrants: {
    method: 'GET',
    path: '/api/grants',
    summary: 'List the grants of a context, of a token or of a person, oldest first, also those that are over.',
    needs: 'read',
    query: z
      .strictObject({ contextId: contextId().optional(), ...reader, ...paging })
      .refine(({ contextId: context, token, person }) => given([context, token, person]) === 1, {
        ...as('INVALID_FORMAT'),
        path: ['contextId'],
      }),
    status: 200,
    answer: page(grant),
    errors: ['INVALID_CURSOR'],
  },
  revokeGrant: {
    method: 'DELETE',
    path: '/api/grants/{grant}',
    summary: 'Revoke a grant: from the next request on it allows nothing. A second time changes nothing.',
    needs: 'write',
    params: z.strictObject({ grant: grantId() }),
    status: 200,
    answer: grant,
    errors: ['GRANT_NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>
