import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEvents } from '../../worker/chain/runs/apply-events.ts'
import { beginConversation } from '../../worker/chain/runs/begin-conversation.ts'
import type { Scope } from '../../worker/chain/scope.ts'
import type { SessionEvent } from '../../worker/chain/session-events.ts'
import { freshScope } from './support/fresh-scope.ts'
import { beginning, everything, standing } from './support/runs.ts'
import { runs } from '../support/runs.ts'

const NPCS = ['otto', 'maya', 'marcus', 'ines'] as const
/** The most conversations of a generated run. */
const MOST = 5
const AT = 1_800_000_000_000

const npc = fc.constantFrom(...NPCS)

/** Generates the events between a conversation's first message and its end. */
const between: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.record({
    type: fc.constant('annotation' as const),
    node: fc.constantFrom('a', 'b'),
    text: fc.string({ unit: 'binary', minLength: 1, maxLength: 600 }),
    at: fc.nat(50).map((ms) => AT + ms),
  }),
  fc.record({
    type: fc.constant('objective' as const),
    objective: fc.constantFrom('x', '__proto__', 'constructor'),
    title: fc.string(),
    at: fc.nat(50).map((ms) => AT + ms),
  }),
  fc.record({
    type: fc.constant('remembered' as const),
    memories: fc.array(
      fc.record({
        kind: fc.constantFrom('said' as const, 'event' as const),
        content: fc.string({ minLength: 1 }),
        importance: fc.nat(100),
      }),
      { maxLength: 2 },
    ),
    facts: fc.array(
      fc.record({ key: fc.constantFrom('name', 'role'), value: fc.string(), confidence: fc.constantFrom(0.5, 1) }),
      { maxLength: 2 },
    ),
    at: fc.nat(50).map((ms) => AT + ms),
  }),
  fc.record({
    type: fc.constant('heard' as const),
    facts: fc.array(
      fc.record({
        fact: fc.constantFrom('x', 'y', '__proto__'),
        said: fc.string({ unit: 'binary' }),
        turn: fc.constantFrom(null, 1, 2),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    at: fc.nat(50).map((ms) => AT + ms),
  }),
  fc.record({
    type: fc.constant('level' as const),
    level: fc.constantFrom('guarded' as const, 'neutral' as const, 'trusting' as const),
    at: fc.nat(50).map((ms) => AT + ms),
  }),
  fc.record({
    type: fc.constant('paper' as const),
    paper: fc.constant({ title: 'Run 47', kind: 'report', lines: ['8.1%'] }),
    at: fc.nat(50).map((ms) => AT + ms),
  }),
  fc.record({ type: fc.constant('seen' as const), at: fc.nat(50).map((ms) => AT + ms) }),
)

const ended: fc.Arbitrary<SessionEvent> = fc.record({
  type: fc.constant('ended' as const),
  completion: fc.constantFrom('earned' as const, 'forced' as const),
  document: fc.option(fc.string({ minLength: 1 }), { nil: null }),
  paper: fc.constantFrom(undefined, null, { title: 'Run 47', kind: 'report', lines: ['8.1%', ''] }),
  next: fc.option(fc.record({ npc, why: fc.constantFrom('He knows.', 'ok') }), { nil: null }),
  at: fc.nat(50).map((ms) => AT + ms),
})

const conversation = fc.record({
  npc,
  events: fc
    .tuple(fc.array(between, { maxLength: 4 }), fc.option(ended, { freq: 4 }))
    .map(([some, end]): readonly SessionEvent[] => [{ type: 'met', at: AT }, ...some, ...(end ? [end] : [])]),
})

/**
 * Generates an act: the next conversation begins, or a part of a conversation's events is delivered, regardless of
 * which events were delivered before.
 */
const act = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ type: 'begin' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('bring' as const),
      of: fc.nat(MOST - 1),
      from: fc.nat(6),
      count: fc.nat(6),
    }),
  },
)

const play = fc.record({
  conversations: fc.array(conversation, { minLength: 1, maxLength: MOST }),
  acts: fc.array(act, { maxLength: 25 }),
})

type Play = typeof play extends fc.Arbitrary<infer T> ? T : never

/** The events that the chain has applied: how many of each conversation, and in which order. */
interface Told {
  readonly run: string
  readonly begun: number
  readonly applied: readonly number[]
  /** For each applied event, the index of its conversation; -1 for the beginning of a conversation. */
  readonly order: readonly number[]
}

const sessionOf = (place: number) => (place + 1).toString(16).padStart(64, 'a')

async function begin(scope: Scope, { conversations }: Play, place: number, run: string | null): Promise<string> {
  const begun = await beginConversation(
    scope,
    beginning(sessionOf(place), conversations[place]?.npc ?? 'otto', { run }),
  )
  if (!begun.ok) throw new Error(begun.why)
  return begun.place.id
}

/**
 * Plays the acts. Some events are delivered twice, too early or not at all. At the end, all events are delivered once
 * more.
 */
async function asItComes(scope: Scope, given: Play): Promise<Told> {
  const { conversations, acts } = given
  const applied = conversations.map(() => 0)
  const run = await begin(scope, given, 0, null)
  const order = [-1]
  let begun = 1
  const bring = async (place: number, from: number, events: readonly SessionEvent[]) => {
    const had = applied[place] ?? 0
    const answer = await applyEvents(scope, sessionOf(place), from, events)
    const reach = from - 1 + events.length
    if (from > had + 1) return expect(answer).toEqual({ type: 'gap', applied: had })
    expect(answer).toEqual({ type: 'applied', applied: Math.max(had, reach) })
    for (let n = had; n < reach; n += 1) order.push(place)
    applied[place] = Math.max(had, reach)
  }
  for (const each of acts) {
    if (each.type === 'begin') {
      if (begun === conversations.length) continue
      await begin(scope, given, begun, run)
      order.push(-1)
      begun += 1
    } else if (each.of < begun) {
      const all = conversations[each.of]?.events ?? []
      const from = Math.min(each.from, all.length)
      await bring(each.of, from + 1, all.slice(from, from + each.count))
    }
  }
  for (let place = 0; place < begun; place += 1) await bring(place, 1, conversations[place]?.events ?? [])
  return { run, begun, applied, order }
}

/** Delivers the same events one by one, each once, in the order in which `asItComes` applied them. */
async function oneByOne(scope: Scope, given: Play, { order }: Told): Promise<void> {
  const applied = given.conversations.map(() => 0)
  let run: string | null = null
  let begun = 0
  for (const place of order) {
    if (place < 0) {
      run = await begin(scope, given, begun, run)
      begun += 1
      continue
    }
    const next = given.conversations[place]?.events[applied[place] ?? 0]
    if (!next) throw new Error('there is no such event')
    applied[place] = (applied[place] ?? 0) + 1
    await applyEvents(scope, sessionOf(place), applied[place], [next])
  }
}

describe('what conversations bring into a run', () => {
  it('[run-6] [run-5] has the same result in parts, repeated and with gaps', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(play, async (given) => {
        const [scope, other] = [await freshScope(), await freshScope()]
        const told = await asItComes(scope, given)
        await oneByOne(other, given, told)
        expect(await everything(scope)).toEqual(await everything(other))
      }),
      { numRuns: runs('costly') },
    )
  })

  it('[run-6] has the result of some order, when all come at once', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(play, async (given) => {
        const scope = await freshScope()
        const run = await begin(scope, given, 0, null)
        for (let place = 1; place < given.conversations.length; place += 1) await begin(scope, given, place, run)
        const bring = (place: number) =>
          applyEvents(scope, sessionOf(place), 1, given.conversations[place]?.events ?? [])
        const answers = await Promise.all(given.conversations.flatMap((_, place) => [bring(place), bring(place)]))
        expect(answers).toEqual(
          given.conversations.flatMap(({ events }) =>
            [events, events].map(({ length }) => ({ type: 'applied', applied: length })),
          ),
        )
        const [root, ...rest] = await standing(scope, run)
        // Every conversation that ended has a completed context. The run is completed if the conversations with all its
        // required colleagues are completed. No handover (the context that records which colleague was named next)
        // waits for a colleague whose conversation had begun before.
        const over = given.conversations.filter(({ events }) => events.some(({ type }) => type === 'ended'))
        const contexts = rest.filter(({ data }) => !('handOver' in data))
        expect(contexts.filter(({ status }) => status === 'completed')).toHaveLength(over.length)
        const isOver = ['maya', 'marcus', 'ines'].every((each) => over.some((one) => one.npc === each))
        expect(root?.status).toBe(isOver ? 'completed' : 'active')
        expect(root?.version).toBe(isOver ? 2 : 1)
        expect(contexts.map(({ version }) => version)).toEqual(
          given.conversations.map(
            ({ events }) => 1 + events.filter(({ type }) => !['seen', 'remembered'].includes(type)).length,
          ),
        )
        const handedOver = over.flatMap(({ events }) =>
          events.flatMap((event) => (event.type === 'ended' && event.next ? [event.next.npc] : [])),
        )
        const handOvers = rest.filter(({ data }) => 'handOver' in data)
        expect(handOvers.map(({ space }) => space).toSorted()).toEqual(handedOver.toSorted())
      }),
      { numRuns: runs('costly') },
    )
  })

  it('[run-5] makes versions that never go back in time, whatever the clocks', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(play, async (given) => {
        const scope = await freshScope()
        await asItComes(scope, given)
        const { contexts, versions } = (await everything(scope)) as {
          contexts: { id: string; version: number; updated_at: number }[]
          versions: { context_id: string; version: number; at: number }[]
        }
        for (const { id, version, updated_at } of contexts) {
          const own = versions.filter(({ context_id }) => context_id === id).toSorted((a, b) => a.version - b.version)
          expect(own.map((each) => each.version)).toEqual(own.map((_, place) => place + 1))
          const times = [...own.map(({ at }) => at), updated_at]
          expect(times).toHaveLength(version)
          expect(times).toEqual(times.toSorted((a, b) => a - b))
        }
      }),
      { numRuns: runs('costly') },
    )
  })
})
