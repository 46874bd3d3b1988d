import { describe, expect, it } from 'vitest'
import { verifyIntegrity } from '../../worker/chain/contexts/integrity.ts'
import type { Scope } from '../../worker/chain/scope.ts'
import { freshChain, root } from './support/call.ts'
import { freshScope } from './support/fresh-scope.ts'
import { change, plant } from './support/plant.ts'
import { watched } from './support/watched.ts'

const TREE = [
  { id: 'ctx_root' },
  { id: 'ctx_a', parentId: 'ctx_root' },
  { id: 'ctx_b', parentId: 'ctx_a' },
  { id: 'ctx_c', parentId: 'ctx_b' },
  { id: 'ctx_other', space: 'other' },
]

async function findings(scope: Scope, limit = 100) {
  const all: { kind: string; contextId: string; found: string; expected: string }[] = []
  let pages = 0
  let cursor: string | undefined
  do {
    const page = await verifyIntegrity(scope, { limit, cursor })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    all.push(...page.items)
    pages += 1
    cursor = page.next ?? undefined
  } while (cursor !== undefined && pages < 1_000)
  return all
}

async function broken(...statements: string[]) {
  const scope = await freshScope()
  await plant(scope, TREE)
  for (const sql of statements) await change(scope, sql)
  return findings(scope)
}

const where = (id: string) => `WHERE tenant = ?1 AND id = '${id}'`

describe('verifyIntegrity', () => {
  it('[context-76] finds nothing in a sound chain', async () => {
    expect(await broken()).toEqual([])
    expect(await findings(await freshScope())).toEqual([])
  })

  it('[context-76] finds an orphan, and under it only what disagrees with it', async () => {
    expect(await broken(`DELETE FROM contexts ${where('ctx_a')}`)).toEqual([
      { kind: 'orphan', contextId: 'ctx_b', found: 'parent ctx_a', expected: 'a parent that is there' },
    ])
    expect(
      await broken(`DELETE FROM contexts ${where('ctx_a')}`, `UPDATE contexts SET depth = 7 ${where('ctx_c')}`),
    ).toMatchObject([{ kind: 'orphan' }, { kind: 'wrong-depth', contextId: 'ctx_c', found: '7', expected: '3' }])
  })

  it('[context-76] finds a circle, at every context whose ancestors lead into it', async () => {
    expect(await broken(`UPDATE contexts SET parent_id = 'ctx_b' ${where('ctx_a')}`)).toEqual(
      ['ctx_a', 'ctx_b', 'ctx_c'].map((contextId, at) => ({
        kind: 'cycle',
        contextId,
        found: `parent ${['ctx_b', 'ctx_a', 'ctx_b'][at]}`,
        expected: 'a way up to a root',
      })),
    )
    expect(await broken(`UPDATE contexts SET parent_id = id ${where('ctx_c')}`)).toMatchObject([
      { kind: 'cycle', contextId: 'ctx_c' },
    ])
  })

  it('[context-76] finds wrong roots and depths, with the right values', async () => {
    expect(
      await broken(
        `UPDATE contexts SET root_id = 'ctx_other' ${where('ctx_b')}`,
        `UPDATE contexts SET depth = 1 ${where('ctx_root')}`,
      ),
    ).toEqual([
      { kind: 'wrong-depth', contextId: 'ctx_root', found: '1', expected: '0' },
      { kind: 'wrong-root', contextId: 'ctx_b', found: 'ctx_other', expected: 'ctx_root' },
    ])
  })

  it('[context-76] finds what is too deep', async () => {
    const scope = await freshScope()
    const line = Array.from({ length: 13 }, (_, at) => ({ id: `ctx_${at}`, parentId: at ? `ctx_${at - 1}` : null }))
    await plant(scope, line)
    expect(await findings(scope)).toEqual([
      { kind: 'too-deep', contextId: 'ctx_11', found: '11', expected: 'at most 10' },
      { kind: 'too-deep', contextId: 'ctx_12', found: '12', expected: 'at most 10' },
    ])
  })

  it('[context-76] finds gaps between versions', async () => {
    const raised = `UPDATE contexts SET version = version + 1 ${where('ctx_a')}`
    const gone = "DELETE FROM context_versions WHERE tenant = ?1 AND context_id = 'ctx_a' AND version = 2"
    expect(await broken(raised, raised, raised)).toEqual([])
    expect(await broken(raised, raised, raised, gone)).toEqual([
      { kind: 'version-gap', contextId: 'ctx_a', found: '2 from 1 to 3', expected: '3 from 1 to 3' },
    ])
    expect(await broken(raised, raised, gone)).toMatchObject([{ found: '1 from 1 to 1', expected: '2 from 1 to 2' }])
    expect(await broken(`UPDATE contexts SET version = 3 ${where('ctx_a')}`)).toMatchObject([
      { kind: 'version-gap', found: '1 from 1 to 1', expected: '2 from 1 to 2' },
    ])
  })

  it('finds counters that disagree with the contexts', async () => {
    const kind = "tenant = ?1 AND space = 'desk' AND depth = 2"
    expect(await broken(`UPDATE context_counts SET n = 5 WHERE ${kind}`)).toEqual([
      // The change to a count of one space makes the count of all spaces together wrong as well.
      {
        kind: 'wrong-count',
        contextId: '',
        found: '["desk","active",2,"parent"]: 5',
        expected: '1',
      },
      { kind: 'wrong-count', contextId: '', found: '["","active",2,"parent"]: 1', expected: '5' },
    ])
    expect(await broken(`DELETE FROM context_counts WHERE ${kind}`)).toMatchObject([
      { contextId: 'ctx_b', found: 'not counted' },
      { found: '["desk","active",2,"parent"]: 0', expected: '1' },
      { found: '["","active",2,"parent"]: 1', expected: '0' },
    ])
    expect(await broken(`UPDATE contexts SET child_count = 3 ${where('ctx_a')}`)).toEqual([
      { kind: 'wrong-count', contextId: 'ctx_a', found: '3 children', expected: '1' },
    ])
    expect(await broken("INSERT INTO missing_parents VALUES (?1, 'ctx_a', 1), (?1, 'ctx_gone', 2)")).toMatchObject([
      { found: 'children of the missing ctx_a: 1', expected: '0' },
      { found: 'children of the missing ctx_gone: 2', expected: '0' },
    ])
    expect(
      await broken(`DELETE FROM contexts ${where('ctx_b')}`, 'DELETE FROM missing_parents WHERE tenant = ?1'),
    ).toMatchObject([{ kind: 'orphan' }, { kind: 'wrong-count', contextId: 'ctx_c', found: 'not counted' }])
  })

  it('gives its findings in pages of any size, and loses none', async () => {
    const scope = await freshScope()
    await plant(
      scope,
      Array.from({ length: 1_200 }, (_, at) => ({ id: `ctx_${at}`, depth: at % 300 ? 0 : 3, space: `s${at % 250}` })),
    )
    await change(scope, "UPDATE contexts SET root_id = 'ctx_x', version = 2 WHERE tenant = ?1 AND depth = 3")
    await change(scope, "UPDATE context_counts SET n = n + 1 WHERE tenant = ?1 AND space IN ('s1', 's99')")
    const all = await findings(scope)
    const perContext = ['ctx_0', 'ctx_300', 'ctx_600', 'ctx_900'].flatMap((contextId) => [
      ['wrong-root', contextId],
      ['wrong-depth', contextId],
    ])
    expect(all.slice(0, 8).map(({ kind, contextId }) => [kind, contextId])).toEqual(perContext)
    expect(all.slice(8).map(({ found }) => found)).toEqual([
      '["s1","active",0,"leaf"]: 6',
      '["","active",0,"leaf"]: 1196',
      '["s99","active",0,"leaf"]: 6',
    ])
    for (const limit of [1, 2, 3, 7]) expect(await findings(scope, limit)).toEqual(all)
    await expect(verifyIntegrity(scope, { limit: 1, cursor: 'x' })).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
  })

  it('checks a limited number of contexts for a page', async () => {
    const scope = await freshScope()
    await plant(
      scope,
      Array.from({ length: 1_200 }, (_, at) => ({ id: `ctx_${at}` })),
    )
    const { scope: seen, watch } = watched(scope)
    const { next } = await verifyIntegrity(seen, { limit: 10 })
    expect(next).not.toBeNull()
    expect(watch.rows).toBeLessThan(500 * 12)
  })

  it('makes no cursor too long to be accepted, even for the longest space', async () => {
    const chain = await freshChain()
    for (const character of ['\u0001', '部', '👩'])
      for (const end of [1, 2])
        await root(chain, { memorySpaceId: `${character.repeat(200 / character.length - 1).padStart(199, 'x')}${end}` })
    await change(chain.scope, "UPDATE context_counts SET n = n + 1 WHERE tenant = ?1 AND space <> ''")
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await chain('verifyIntegrity', { limit: '1', cursor })
      found.push(...page.items.map(({ kind }) => kind))
      cursor = page.next ?? undefined
    } while (cursor !== undefined)
    // The findings are the wrong count of each of the six spaces, and the wrong count of all spaces together.
    expect(found).toEqual(Array.from({ length: 7 }, () => 'wrong-count'))
  })
})
