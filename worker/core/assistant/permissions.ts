/** Something that an agent may do only after a person has allowed it, such as `web_search`. */
export type GuardedOperation = string

/** What a person is asked before an operation. */
export interface PermissionRequest {
  /** The id by which exactly this request is answered. */
  readonly id: string
  readonly operation: GuardedOperation
  readonly agent: string
  /** The tool call that waits for the answer. */
  readonly call: string
  readonly reasoning: string
  readonly estimatedCost: string | null
  readonly safety: 'low' | 'medium' | 'high'
  /** Times are milliseconds since 1970. */
  readonly askedAt: number
  /** When an answer is too late. */
  readonly expiresAt: number
}

/** A person's answer to a request. `here`: for this operation until the conversation or the grant ends. */
export type PermissionAnswer = 'once' | 'here' | 'deny'

/** The right to perform an operation. */
export interface Grant {
  /** The request that the person answered. */
  readonly request: string
  readonly operation: GuardedOperation
  readonly scope: 'once' | 'conversation'
  /** The tool call for which a `once` grant counts. Null for the conversation's scope. */
  readonly call: string | null
  readonly expiresAt: number
}

/** All requests that wait, and all grants that may still be used. Plain data; never changed in place. */
export interface Permissions {
  readonly pending: readonly PermissionRequest[]
  readonly grants: readonly Grant[]
  /** The ids of the requests that are over, the latest last. A second answer to one of them is refused. */
  readonly settled: readonly string[]
}

export const NO_PERMISSIONS: Permissions = { pending: [], grants: [], settled: [] }

/** The most requests that wait at once, and the most settled ids that are kept. */
export const MOST_PENDING = 8
const MOST_SETTLED = 200

export type PermissionAsked =
  | { readonly ok: true; readonly permissions: Permissions }
  | { readonly ok: false; readonly why: 'too-many' | 'known-request' }

/** Adds a request that waits for a person's answer. */
export function askPermission(permissions: Permissions, request: PermissionRequest): PermissionAsked {
  const { pending, settled } = permissions
  if (settled.includes(request.id) || pending.some(({ id }) => id === request.id))
    return { ok: false, why: 'known-request' }
  if (pending.length >= MOST_PENDING) return { ok: false, why: 'too-many' }
  return { ok: true, permissions: { ...permissions, pending: [...pending, request] } }
}

export type Answered =
  | {
      readonly ok: true
      readonly permissions: Permissions
      readonly request: PermissionRequest
      readonly grant: Grant | null
    }
  /** `stale`: the request was answered before, has expired, or never was. Nothing changed. */
  | { readonly ok: false; readonly why: 'stale' }

/** How long a grant for the conversation counts, in milliseconds. */
const GRANT_MS = 24 * 3_600_000

/**
 * Applies a person's answer. Each request takes one answer: a second one, a late one, and one to an unknown request are
 * refused and change nothing ([assistant-5]).
 */
export function answerPermission(permissions: Permissions, id: string, answer: PermissionAnswer, at: number): Answered {
  const request = permissions.pending.find((each) => each.id === id)
  if (request === undefined || at >= request.expiresAt) return { ok: false, why: 'stale' }
  const { operation, call } = request
  const grant: Grant | null =
    answer === 'deny'
      ? null
      : answer === 'once'
        ? { request: id, operation, scope: 'once', call, expiresAt: request.expiresAt }
        : { request: id, operation, scope: 'conversation', call: null, expiresAt: at + GRANT_MS }
  const left = settle(permissions, [id])
  return { ok: true, request, grant, permissions: grant ? { ...left, grants: [...left.grants, grant] } : left }
}

/**
 * Uses a grant for one tool call. A grant for one call counts only for the call that was asked about, and is gone after
 * that. Returns null if no live grant covers the call: the operation must not be performed.
 *
 * @param at milliseconds since 1970
 */
export function useGrant(
  permissions: Permissions,
  { operation, call }: { readonly operation: GuardedOperation; readonly call: string },
  at: number,
): { readonly permissions: Permissions; readonly grant: Grant } | null {
  const covers = (grant: Grant) =>
    grant.operation === operation && at < grant.expiresAt && (grant.call === null || grant.call === call)
  const live = permissions.grants.filter(covers)
  // A grant for the conversation is used first, so that a grant for one call is not spent without need.
  const grant = live.find(({ scope }) => scope === 'conversation') ?? live[0]
  if (grant === undefined) return null
  const grants = grant.scope === 'once' ? permissions.grants.filter((each) => each !== grant) : permissions.grants
  return { grant, permissions: { ...permissions, grants } }
}

/** Takes back every grant for an operation, or all grants. Requests keep waiting. */
export function revokeGrants(permissions: Permissions, operation: GuardedOperation | null = null): Permissions {
  const grants = operation === null ? [] : permissions.grants.filter((grant) => grant.operation !== operation)
  return { ...permissions, grants }
}

/** Removes the requests and the grants that have expired. Returns the expired requests too: their calls are denied. */
export function expire(
  permissions: Permissions,
  at: number,
): { readonly permissions: Permissions; readonly expired: readonly PermissionRequest[] } {
  const expired = permissions.pending.filter(({ expiresAt }) => at >= expiresAt)
  const left = settle(
    permissions,
    expired.map(({ id }) => id),
  )
  return { expired, permissions: { ...left, grants: left.grants.filter(({ expiresAt }) => at < expiresAt) } }
}

function settle(permissions: Permissions, ids: readonly string[]): Permissions {
  if (ids.length === 0) return permissions
  return {
    ...permissions,
    pending: permissions.pending.filter(({ id }) => !ids.includes(id)),
    settled: [...permissions.settled, ...ids].slice(-MOST_SETTLED),
  }
}
