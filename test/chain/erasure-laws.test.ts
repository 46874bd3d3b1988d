import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { verifyIntegrity } from '../../worker/chain/contexts/integrity.ts'
import { beginErasure } from '../../worker/chain/people/begin-erasure.ts'
import { erasePerson, getErasure } from '../../worker/chain/people/erasure.ts'
import type { Erasing, ErasureJob } from '../../worker/chain/people/erasing.ts'
import { nextPiece } from '../../worker/chain/people/next-piece.ts'
import { rows, type Scope } from '../../worker/chain/scope.ts'
import { type Death, Died, dyingDatabase } from './support/dying-database.ts'
import { expectedErasure, without } from './support/expected-erasure.ts'
import { freshScope } from './support/fresh-scope.ts'
import { watchingDatabase, widePlans } from './support/watching-database.ts'
import { anyForest, type Forest, namesOf, plant, sessionName, type Tables, tablesOf } from './support/people-forest.ts'
import { runs } from '../support/runs.ts'

/** The calls that an erasure has made to other Durable Objects of the deployment. */
interface Asked {
  readonly jobs: ErasureJob[]
  readonly conversations: Set<string>
  ledgers: number
}

async function scopeWithObjects(): Promise<{ scope: Scope; asked: Asked }> {
  const asked: Asked = { jobs: [], conversations: new Set(), ledgers: 2 }
  const erasing: Erasing = {
    ownNames: [],
    conversation: async (session) => void asked.conversations.add(session),
    countLedgers: async () => asked.ledgers / 2,
    eraseLedgers: async () => void (asked.ledgers = 0),
    begin: async (job) => {
      const begun = await beginErasure(scope, job)
      if (begun.type === 'begun') asked.jobs.push(job)
      return begun
    },
  }
  const scope = await freshScope({ erasing })
  return { scope, asked }
}

/** Page sizes so small that every step of an erasure needs several pages. */
const SMALL = { conversations: 1, memories: 1, facts: 1, contexts: 2, names: 3, sessions: 1 }

/**
 * Runs an erasure as its Durable Object does. The object dies at the batches that `deaths` names. Where `twice` is
 * true, two instances of the object do the same piece of the work at once.
 */
async function carryOut(scope: Scope, job: ErasureJob, deaths: Death[] = [], twice: boolean[] = []): Promise<void> {
  const mortal = { ...scope, db: dyingDatabase(scope.db, deaths) }
  for (;;) {
    try {
      const piece = await nextPiece(mortal, job, SMALL)
      if (piece === null) return
      await Promise.all(twice.shift() ? [piece.act(), piece.act()] : [piece.act()])
    } catch (error) {
      if (!(error instanceof Died)) throw error
    }
  }
}

async function erase(
  scope: Scope,
  asked: Asked,
  mode: 'preserve' | 'subtree',
  deaths: Death[] = [],
  twice: boolean[] = [],
) {
  const { name } = await namesOf(scope, 0)
  const { erasure } = await erasePerson(scope, { user: name, dryRun: false, mode })
  const job = asked.jobs.at(-1)
  if (!erasure || !job) throw new Error('nothing was begun')
  await carryOut(scope, job, deaths, twice)
  return getErasure(scope, { erasure: erasure.id })
}

/** Returns the tables without the column `scope`, which the database derives from other columns. */
function plain(tables: Tables): Tables {
  return { ...tables, memories: tables.memories.map((row) => without(row, 'scope')) }
}

const RUNS = { numRuns: runs('costly') }
const anyMode = fc.constantFrom('preserve' as const, 'subtree' as const)
const anyDeaths = fc.array(fc.constantFrom<Death>('before', 'after', null), { maxLength: 25 })

async function planted(forest: Forest) {
  const { scope, asked } = await scopeWithObjects()
  await plant(scope, forest)
  const { name, code, word } = await namesOf(scope, 0)
  return { scope, asked, name, ids: [name, code], word, before: await tablesOf(scope) }
}

describe('erasing a person', { timeout: 120_000 }, () => {
  it('[person-2] deletes everything of the person, and changes others only in parents, roots, depths and that name', () =>
    fc.assert(
      fc.asyncProperty(anyForest, anyMode, async (forest, mode) => {
        const { scope, asked, ids, word, before } = await planted(forest)
        await erase(scope, asked, mode)
        const after = await tablesOf(scope)
        expect(plain(after)).toEqual(plain(expectedErasure(before, ids, mode).tables))
        const text = JSON.stringify(after)
        for (const theirs of [...ids, word]) expect(text).not.toContain(theirs)
        expect((await verifyIntegrity(scope, { limit: 1_000 })).items).toEqual([])
      }),
      RUNS,
    ))

  it('[person-3] has the counts of the dry run, which wrote nothing, after any crash', () =>
    fc.assert(
      fc.asyncProperty(
        anyForest,
        anyMode,
        anyDeaths,
        fc.array(fc.boolean(), { maxLength: 8 }),
        async (forest, mode, deaths, twice) => {
          const { scope, asked, name, ids, before } = await planted(forest)
          const { effect, erasure } = await erasePerson(scope, { user: name, dryRun: true, mode })
          expect(erasure).toBeNull()
          expect(await tablesOf(scope)).toEqual(before)
          const done = await erase(scope, asked, mode, deaths, twice)
          expect(done).toMatchObject({ status: 'done', mode, effect })
          const expected = expectedErasure(before, ids, mode)
          expect(effect).toEqual({
            sessions: before.sessions.length - expected.tables.sessions.length,
            ledgers: 2,
            contexts: expected.contexts,
            memories: before.memories.length - expected.tables.memories.length,
            facts: before.facts.length - expected.tables.facts.length,
          })
          expect(plain(await tablesOf(scope))).toEqual(plain(expected.tables))
          const theirs = forest.sessions.flatMap(({ user }, place) => (user === 0 ? [sessionName(scope, place)] : []))
          expect([...asked.conversations].toSorted()).toEqual(theirs.toSorted())
        },
      ),
      RUNS,
    ))

  it('[person-4] changes nothing the second time, and counts nothing', () =>
    fc.assert(
      fc.asyncProperty(anyForest, anyMode, anyMode, async (forest, mode, again) => {
        const { scope, asked } = await planted(forest)
        const first = await erase(scope, asked, mode)
        const after = await tablesOf(scope)
        const second = await erase(scope, asked, again)
        expect(second.id).not.toBe(first.id)
        expect(second.effect).toEqual({
          sessions: 0,
          ledgers: 0,
          contexts: { deleted: 0, reparented: 0, promoted: 0, scrubbed: 0 },
          memories: 0,
          facts: 0,
        })
        expect(await tablesOf(scope)).toEqual(after)
      }),
      { numRuns: runs('costly') },
    ))

  it('[person-2] takes their words out of both indexes', async () => {
    await fc.assert(
      fc.asyncProperty(anyForest, async (forest) => {
        const { scope, asked, word } = await planted(forest)
        await erase(scope, asked, 'preserve')
        for (const index of ['context_text', 'memory_words']) {
          const found = await rows(scope, `SELECT rowid FROM ${index} WHERE ${index} MATCH ?2 AND ?1 IS NOT NULL`, word)
          expect(found).toEqual([])
        }
      }),
      { numRuns: runs('costly') },
    )
  })

  it.each(['preserve', 'subtree'] as const)(
    '[person-13] reads only what is the person’s, and all contexts once for names: %s',
    async (mode) => {
      const { scope, asked } = await planted(EXAMPLE)
      const { db, asked: statements } = watchingDatabase(scope.db)
      const { name } = await namesOf(scope, 0)
      await erasePerson({ ...scope, db }, { user: name, dryRun: true, mode })
      await erasePerson({ ...scope, db }, { user: name, dryRun: false, mode })
      const job = asked.jobs.at(-1)
      if (!job) throw new Error('nothing was begun')
      await carryOut({ ...scope, db }, job)
      expect(statements.size).toBeGreaterThan(25)
      const wide = await widePlans(scope.db, statements)
      expect(wide).toEqual([
        // Four statements may read all rows of a tenant: the names of published colleagues, the dry run's search for
        // names in contexts, and the removal of names from facts and from grants.
        expect.stringContaining('FROM scenarios'),
        expect.stringContaining('AS scrubbed FROM contexts'),
        expect.stringContaining('UPDATE facts SET source'),
        expect.stringContaining('UPDATE grants SET made_by'),
      ])
    },
  )
})

const EXAMPLE: Forest = fc.sample(anyForest, { numRuns: 1, seed: 5 })[0] as Forest
