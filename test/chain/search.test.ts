import { describe, expect, it } from 'vitest'
import { listContexts } from '../../worker/chain/contexts/list-contexts.ts'
import type { Scope } from '../../worker/chain/scope.ts'
import { freshScope } from './support/fresh-scope.ts'
import { change, plant } from './support/plant.ts'
import { watched } from './support/watched.ts'

async function found(scope: Scope, q: string, filter: object = {}, limit = 100): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await listContexts(scope, { q, ...filter, limit, cursor })
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return ids
}

describe('searching contexts', () => {
  it('[context-66] finds all words in purpose and description, in any form and order, newest first', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_a', purpose: 'Approve the refund', description: 'for a café in Zürich' },
      { id: 'ctx_b', purpose: 'Send an apology', description: 'about refunds that were approved late' },
      { id: 'ctx_c', purpose: 'Update the CRM' },
    ])
    expect(await found(scope, 'refund')).toEqual(['ctx_b', 'ctx_a'])
    expect(await found(scope, 'REFUNDS approving')).toEqual(['ctx_b', 'ctx_a'])
    expect(await found(scope, 'late refund')).toEqual(['ctx_b'])
    expect(await found(scope, 'zurich cafe')).toEqual(['ctx_a'])
    expect(await found(scope, 'refund crm')).toEqual([])
    expect(await found(scope, 'work')).toEqual([])
    expect(await found(scope, 'refund', {}, 1)).toEqual(['ctx_b', 'ctx_a'])
  })

  it('[context-66] has no operators, and finds nothing without a word', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_a', purpose: 'this or that, near not far' },
      { id: 'ctx_b', purpose: 'that' },
    ])
    expect(await found(scope, 'this OR nothing')).toEqual([])
    expect(await found(scope, 'this OR that')).toEqual(['ctx_a'])
    expect(await found(scope, 'NOT NEAR')).toEqual(['ctx_a'])
    expect(await found(scope, '"that" *')).toEqual(['ctx_b', 'ctx_a'])
    expect(await found(scope, "purpose:that ^that -that (that) {that} + ' ; --")).toEqual([])
    for (const q of ['***', '""', '🙂', '( ) : ^ - + "', '\u0000'])
      expect(await listContexts(scope, { q, limit: 10 })).toEqual({ items: [], next: null })
    expect(await found(scope, 'that '.repeat(400))).toEqual(['ctx_b', 'ctx_a'])
  })

  it('[context-66] ignores what is no word to the index', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_a', purpose: 'Say thanks \u2764\uFE0F to all' },
      { id: 'ctx_b', purpose: 'Say \u{1E900}\u{1E901} in Adlam' },
    ])
    // The searches use an emoji with its variation selector, a combining accent, and capital letters that the index
    // does not recognise as capitals.
    expect(await found(scope, 'say thanks \u2764\uFE0F to all')).toEqual(['ctx_a'])
    expect(await found(scope, '\u0301 adlam \u{1E900}\u{1E901}')).toEqual(['ctx_b'])
    for (const q of ['\u2764\uFE0F', '\u0301', '\uFE0F \u0301']) expect(await found(scope, q)).toEqual([])
  })

  it('[context-66] applies a filter too', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_a', userId: 'ada' },
      { id: 'ctx_b', userId: 'bob', status: 'blocked' },
      { id: 'ctx_c', parentId: 'ctx_b', userId: 'bob' },
    ])
    expect(await found(scope, 'work', { userId: 'bob' })).toEqual(['ctx_c', 'ctx_b'])
    expect(await found(scope, 'work', { userId: 'bob', depth: 1 })).toEqual(['ctx_c'])
    expect(await found(scope, 'work', { status: 'blocked', leaf: false })).toEqual(['ctx_b'])
    const { next } = await listContexts(scope, { q: 'work', limit: 1 })
    await expect(listContexts(scope, { q: 'other', limit: 1, cursor: next ?? undefined })).rejects.toMatchObject({
      code: 'INVALID_CURSOR',
    })
  })

  it('follows changes and deletions at once', async () => {
    const scope = await freshScope()
    await plant(scope, [{ id: 'ctx_a', purpose: 'velvet', description: 'corduroy' }])
    await change(scope, "UPDATE contexts SET purpose = 'tweed' WHERE tenant = ?1")
    expect([await found(scope, 'velvet'), await found(scope, 'tweed corduroy')]).toEqual([[], ['ctx_a']])
    await change(scope, 'UPDATE contexts SET description = NULL WHERE tenant = ?1')
    expect([await found(scope, 'corduroy'), await found(scope, 'tweed')]).toEqual([[], ['ctx_a']])
    await change(scope, 'DELETE FROM contexts WHERE tenant = ?1')
    expect(await found(scope, 'tweed')).toEqual([])
  })

  it('leaves no word of a deleted context in the index', async () => {
    const scope = await freshScope()
    const word = 'quetzalcoatlus'
    await plant(scope, [
      { id: 'ctx_a', purpose: `a ${word}`, description: `${word} again` },
      { id: 'ctx_b', purpose: `another ${word}` },
      { id: 'ctx_c', purpose: 'something else' },
    ])
    const blocks = 'SELECT count(*) AS n FROM context_text_data WHERE instr(block, CAST(?1 AS BLOB)) > 0'
    // The index stores word stems, and of each stem only the part that differs from the stem before it.
    const kept = () => scope.db.prepare(blocks).bind('alcoatlu').first('n')
    expect(await kept()).not.toBe(0)
    await change(scope, "UPDATE contexts SET purpose = 'nothing' WHERE tenant = ?1 AND id = 'ctx_b'")
    await change(scope, "DELETE FROM contexts WHERE tenant = ?1 AND id = 'ctx_a'")
    expect(await kept()).toBe(0)
    expect(await found(scope, 'else')).toEqual(['ctx_c'])
  })

  it("neither finds nor reads another tenant's words", async () => {
    const [scope, other] = [await freshScope(), await freshScope()]
    const many = Array.from({ length: 1_500 }, (_, at) => ({ id: `ctx_${at}`, purpose: 'plaid' }))
    await plant(other, many)
    await plant(scope, [{ id: 'ctx_mine', purpose: 'plaid' }])
    const { scope: seen, watch } = watched(scope)
    expect(await found(seen, 'plaid')).toEqual(['ctx_mine'])
    expect(watch.rows).toBeLessThan(50)
  })
})
