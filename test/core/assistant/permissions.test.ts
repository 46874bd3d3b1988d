import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answerPermission,
  askPermission,
  expire,
  MOST_PENDING,
  NO_PERMISSIONS,
  type PermissionRequest,
  type Permissions,
  revokeGrants,
  useGrant,
} from '../../../worker/core/assistant/permissions.ts'

const request = (id: string, more: Partial<PermissionRequest> = {}): PermissionRequest => ({
  id,
  operation: 'web_search',
  agent: 'research',
  call: `call-${id}`,
  reasoning: 'The page does not say it.',
  estimatedCost: null,
  safety: 'low',
  askedAt: 0,
  expiresAt: 1_000,
  ...more,
})

function asked(...requests: readonly PermissionRequest[]): Permissions {
  return requests.reduce((permissions, each) => {
    const done = askPermission(permissions, each)
    if (!done.ok) throw new Error(done.why)
    return done.permissions
  }, NO_PERMISSIONS)
}

describe('permissions', () => {
  it('[assistant-5] a request takes one answer, in time', () => {
    const before = asked(request('a'), request('b'))
    const once = answerPermission(before, 'a', 'once', 10)
    if (!once.ok) throw new Error('refused')
    expect(answerPermission(once.permissions, 'a', 'here', 11)).toEqual({ ok: false, why: 'stale' })
    expect(answerPermission(once.permissions, 'c', 'here', 11)).toEqual({ ok: false, why: 'stale' })
    expect(answerPermission(once.permissions, 'b', 'here', 1_000)).toEqual({ ok: false, why: 'stale' })
    expect(askPermission(once.permissions, request('a'))).toEqual({ ok: false, why: 'known-request' })
  })

  it('[assistant-6] a grant for one call counts for that call, once', () => {
    const once = answerPermission(asked(request('a')), 'a', 'once', 10)
    if (!once.ok) throw new Error('refused')
    expect(useGrant(once.permissions, { operation: 'web_search', call: 'call-b' }, 20)).toBe(null)
    expect(useGrant(once.permissions, { operation: 'web_crawl', call: 'call-a' }, 20)).toBe(null)
    const used = useGrant(once.permissions, { operation: 'web_search', call: 'call-a' }, 20)
    expect(used?.permissions.grants).toEqual([])
    expect(used && useGrant(used.permissions, { operation: 'web_search', call: 'call-a' }, 21)).toBe(null)
  })

  it('[assistant-6] a denial grants nothing, and a revoked or expired grant permits nothing', () => {
    const denied = answerPermission(asked(request('a')), 'a', 'deny', 10)
    expect(denied).toMatchObject({ ok: true, grant: null, permissions: { grants: [], pending: [] } })
    const here = answerPermission(asked(request('a')), 'a', 'here', 10)
    if (!here.ok) throw new Error('refused')
    const use = { operation: 'web_search', call: 'any' }
    expect(useGrant(here.permissions, use, 11)).not.toBe(null)
    expect(useGrant(revokeGrants(here.permissions), use, 11)).toBe(null)
    expect(useGrant(revokeGrants(here.permissions, 'web_search'), use, 11)).toBe(null)
    expect(useGrant(revokeGrants(here.permissions, 'web_crawl'), use, 11)).not.toBe(null)
    expect(useGrant(here.permissions, use, (here.grant?.expiresAt ?? 0) + 1)).toBe(null)
  })

  type Act =
    | { readonly type: 'ask'; readonly id: number; readonly operation: string; readonly lasts: number }
    | { readonly type: 'answer'; readonly id: number; readonly answer: 'once' | 'here' | 'deny' }
    | { readonly type: 'use'; readonly id: number; readonly operation: string }
    | { readonly type: 'revoke'; readonly operation: string | null }
    | { readonly type: 'expire' }
  const id = fc.nat(12)
  const operation = fc.constantFrom('web_search', 'web_crawl', 'file_write')
  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({ type: fc.constant('ask' as const), id, operation, lasts: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ type: fc.constant('answer' as const), id, answer: fc.constantFrom('once', 'here', 'deny') }),
    fc.record({ type: fc.constant('use' as const), id, operation }),
    fc.record({ type: fc.constant('revoke' as const), operation: fc.option(operation) }),
    fc.constant({ type: 'expire' as const }),
  )

  it('[assistant-5] [assistant-6] no operation happens without a live grant, and none for one call happens twice', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(act, fc.nat(3)), { maxLength: 80 }), (acts) => {
        let permissions = NO_PERMISSIONS
        let now = 0
        const allowed = new Map<string, 'once' | 'here'>()
        const usedOnce = new Set<string>()
        const answered = new Set<string>()
        for (const [each, passed] of acts) {
          now += passed
          if (each.type === 'ask') {
            const name = `${each.id}`
            const done = askPermission(
              permissions,
              request(name, { operation: each.operation, askedAt: now, expiresAt: now + each.lasts }),
            )
            if (done.ok) permissions = done.permissions
          } else if (each.type === 'answer') {
            const done = answerPermission(permissions, `${each.id}`, each.answer, now)
            if (!done.ok) continue
            expect(answered.has(`${each.id}`)).toBe(false)
            answered.add(`${each.id}`)
            permissions = done.permissions
            if (each.answer === 'once') allowed.set(`${done.request.operation} ${done.request.call}`, 'once')
            if (each.answer === 'here') allowed.set(done.request.operation, 'here')
          } else if (each.type === 'use') {
            const call = `call-${each.id}`
            const used = useGrant(permissions, { operation: each.operation, call }, now)
            if (!used) continue
            expect(used.grant.expiresAt).toBeGreaterThan(now)
            const key = `${each.operation} ${call}`
            if (used.grant.scope === 'once') {
              expect([allowed.get(key), usedOnce.has(key)]).toEqual(['once', false])
              usedOnce.add(key)
            } else expect(allowed.get(each.operation)).toBe('here')
            permissions = used.permissions
          } else if (each.type === 'revoke') permissions = revokeGrants(permissions, each.operation)
          else permissions = expire(permissions, now).permissions
          expect(permissions.pending.length).toBeLessThanOrEqual(MOST_PENDING)
          if (each.type === 'expire')
            expect([...permissions.pending, ...permissions.grants].every(({ expiresAt }) => expiresAt > now)).toBe(true)
        }
      }),
    )
  })
})
