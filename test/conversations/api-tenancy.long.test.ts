import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OperationName } from '../../worker/chain/api/operations.ts'
import { ChainClientError, type ChainClient } from '../../worker/chain/client/chain-client.ts'
import { ChainApi } from '../support/chain-api.ts'
import { MarkedModel } from '../support/marked-model.ts'
import { identityOf, PEOPLE_VARS } from '../support/people-server.ts'
import { openSession, Player } from '../support/player.ts'
import { runs } from '../support/runs.ts'

/**
 * Two tenants use the same ids, and each tenant writes its own canary text in all data. Their requests run in random
 * order. No response to one tenant contains the other tenant's text. A third tenant sends only the first tenant's
 * requests and gets the same responses.
 */

let api: ChainApi
beforeAll(async () => {
  api = await ChainApi.start()
})
afterAll(() => api.server.stop())

interface Ask {
  readonly name: OperationName
  readonly input: Readonly<Record<string, unknown>>
}

const CANARY = 'CANARY'
const contexts = fc.constantFrom('ctx_a', 'ctx_b', 'ctx_c', 'ctx_d')
const memories = fc.constantFrom('mem_a', 'mem_b')
const users = fc.constantFrom('ada', 'bo')
const spaces = fc.constantFrom('desk', 'lab')
const word = fc.constantFrom('refund', 'invoice', 'morning', 'launch').map((each) => `${each} ${CANARY}`)
const data = fc.record({ note: word })
const ask = <T extends Readonly<Record<string, unknown>>>(
  name: OperationName,
  input: fc.Arbitrary<T>,
): fc.Arbitrary<Ask> => input.map((given) => ({ name, input: given }))
const made = { memorySpaceId: spaces, purpose: word }

const asks = fc.oneof(
  {
    weight: 6,
    arbitrary: ask(
      'createContext',
      fc.record(
        { id: contexts, ...made, userId: users, data, parentId: contexts },
        { requiredKeys: ['id', 'purpose', 'memorySpaceId', 'data'] },
      ),
    ),
  },
  {
    weight: 3,
    arbitrary: ask(
      'storeMemory',
      fc.record(
        { id: memories, content: word, memorySpaceId: spaces, userId: users, contextId: contexts },
        { requiredKeys: ['id', 'content', 'memorySpaceId'] },
      ),
    ),
  },
  {
    weight: 3,
    arbitrary: ask(
      'putFact',
      fc.record({ user: users, key: fc.constantFrom('tone', 'hours'), value: word, source: fc.constant(CANARY) }),
    ),
  },
  {
    weight: 3,
    arbitrary: ask(
      'updateContext',
      fc.record(
        { context: contexts, status: fc.constantFrom('active', 'blocked', 'completed', 'cancelled'), purpose: word },
        { requiredKeys: ['context', 'purpose'] },
      ),
    ),
  },
  ask(
    'createPattern',
    fc.record({
      ...made,
      pattern: fc.constantFrom('sequence', 'approval', 'parallel'),
      steps: fc.array(fc.record(made), { minLength: 1, maxLength: 2 }),
    }),
  ),
  ask(
    'createContext',
    fc.record({
      ...made,
      userId: users,
      conversationRef: fc.record({ conversationId: fc.constant('c'), messageIds: fc.constant(['m']) }),
    }),
  ),
  ask('addParticipant', fc.record({ context: contexts, participant: fc.constant(CANARY) })),
  ask(
    'deleteContext',
    fc.record({ context: contexts, mode: fc.constantFrom('leaf', 'cascade', 'orphan-to-root', 'orphan-to-parent') }),
  ),
  ask('deleteContexts', fc.record({ filter: fc.record({ memorySpaceId: spaces }), mode: fc.constant('cascade') })),
  ask('updateContexts', fc.record({ filter: fc.record({ userId: users }), updates: fc.record({ data }) })),
  ask('repairOrphans', fc.record({ mode: fc.constantFrom('delete', 'promote') })),
  ask('deleteMemory', fc.record({ memory: memories })),
  ask('deleteFact', fc.record({ user: users, key: fc.constant('tone') })),
  ask('listContexts', fc.record({ limit: fc.constant(3) })),
  ask('countContexts', fc.constant({})),
  ask('listContexts', fc.record({ q: fc.constantFrom('refund', 'launch', CANARY) })),
  ask('listContexts', fc.constant({ history: true })),
  ask('listContexts', fc.record({ ancestorId: contexts })),
  ask('exportContexts', fc.constant({})),
  ask('verifyIntegrity', fc.constant({ kind: 'orphan' })),
  ask('verifyIntegrity', fc.constant({})),
  ask('getContext', fc.record({ context: contexts, children: fc.constant(true), inherited: fc.constant(true) })),
  ask('getConversation', fc.record({ context: contexts })),
  ask('getChain', fc.record({ context: contexts })),
  ask('listVersions', fc.record({ context: contexts })),
  ask('listContexts', fc.record({ rootId: contexts, at: fc.constant('2099-01-01T00:00:00Z') })),
  ask('listMemories', fc.constant({})),
  ask('listMemories', fc.record({ q: fc.constantFrom('morning refund', 'invoice', CANARY) })),
  ask('listFacts', fc.record({ user: users })),
  ask('getPerson', fc.record({ user: users })),
  ask('exportPerson', fc.record({ user: users })),
  ask('erasePerson', fc.record({ user: users, dryRun: fc.constant(true) })),
)

let tenants = 0

describe('tenants', () => {
  it('[api-8] neither see nor change each other’s data, whatever both do', async () => {
    let answers = 0
    const turns = fc.array(fc.record({ who: fc.constantFrom('heron', 'ibis'), what: asks }), {
      minLength: 20,
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(turns, async (asked) => {
        tenants += 1
        const [heron, ibis, alone] = await Promise.all(
          ['heron', 'ibis', 'alone'].map((name) => api.client(`${name}-${tenants}`)),
        )
        if (!heron || !ibis || !alone) throw new Error('no clients')
        const heard: string[] = []
        const before: string[] = []
        for (const { who, what } of asked) {
          const answer = await answerTo(who === 'heron' ? heron : ibis, what, who)
          expect(answer).not.toContain(who === 'heron' ? 'ibis' : 'heron')
          if (who === 'heron') heard.push(answer)
          answers += 1
        }
        for (const { who, what } of asked) if (who === 'heron') before.push(await answerTo(alone, what, who))
        expect(heard).toEqual(before)
      }),
      { numRuns: runs('costly'), endOnFailure: true },
    )
    expect(answers).toBeGreaterThanOrEqual(20 * runs('costly'))
  }, 600_000)
})

describe("the deployment's own tenant", () => {
  it("[api-8] hides its conversations and ledgers from other tenants, even if one knows a ledger's name", async () => {
    const model = await MarkedModel.start(0)
    const house = await ChainApi.start({ ...PEOPLE_VARS, ...model.vars })
    try {
      const session = await openSession(house.server, { identity: identityOf('ada') })
      const player = await Player.join(house.server, session)
      await player.say('I am mark-heron-1.')
      player.leave()
      const learner = String((await house.tables())['sessions']?.[0]?.['user_id'])
      const [own, other] = await Promise.all(['walkon', 'other'].map((tenant) => house.client(tenant)))
      if (!own || !other) throw new Error('no clients')
      const about = {
        purpose: 'p',
        memorySpaceId: 'm',
        userId: learner,
        conversationRef: { conversationId: session, messageIds: ['1'] },
      }

      const heard = async (client: ChainClient, context: string) => {
        const { conversation } = await client.getConversation({ context })
        return conversation?.messages.map(({ text }) => text) ?? null
      }
      const mine = await own.createContext(about)
      const theirs = await other.createContext(about)
      expect(await heard(own, mine.id)).toContain('I am mark-heron-1.')
      expect(await heard(other, theirs.id)).toBeNull()

      const foreseen = async (client: ChainClient) => (await client.erasePerson({ user: learner, dryRun: true })).effect
      expect(await foreseen(own)).toMatchObject({ sessions: 1, ledgers: 1 })
      expect(await foreseen(other)).toMatchObject({ sessions: 0, ledgers: 0, contexts: { deleted: 1 } })
      const { erasure } = await other.erasePerson({ user: learner })
      await expect
        .poll(async () => (await other.getErasure({ erasure: erasure?.id ?? '' })).status, { timeout: 60_000 })
        .toBe('done')
      expect(await foreseen(own)).toMatchObject({ sessions: 1, ledgers: 1 })
      expect(await heard(own, mine.id)).toContain('I am mark-heron-1.')
    } finally {
      await house.server.stop()
      await model.stop()
    }
  }, 120_000)
})

/** Returns the response or the error of a request as text, without the parts that differ every time. */
async function answerTo(client: ChainClient, { name, input }: Ask, who: string): Promise<string> {
  const mine = JSON.parse(JSON.stringify(input).replaceAll(CANARY, who)) as never
  try {
    return plain(await client[name](mine))
  } catch (error) {
    if (error instanceof ChainClientError) return `${error.status} ${error.code} ${error.message}`
    throw error
  }
}

const TIMES = new Set([
  'createdAt',
  'updatedAt',
  'completedAt',
  'timestamp',
  'at',
  'exportedAt',
  'requestedAt',
  'doneAt',
])

function plain(answer: unknown): string {
  const text = JSON.stringify(answer, (key, value: unknown) => {
    if (TIMES.has(key) && value !== null) return 'a time'
    return key === 'next' && value !== null ? 'more' : value
  })
  return text
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[78]\d{11}\b/g, 'a time')
    .replaceAll(/(ctx|mem|era)_[\w-]{22}/g, '$1_drawn')
}
