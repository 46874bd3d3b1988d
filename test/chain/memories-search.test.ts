import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deleteMemory } from '../../worker/chain/memories/read-memory.ts'
import { hitsStatement } from '../../worker/chain/memories/find-memories.ts'
import type { MemoryWhere } from '../../worker/chain/memories/memory-where.ts'
import { findMemories, searchMemories } from '../../worker/chain/memories/search-memories.ts'
import type { MemoryRecord } from '../../worker/chain/memory.ts'
import { type Scope, statement } from '../../worker/chain/scope.ts'
import { freshScope } from './support/fresh-scope.ts'
import { remember } from './support/memories.ts'
import { plant } from './support/plant.ts'
import { plansOf, watched } from './support/watched.ts'
import { runs } from '../support/runs.ts'

async function find(scope: Scope, q: string, where: MemoryWhere = {}): Promise<readonly string[]> {
  const found = await searchMemories(scope, where, { q, limit: 20 })
  return found.map(({ content }) => content)
}

describe('searching what is remembered', () => {
  it('[memory-4] finds words with any endings, capitals and accents', async () => {
    const scope = await freshScope()
    await remember(scope, 'The RISKS of shipping: José was worried.')
    await remember(scope, 'Nothing of the kind')
    for (const q of ['risk', 'ships', 'shipped', 'jose', 'JOSÉ', 'worrying', 'risk?'])
      expect([q, ...(await find(scope, q))]).toEqual([q, 'The RISKS of shipping: José was worried.'])
    expect(await find(scope, 'elephants')).toEqual([])
    expect(await find(scope, '?!')).toEqual([])
  })

  it('[memory-4] uses common words only if there are no others', async () => {
    const scope = await freshScope()
    await remember(scope, 'What is it with you and the launch')
    await remember(scope, 'The budget is not mine')
    expect(await find(scope, 'what is the budget')).toEqual(['The budget is not mine'])
    expect(await find(scope, 'what is it')).toHaveLength(2)
  })

  it('[memory-4] sorts by rarity, repetition and length, then importance, then age', async () => {
    const scope = await freshScope()
    for (const n of [1, 2, 3]) await remember(scope, `launch number ${n}`)
    await remember(scope, 'launch with a migration')
    await remember(scope, `migration ${'and so on with many other things '.repeat(9)}`)
    const found = await find(scope, 'migration launch')
    const short = ['launch with a migration', 'launch number 3', 'launch number 2', 'launch number 1']
    expect(found.slice(0, 4)).toEqual(short)
    expect(found.slice(4)).toEqual([expect.stringMatching(/^migration and so on/)])

    await remember(scope, 'heed this rota', { importance: 100 })
    await remember(scope, 'skip this rota', { importance: 0 })
    await remember(scope, 'keep this rota')
    expect(await find(scope, 'rota')).toEqual(['heed this rota', 'keep this rota', 'skip this rota'])
  })

  it('[memory-5] makes a score from the scope alone', async () => {
    const scope = await freshScope()
    const search = async () => {
      const found = await searchMemories(scope, { userId: 'ada' }, { q: 'launch risk', limit: 5 })
      return found.map(({ content, score }) => [content, score])
    }
    await remember(scope, 'launch risk', { userId: 'ada' })
    await remember(scope, 'a risk', { userId: 'ada' })
    const alone = await search()
    expect(alone).toHaveLength(2)
    for (let i = 0; i < 20; i += 1) await remember(scope, `launch ${i}`, { userId: 'bo' })
    await remember(await freshScope(), 'risk', { userId: 'ada' })
    expect(await search()).toEqual(alone)
  })

  it('[memory-8] has no words of deleted memories in the index', async () => {
    const scope = await freshScope()
    const word = 'quixoticword'
    const { id } = await remember(scope, `only ${word} here`)
    expect(await blocksWith(word.slice(3))).toBeGreaterThan(0)
    await deleteMemory(scope, { memory: id })
    expect(await blocksWith(word.slice(3))).toBe(0)
    await env.DB.prepare("INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)").run()
  })

  it('[memory-11] answers each of several queries by itself, best first, with two statements', async () => {
    const scope = await freshScope()
    await remember(scope, 'I was stuck on the migration', { userId: 'ada' })
    await remember(scope, 'Ines helped with the migration when I was stuck', { userId: 'ada' })
    await remember(scope, 'stuck in traffic', { userId: 'bo' })
    const { scope: seen, watch } = watched(scope)
    const queries = ['who helped when stuck', 'holidays', 'migration']
    const found = await findMemories(seen, { userId: 'ada' }, { queries, limit: 3 })
    const recalled = queries.map((query, at) => ({ query, found: found[at]?.map(({ content }) => content) }))
    expect(recalled).toEqual([
      {
        query: 'who helped when stuck',
        found: ['Ines helped with the migration when I was stuck', 'I was stuck on the migration'],
      },
      { query: 'holidays', found: [] },
      {
        query: 'migration',
        found: ['I was stuck on the migration', 'Ines helped with the migration when I was stuck'],
      },
    ])
    expect(watch.asked).toHaveLength(2)
  })
})

describe('hostile queries', () => {
  it.each([
    '"',
    'launch"',
    '" OR scope : t',
    'launch OR content : budget NOT launch',
    'launch* ^launch NEAR(launch budget)',
    "'; DROP TABLE memories; --",
    '{content scope} : launch',
    'launch\u0000budget',
    '- launch + ( ) : *',
    'AND OR NOT NEAR',
    '\ud800launch',
  ])('[memory-6] %j is words and nothing else', async (q) => {
    const scope = await freshScope()
    await remember(scope, 'the launch', { userId: 'ada' })
    await remember(scope, 'the launch of another', { userId: 'bo' })
    expect((await find(scope, q, { userId: 'ada' })).every((content) => content === 'the launch')).toBe(true)
    expect(await find(scope, 'launch')).toHaveLength(2)
  })

  it('[memory-6] no text is an error', async () => {
    const scope = await freshScope()
    await remember(scope, 'the launch')
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
    )
    await fc.assert(
      fc.asyncProperty(anyText, async (q) => {
        await find(scope, q)
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[memory-6] a query of a thousand words costs no more than one of sixteen', async () => {
    const scope = await freshScope()
    await remember(scope, 'w15')
    await remember(scope, 'w16')
    const long = Array.from({ length: 300 }, (_, i) => `w${i}`).join(' ')
    expect(await find(scope, long)).toEqual(['w15'])
  })
})

describe('the borders of a search', () => {
  it('[memory-5] hide everything outside the scope and nothing inside', async () => {
    // If the index stored these names as plain words, a search could confuse the names with each other.
    const name = fc.constantFrom('a', 'A', 'ä', 'a b', 'b', '"', 'a"', 'u', 'aded', 'ades', '文')
    const word = fc.constantFrom('launch', 'risk', 'launches', 'budget')
    const memory = fc.record({
      tenant: fc.nat(2),
      content: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
      memorySpaceId: name,
      userId: fc.option(name, { nil: undefined }),
      contextId: fc.option(fc.constantFrom('ctx_a', 'ctx_A', 'ctx_b', 'ctx_c'), { nil: undefined }),
      conversationId: fc.option(name, { nil: undefined }),
    })
    const where = fc.record(
      {
        memorySpaceId: name,
        userId: name,
        contextId: fc.constantFrom('ctx_a', 'ctx_A', 'ctx_b'),
        rootId: fc.constantFrom('ctx_a', 'ctx_b'),
        conversationId: name,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(memory, { minLength: 1, maxLength: 12 }),
        fc.array(fc.record({ tenant: fc.nat(2), where, word }), { minLength: 1, maxLength: 6 }),
        async (given, asked) => {
          const scopes = await threeTenants()
          const stored: { tenant: number; memory: MemoryRecord }[] = []
          for (const { tenant, content, conversationId, ...own } of given) {
            const scope = scopes[tenant] as Scope
            const ref = conversationId === undefined ? {} : { conversationRef: { conversationId, messageIds: [] } }
            stored.push({ tenant, memory: await remember(scope, content, { ...own, ...ref }) })
          }
          for (const { tenant, where: given, word: q } of asked) {
            const items = await searchMemories(scopes[tenant] as Scope, given, { q, limit: 100 })
            const expected = stored.filter(
              (each) => each.tenant === tenant && fits(each.memory, given) && says(each.memory, q),
            )
            expect(items.map(({ id }) => id).toSorted()).toEqual(expected.map(({ memory: { id } }) => id).toSorted())
          }
        },
      ),
      { numRuns: runs('costly') },
    )
  }, 60_000)
})

describe('deleting during a search', () => {
  const scopeOfAda = { userId: 'ada', memorySpaceId: 'maya' }

  it.each<[string, (scope: Scope) => Promise<unknown>]>([
    ['search', (scope) => find(scope, 'launch', scopeOfAda)],
    [
      'recall',
      async (scope) => {
        const [found = []] = await findMemories(scope, scopeOfAda, { queries: ['launch'], limit: 3 })
        return found.map(({ content }) => content)
      },
    ],
  ])('[memory-5] a %s does not show instead what somebody else’s has taken its row', async (_, ask) => {
    const scope = await freshScope()
    await remember(scope, 'the launch before', { userId: 'ada' })
    const { id } = await remember(scope, 'the launch', { userId: 'ada' })
    const before = await rowOf(scope, id)
    const found = await ask(
      afterFirst(scope, async () => {
        await deleteMemory(scope, { memory: id })
        const { id: other } = await remember(scope, 'the launch of another', { userId: 'bo' })
        expect(await rowOf(scope, other)).toBe(before)
      }),
    )
    expect(found).toEqual(['the launch before'])
  })
})

describe('what a search costs', () => {
  it('[memory-7] does not grow with other tenants and people', async () => {
    const scope = await freshScope()
    const cost = async () => {
      const { scope: seen, watch } = watched(scope)
      const items = await searchMemories(seen, { userId: 'ada' }, { q: 'launch risk', limit: 30 })
      return { found: items.length, rows: watch.rows, plans: await plansOf(env.DB, watch) }
    }
    for (let i = 0; i < 20; i += 1) await remember(scope, `launch risk ${i}`, { userId: 'ada' })
    await fill(scope, 500, 'bo')
    const before = await cost()
    await fill(scope, 5_000, 'bo')
    await fill(await freshScope(), 5_000, 'ada')
    const after = await cost()
    expect(after.found).toBe(20)
    expect(after).toEqual(before)
    // The search reads twenty rows for each of two words, from the index and from the table, and reads each row once
    // more at the end.
    expect(after.rows).toBeLessThan(150)
    const steps = after.plans.filter((step) => / memor/.test(step))
    expect(steps).toEqual([
      expect.stringMatching(/^SCAN memory_words VIRTUAL TABLE INDEX \d+:.*M/),
      'SEARCH memories USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH memories USING INTEGER PRIMARY KEY (rowid=?)',
    ])
  })

  it('[memory-7] has an upper bound', async () => {
    const scope = await freshScope()
    await fill(scope, 3_000, 'ada')
    const { sql, values } = hitsStatement(scope, {}, ['launch'])
    const { results } = await env.DB.prepare(sql)
      .bind(...values)
      .all<{ hits: string }>()
    expect(results.map(({ hits }) => (JSON.parse(hits) as unknown[]).length)).toEqual([400])
  })
})

async function threeTenants(): Promise<readonly Scope[]> {
  const scopes = [await freshScope(), await freshScope(), await freshScope()]
  for (const scope of scopes)
    await plant(scope, [
      { id: 'ctx_a' },
      { id: 'ctx_A', rootId: 'ctx_a' },
      { id: 'ctx_b' },
      { id: 'ctx_c', rootId: 'ctx_b' },
    ])
  return scopes
}

function fits(memory: MemoryRecord, { conversationId, ...where }: MemoryWhere): boolean {
  if (conversationId !== undefined && memory.conversationRef?.conversationId !== conversationId) return false
  return Object.entries(where).every(
    ([key, value]) => value === undefined || memory[key as keyof MemoryRecord] === value,
  )
}

/** Returns whether a memory contains a word. `launches` and `launch` share a stem; every other word is its own stem. */
function says({ content }: MemoryRecord, word: string): boolean {
  const stem = (text: string) => (text === 'launches' ? 'launch' : text)
  return content.split(' ').map(stem).includes(stem(word))
}

/** Inserts `count` memories at once. Each memory contains the words that the tests search for. */
async function fill(scope: Scope, count: number, userId: string): Promise<void> {
  const { sql, values } = statement(
    scope,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO memories (tenant, id, space, user_id, content, kind, importance, metadata, created_at)
     SELECT ?1, 'mem_' || hex(randomblob(12)), 'maya', ?3, 'launch risk ' || i, 'note', 50, '{}', i FROM n`,
    count,
    userId,
  )
  await env.DB.prepare(sql)
    .bind(...values)
    .run()
}

/** Returns the same scope with a database that runs `happen` after the first query. */
function afterFirst(scope: Scope, happen: () => Promise<void>): Scope {
  let answered = 0
  const prepare = (sql: string) => ({
    bind: (...values: readonly unknown[]) => ({
      all: async () => {
        const answer = await scope.db
          .prepare(sql)
          .bind(...values)
          .all()
        answered += 1
        if (answered === 1) await happen()
        return answer
      },
    }),
  })
  return { ...scope, db: { prepare } as unknown as D1Database }
}

async function rowOf(scope: Scope, id: string): Promise<number | undefined> {
  const row = await env.DB.prepare('SELECT row FROM memories WHERE tenant = ? AND id = ?')
    .bind(scope.tenant, id)
    .first<{ row: number }>()
  return row?.row
}

/**
 * Returns how many blocks of the full-text index contain these letters. The index stores only the part of a word that
 * differs from the word before it, so `letters` should be the end of a word.
 */
async function blocksWith(letters: string): Promise<number> {
  const row = await env.DB.prepare(
    'SELECT count(*) AS n FROM memory_words_data WHERE instr(block, CAST(? AS BLOB)) > 0',
  )
    .bind(letters)
    .first<{ n: number }>()
  return row?.n ?? 0
}
