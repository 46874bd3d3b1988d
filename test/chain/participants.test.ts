import { describe, expect, it } from 'vitest'
import { childOf, freshChain, refusalOf, root } from './support/call.ts'
import { storedIn } from './support/stored.ts'

describe('participants', () => {
  it('[context-38] are added to everything above too, once', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const middle = await childOf(chain, top)
    const low = await childOf(chain, middle)
    const aside = await childOf(chain, top)
    await chain('addParticipant', { context: top.id, participant: 'legal' })
    const added = await chain('addParticipant', { context: low.id, participant: 'legal' })
    expect(added.participants).toEqual(['finance', 'legal'])
    const once = await storedIn(chain.scope)
    expect(await chain('addParticipant', { context: low.id, participant: 'legal' })).toEqual(added)
    expect(await storedIn(chain.scope)).toEqual(once)
    expect(await participantsOf([top, middle, low, aside])).toEqual([
      ['sales', 'legal'],
      ['finance', 'legal'],
      ['finance', 'legal'],
      ['finance'],
    ])

    async function participantsOf(contexts: readonly { readonly id: string }[]) {
      const shown = await Promise.all(contexts.map(({ id }) => chain('getContext', { context: id })))
      return shown.map(({ context }) => context.participants)
    }
  })

  it('[context-38] are all kept if several are added at once', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const low = await childOf(chain, top)
    const names = Array.from({ length: 12 }, (_, n) => `space ${n}`)
    await Promise.all(names.map((participant) => chain('addParticipant', { context: low.id, participant })))
    const { context } = await chain('getContext', { context: top.id })
    expect([...context.participants].toSorted()).toEqual(['sales', ...names].toSorted())
  })

  it('[context-39] are removed from everything below, except from contexts of their own space', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const middle = await childOf(chain, top)
    const own = await childOf(chain, middle, { memorySpaceId: 'legal' })
    const low = await childOf(chain, own)
    await chain('addParticipant', { context: low.id, participant: 'legal' })
    await chain('addParticipant', { context: low.id, participant: 'audit' })
    const removed = await chain('removeParticipant', { context: middle.id, participant: 'legal' })
    expect(removed.participants).toEqual(['finance', 'audit'])
    const { items } = await chain('listContexts', {})
    expect(items.map(({ participants }) => participants)).toEqual([
      ['sales', 'legal', 'audit'],
      ['finance', 'audit'],
      ['legal', 'audit'],
      ['finance', 'audit'],
    ])
    expect((await chain('removeParticipant', { context: top.id, participant: 'sales' })).participants).toEqual([
      'sales',
      'legal',
      'audit',
    ])
  })

  it('make no version', async () => {
    const chain = await freshChain()
    const created = await root(chain)
    const given = { context: created.id }
    await chain('addParticipant', { ...given, participant: 'legal' })
    await chain('removeParticipant', { ...given, participant: 'legal' })
    expect((await chain('getContext', given)).context).toEqual(created)
    expect((await chain('listVersions', given)).items).toHaveLength(1)
  })

  it('[context-5] of a missing context, and of another tenant’s, are refused', async () => {
    const [chain, theirs] = [await freshChain(), await freshChain()]
    const { id } = await root(theirs)
    const told = ['ctx_missing', id].flatMap((context) => [
      chain('addParticipant', { context, participant: 'legal' }),
      chain('removeParticipant', { context, participant: 'sales' }),
    ])
    expect(new Set(await Promise.all(told.map(refusalOf)))).toEqual(new Set(['CONTEXT_NOT_FOUND']))
    expect((await theirs('getContext', { context: id })).context.participants).toEqual(['sales'])
  })
})
