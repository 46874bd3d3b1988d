import { describe, expect, it } from 'vitest'
import { createContext } from '../../worker/chain/contexts/create-context.ts'
import { deleteContext } from '../../worker/chain/contexts/delete-context.ts'
import { grantAccess, listGrants, revokeGrant } from '../../worker/chain/grants/grants.ts'
import { type GrantReader, requireGrant } from '../../worker/chain/grants/reader.ts'
import { beginErasure } from '../../worker/chain/people/begin-erasure.ts'
import { exportPerson } from '../../worker/chain/people/export-person.ts'
import { getPerson } from '../../worker/chain/people/get-person.ts'
import { personOf } from '../../worker/chain/people/person.ts'
import type { Scope } from '../../worker/chain/scope.ts'
import { eraseWhole } from './support/erase.ts'
import { freshScope } from './support/fresh-scope.ts'
import { plant } from './support/plant.ts'
import { plansOf, watched } from './support/watched.ts'

const ANA: GrantReader = { of: 'person', id: 'ana' }
const made = {
  purpose: 'some work',
  memorySpaceId: 'team',
  data: {},
  autoComplete: 'never',
  underTerminal: false,
} as const
const READ = { contextId: 'ctx_a', operations: ['getContext'], under: false } as const
const read = { context: 'ctx_a', children: false, inherited: false }

const grant = (scope: Scope, more: object) => grantAccess(scope, { ...READ, operations: ['getContext'], ...more })
const listOf = async (scope: Scope, of: object) => (await listGrants(scope, { ...of, limit: 100 })).items
const may = (scope: Scope, reader = ANA, input: object = read) =>
  requireGrant(scope, reader, 'getContext', input).then(
    () => true,
    () => false,
  )

describe('a grant', () => {
  it('[grant-3] holds until its time, and is over in that millisecond', async () => {
    let now = 1_000
    const scope = await freshScope({ now: () => now })
    await createContext(scope, { id: 'ctx_a', ...made })
    await grant(scope, { person: 'ana', expiresAt: 2_000 })
    now = 1_999
    expect(await may(scope)).toBe(true)
    now = 2_000
    expect(await may(scope)).toBe(false)
  })

  it('[grant-4] goes with its context, and with its person', async () => {
    const scope = await freshScope()
    for (const id of ['ctx_a', 'ctx_b']) await createContext(scope, { id, ...made })
    await createContext(scope, { id: 'ctx_c', ...made, userId: 'ana' })
    await grant(scope, { person: 'ana' })
    await grant(scope, { person: 'bo', by: 'ana' })
    await grant(scope, { token: 'tok_1', contextId: 'ctx_b' })
    await grant(scope, { person: 'bo', contextId: 'ctx_c' })
    expect((await getPerson(scope, { user: 'ana' })).counts.grants).toBe(1)
    expect((await exportPerson(scope, { user: 'ana' })).grants).toEqual(await listOf(scope, { person: 'ana' }))
    await deleteContext(scope, { context: 'ctx_b', mode: 'leaf' })
    expect(await listOf(scope, { token: 'tok_1' })).toEqual([])

    await eraseWhole(scope, 'ana')
    expect(await listOf(scope, { person: 'ana' })).toEqual([])
    expect(await listOf(scope, { contextId: 'ctx_c' })).toEqual([])
    expect(await listOf(scope, { person: 'bo' })).toMatchObject([{ contextId: 'ctx_a', grantedBy: 'erased' }])
    expect(await may(scope)).toBe(false)
    expect(await may(scope, { of: 'person', id: 'bo' })).toBe(true)
  })

  it('[grant-4] [context-6] is not given to somebody who is being erased, nor by them', async () => {
    const scope = await freshScope()
    await createContext(scope, { id: 'ctx_a', ...made })
    const person = await personOf(scope, 'ana')
    await beginErasure(scope, { id: 'era_1', tenant: scope.tenant, mode: 'preserve', at: scope.now(), person } as never)
    for (const names of [{ person: 'ana' }, { person: 'bo', by: 'ana' }])
      await expect(grant(scope, names)).rejects.toMatchObject({ code: 'ERASURE_RUNNING' })
    await expect(grant(scope, { person: 'bo', contextId: 'ctx_x' })).rejects.toMatchObject({
      code: 'CONTEXT_NOT_FOUND',
    })
  })

  it('[grant-2] of a token is none of a person of the same name, and none of another tenant', async () => {
    const scope = await freshScope()
    const other = await freshScope()
    for (const each of [scope, other]) await createContext(each, { id: 'ctx_a', ...made })
    await grant(scope, { token: 'tok_1' })
    expect(await may(scope, { of: 'token', id: 'tok_1' })).toBe(true)
    expect(await may(scope, { of: 'person', id: 'tok_1' })).toBe(false)
    expect(await may(other, { of: 'token', id: 'tok_1' })).toBe(false)
  })

  it('[grant-2] is found in a circle of parents too, with no table read from end to end', async () => {
    const own = await freshScope()
    await plant(own, [
      { id: 'ctx_a', parentId: 'ctx_b' },
      { id: 'ctx_b', parentId: 'ctx_a' },
    ])
    const { scope, watch } = watched(own)
    const { id } = await grant(scope, { person: 'ana', contextId: 'ctx_b', under: true })
    expect(await may(scope)).toBe(true)
    expect(await may(scope, { of: 'token', id: 'tok_1' })).toBe(false)
    for (const of of [{ person: 'ana' }, { token: 'tok_1' }, { contextId: 'ctx_b' }]) await listOf(scope, of)
    await revokeGrant(scope, { grant: id })
    const plans = await plansOf(own.db, watch)
    expect(plans.filter((each) => /SCAN (?!line|json_each|subject|CONSTANT)|TEMP B-TREE/.test(each))).toEqual([])
  })
})
