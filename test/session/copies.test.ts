import { SessionStore } from '../../worker/session/session-store.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { migrate } from '../../worker/core/walk/migrate.ts'
import { laterRows } from '../../worker/later-table.ts'
import { beginSessionCopy } from '../../worker/session/begin-as.ts'
import type { ConversationCopy, CopyMoment } from '../../worker/session/conversation-copy.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'
import { graphOf, sampleScenario } from '../support/sample-scenario.ts'
import { anyDeeds } from '../support/any-deeds.ts'
import { type Deed, infoOf, playedScenario, roundGraph, STARTED_AT, StoredPlay } from '../support/stored-play.ts'
import { newerBackbone } from '../support/versioned-graphs.ts'
import { runs } from '../support/runs.ts'

const OPENING = {
  session: 'the-second',
  epoch: 'second',
  learner: { kind: 'anonymous', id: 'a' },
  run: { id: 'ctx_again', context: 'ctx_maya_again' },
} as const

const play = fc.record({
  isRound: fc.constantFrom(false, false, true),
  deeds: anyDeeds,
})

const graphs = { tier: graphOf(), round: roundGraph }

/** Returns the copy of a conversation at a moment. @throws when there is no copy */
function copyOf(of: StoredPlay, moment: CopyMoment): ConversationCopy {
  const copy = of.store.copies.until(moment)
  if (copy === null || copy === 'not-kept') throw new Error('no copy')
  // Clones the copy, as the platform does when one object passes it to another.
  return structuredClone(copy)
}

function begun(copy: ConversationCopy, now: number): StoredPlay {
  const other = new StoredPlay()
  other.now = now
  beginSessionCopy(other.store, copy, OPENING, now)
  return other
}

async function played(graph: Graph, deeds: readonly Deed[]) {
  const original = StoredPlay.begun(graph)
  const stood = [{ seq: 0, now: original.now, dump: original.dump() }]
  for (const [number, each] of deeds.entries()) {
    await original.do(each, number)
    stood.push({ seq: original.store.head(), now: original.now, dump: original.dump() })
  }
  return { original, stood }
}

describe('a copy of a conversation', () => {
  it(
    '[again-1] [again-2] [again-3] is what it was at that moment, goes on as it did, and leaves it as it is',
    { timeout: 120_000 },
    async () => {
      const seen = { walkedOn: 0, choices: 0, ends: 0, retries: 0 }
      await fc.assert(
        fc.asyncProperty(play, fc.nat(), async ({ isRound, deeds }, picked) => {
          const { original, stood } = await played(isRound ? graphs.round : graphs.tier, deeds)
          const before = original.bytes()
          for (const [place, { seq, now, dump }] of stood.entries()) {
            const copy = begun(copyOf(original, { seq }), now)
            expect(copy.dump()).toEqual(dump)
            if (place !== 0 && place !== picked % stood.length) continue
            for (const [further, each] of deeds.slice(place).entries()) await copy.do(each, place + further)
            expect(copy.dump()).toEqual(stood.at(-1)?.dump)
            seen.walkedOn += 1
          }
          expect(original.bytes()).toBe(before)
          const events = original.store.eventsAfter(0)
          seen.choices += events.filter((event) => event.type === 'pivot-end').length
          seen.ends += events.filter(
            (event) => event.type === 'command' && event.command.name === 'AI_EndConversation',
          ).length
          seen.retries += events.filter((event) => event.type === 'turn-start' && event.attempt === 2).length
        }),
        { numRuns: runs('costly') },
      )
      // `seen` counts how often each case occurred. If a case occurred too rarely, the test would prove nothing about
      // the case.
      expect(Object.entries(seen).filter(([, times]) => times < runs('costly') / 16)).toEqual([])
    },
  )

  it('[again-2] is asked for by a time, and has no part of a turn that was under way then', async () => {
    await fc.assert(
      fc.asyncProperty(play, fc.nat(30_000), async ({ isRound, deeds }, ms) => {
        const { original, stood } = await played(isRound ? graphs.round : graphs.tier, deeds)
        const at = (stood[0]?.now ?? 0) + ms
        const last = stood.findLast(({ now }) => now <= at)
        expect(copyOf(original, { at }).seq).toBe(last?.seq)
        const whole = original.dump()
        const head = original.store.head()
        if (original.begin(deeds.length) === null) return
        expect(begun(copyOf(original, { at: original.now }), original.now).dump()).toEqual(whole)
        expect(original.store.copies.until({ seq: head + 1 })).toBeNull()
      }),
      { numRuns: runs('costly') },
    )
  })

  it('[again-2] [again-6] begins once: whatever is brought again changes nothing', async () => {
    const { original } = await played(graphs.tier, LEADS_TO_A_FORK)
    const copy = copyOf(original, { seq: original.store.head() })
    const other = begun(copy, original.now)
    const bytes = other.bytes()
    beginSessionCopy(other.store, copy, { ...OPENING, epoch: 'third' }, original.now + 5)
    beginSessionCopy(other.store, copyOf(original, { seq: 0 }), OPENING, original.now + 5)
    expect(other.bytes()).toBe(bytes)
  })
})

describe('the moment of a pivot', () => {
  it('[again-2] is the end of the turn that put it to the learner, whatever came of it afterwards', async () => {
    const { original, stood } = await played(graphs.tier, LEADS_TO_A_FORK)
    const armed = stood.findIndex(({ seq }) =>
      original.store.eventsAfter(0).some((event) => event.seq === seq && isAsked(event)),
    )
    const pivot = original.store.eventsAfter(0).find(isAsked)?.command.pivot ?? ''
    await original.do({ type: 'choose', card: 0 }, 90)
    const copy = begun(copyOf(original, { pivot }), stood[armed]?.now ?? 0)
    expect(copy.dump()).toEqual(stood[armed]?.dump)
    expect(copy.store.walk().pivots[pivot]).toEqual({ state: 'armed', unanswered: 0 })
    // In the copy, the learner picks a different card.
    await copy.do({ type: 'choose', card: 1 }, 91)
    expect(copy.store.walk().pivots[pivot]).toEqual({ state: 'chosen', choice: 'b' })
    expect(original.store.walk().pivots[pivot]).toEqual({ state: 'chosen', choice: 'a' })
    expect(original.store.copies.until({ pivot: 'nowhere' })).toBeNull()
  })

  it('[again-2] [debrief-12] is the first, where it was put to the learner more than once', async () => {
    const { original } = await played(graphs.tier, LEADS_TO_A_FORK)
    const asked = original.store.eventsAfter(0).find(isAsked)
    const pivot = asked?.command.pivot ?? ''
    const { seq } = copyOf(original, { pivot })
    const repeat = 'INSERT INTO events (seq, at, body, walk) SELECT ?, at, body, walk FROM events WHERE seq = ?'
    const storage = original.disk.storage({ isAlive: true })
    storage.sql.exec(repeat, original.store.head() + 1, asked?.seq ?? 0)
    expect(new SessionStore(storage).eventsAfter(0).filter(isAsked)).toHaveLength(2)
    expect(copyOf(original, { pivot }).seq).toBe(seq)
  })

  it('[again-2] is found in a copy as in what it is a copy of', async () => {
    const { original } = await played(graphs.tier, LEADS_TO_A_FORK)
    const pivot = original.store.eventsAfter(0).find(isAsked)?.command.pivot ?? ''
    const second = begun(copyOf(original, { seq: original.store.head() }), original.now)
    expect(copyOf(second, { pivot })).toEqual({ ...copyOf(original, { pivot }), info: copyOf(second, { pivot }).info })
  })
})

describe('what is not copied', () => {
  it('[again-9] is sent, spent or remembered once; the turns count, and what goes on takes new ids', async () => {
    const round: Deed = { type: 'say', speech: 'Hm.', satisfied: true, engagement: 1, answers: ['{"exit": 0}'] }
    const { original } = await played(graphs.round, [round, round, round])
    const sent = original.store.outbox.all().map(({ id }) => id)
    expect(sent.length).toBeGreaterThan(0)
    const copy = begun(copyOf(original, { seq: original.store.head() }), original.now)
    expect([copy.store.outbox.all(), copy.store.attempts()]).toEqual([[], original.store.attempts()])
    const { sql } = copy.disk.storage({ isAlive: true })
    for (const table of ['inbox', 'spending', 'revocation', 'remembering'])
      expect([table, laterRows(sql, `SELECT * FROM ${table}`)]).toEqual([table, []])
    for (const number of [7, 8, 9]) await copy.do(round, number)
    const further = copy.store.outbox.all().map(({ id }) => id)
    expect(further.length).toBeGreaterThan(0)
    expect(further.filter((id) => sent.includes(id))).toEqual([])
  })

  it('[again-9] of one that had ended, what is worth remembering', async () => {
    const { original } = await played(graphs.tier, Array.from({ length: 14 }, () => [SATISFIED, CARD]).flat())
    expect(original.store.walk().end).not.toBeNull()
    expect(original.store.remembering.nextDue()).not.toBeNull()
    const copy = begun(copyOf(original, { seq: original.store.head() }), original.now)
    expect([copy.store.walk().end, copy.store.remembering.nextDue()]).toEqual([original.store.walk().end, null])
  })
})

describe('what cannot be gone back to', () => {
  it('[again-1] [again-7] a conversation of a scenario that is no simulation, or was none for a time', async () => {
    const { original } = await played(graphs.tier, LEADS_TO_A_FORK)
    expect(original.store.copies.canCopy()).toBe(true)
    const talk = StoredPlay.begun(graphs.tier, sampleScenario)
    for (const [number, each] of LEADS_TO_A_FORK.entries()) await talk.do(each, number)
    const { sql } = talk.disk.storage({ isAlive: true })
    expect(sql.exec('SELECT 1 FROM events WHERE walk IS NOT NULL').toArray()).toEqual([])
    for (const scenario of [sampleScenario, playedScenario]) {
      talk.store.repin(infoOf(graphs.tier, scenario), talk.store.walk(), [])
      expect(talk.store.copies.canCopy()).toBe(false)
      expect(talk.store.copies.until({ seq: 0 })).toBe('not-kept')
    }
  })

  it('[again-2] before it began there was nothing, and at its beginning nobody had said anything', async () => {
    const { original } = await played(graphs.tier, LEADS_TO_A_FORK)
    expect(original.store.copies.until({ at: STARTED_AT - 1 })).toBeNull()
    expect(copyOf(original, { at: STARTED_AT })).toMatchObject({
      seq: 0,
      at: STARTED_AT,
      walk: null,
      events: [],
      turns: [],
    })
  })
})

describe('a conversation that was taken over to a newer version', () => {
  it('[again-2] is gone back to on the version that it was on then', async () => {
    const graph = graphOf()
    const newer = newerBackbone('nearest-ancestor')
    const original = StoredPlay.begun(graph)
    await original.do(SATISFIED, 1)
    const [before, seq] = [original.dump(), original.store.head()]
    const moved = migrate(original.store.walk(), newer)
    if (moved.outcome !== 'moved') throw new Error('it stays where it is')
    const records = moved.trace.map((entry) => ({ at: original.now, turn: 'migration', entry }))
    original.store.repin({ ...infoOf(newer) }, moved.walk, records)
    await original.do(SATISFIED, 2)
    await original.do(SATISFIED, 3)

    expect(begun(copyOf(original, { seq }), original.now).dump()).toEqual(before)
    const last = begun(copyOf(original, { seq: original.store.head() }), original.now)
    expect(last.dump()).toEqual(original.dump())
    // The copy of `last` must have the same state as the first copy.
    expect(begun(copyOf(last, { seq }), original.now).dump()).toEqual(before)
  })
})

describe('a conversation whose newer version tells a fact by other words', () => {
  it('[again-3] had heard what it had heard on the version that it was on then', async () => {
    const newer = newerBackbone('nearest-ancestor')
    const original = StoredPlay.begun(graphOf())
    await original.do(SATISFIED, 1)
    const moved = migrate(original.store.walk(), newer)
    if (moved.outcome !== 'moved') throw new Error('it stays where it is')
    original.store.repin(infoOf(newer, retold), moved.walk, [])
    await original.do({ ...SATISFIED, speech: 'That was n = 180, or about sixty each.' }, 2)
    const copy = begun(copyOf(original, { seq: original.store.head() }), original.now)
    const told = copy.store.eventsAfter(0).flatMap((event) => ('gained' in event ? (event.gained?.facts ?? []) : []))
    expect(told.map(({ id }) => id)).toEqual(['rate', 'size'])
    expect(copy.dump()).toEqual(original.dump())
  })

  const { simulation } = playedScenario
  const retold = {
    ...playedScenario,
    simulation: simulation && {
      ...simulation,
      facts: simulation.facts.map((fact) => ({ ...fact, heard: [[fact.id === 'rate' ? 'a quarter' : 'sixty each']] })),
    },
  }
})

function isAsked(event: LogEvent): event is LogEvent & { command: { name: 'AI_PivotMoment'; pivot: string } } {
  return event.type === 'command' && event.command.name === 'AI_PivotMoment'
}

const SATISFIED = { type: 'say', speech: 'It is 23.4%.', satisfied: true, engagement: 2, answers: [] } as const
const CARD = { type: 'choose', card: 0 } as const
const LEADS_TO_A_FORK: readonly Deed[] = Array.from({ length: 4 }, () => SATISFIED)
