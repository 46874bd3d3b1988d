import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../../worker/chain/session-events.ts'
import type { Fact, Scenario } from '../../worker/core/scenario/scenario.ts'
import { type Ear, earOf, heardIn, NOTHING_TOLD, type Told, toldWith } from '../../worker/session/ear.ts'
import { sessionEventsOf } from '../../worker/session/session-events-of.ts'
import { SessionStore, type NewEvent } from '../../worker/session/session-store.ts'
import type { RelationshipLevel, TurnOutcome } from '../../worker/wire/messages.ts'
import { Disk } from '../support/in-process/disk.ts'
import { sampleScenario } from '../support/sample-scenario.ts'

const fact = (id: string, npc: string, term: string): Fact => ({ id, npc, text: id, heard: [[term]], deciding: true })
const facts = [fact('rate', 'maya', '23.4%'), fact('size', 'maya', 'n=180'), fact('credit', 'marcus', '$40,000')]
const scenario: Scenario = {
  ...sampleScenario,
  simulation: { minutes: 5, skills: [], deadline: 'by noon', guide: 'otto', facts, endings: [] },
}
const ear = facts.slice(0, 2)

const reply = (turn: number, text: string, level: RelationshipLevel = 'neutral', outcome: TurnOutcome = 'complete') =>
  ({ type: 'turn', turn, attempt: 1, text, outcome, level }) as const satisfies NewEvent
const reaction = (turn: number, text: string, level: RelationshipLevel) =>
  ({
    type: 'pivot-end',
    turn,
    pivot: 'P',
    level,
    choice: { cid: 'c', id: 'a', text: '23.4%', reaction: text, effect: 'n=180' },
  }) as const satisfies NewEvent
const end = (lines: string[]) =>
  ({
    type: 'command',
    turn: 3,
    id: 'AI_EndConversation',
    command: {
      name: 'AI_EndConversation',
      completion: 'earned',
      document: { title: 'Run 47', kind: 'report', lines },
      next: null,
    },
  }) as const satisfies NewEvent

const heard = (...events: readonly NewEvent[]) => heardIn(events, ear, NOTHING_TOLD, 9)

describe('what is listened for', () => {
  it('[debrief-3] the facts of the colleague who speaks, and nothing where there is no simulation', () => {
    expect(earOf({ scenario, npc: 'maya' })).toEqual(ear)
    expect(earOf({ scenario, npc: 'otto' })).toEqual([])
    expect(earOf({ scenario: sampleScenario, npc: 'maya' })).toBeNull()
    // Somebody else's figure is nobody's fact.
    expect(heard(reply(1, 'It costs $40,000.'))).toEqual([])
  })

  it('[debrief-3] a reply as it was shown, one that was cut as well, a reaction; never a failed one, nor the learner', () => {
    expect(heard(reply(2, 'Morning. It is 23.4%.'))).toEqual([
      { type: 'heard', facts: [{ fact: 'rate', said: 'It is 23.4%.', turn: 2 }], at: 9 },
    ])
    expect(heard(reply(2, 'It is 23.4%, with n=', 'neutral', 'cut'))).toMatchObject([{ facts: [{ fact: 'rate' }] }])
    expect(heard(reply(2, 'It is 23.4%.', 'neutral', 'failed'))).toEqual([])
    expect(heard(reaction(4, 'Hm.', 'neutral'))).toEqual([])
    expect(heard(reaction(4, 'Then n=180 it is.', 'neutral'))).toMatchObject([{ facts: [{ fact: 'size', turn: 4 }] }])
    const start = { type: 'turn-start', turn: 1, attempt: 1, cid: 'c', text: '23.4%' } as const
    expect(heard(start)).toEqual([])
    expect(heard({ type: 'pivot-end', turn: 4, pivot: 'P', level: 'neutral', choice: null })).toEqual([])
  })

  it('[debrief-3] the lines of what is handed over, each by itself, for what was not said before', () => {
    expect(heard(reply(3, 'It is 23.4%.'), end(['23.4%', 'of n=180', 'n=180 again']))).toEqual([
      {
        type: 'heard',
        facts: [
          { fact: 'rate', said: 'It is 23.4%.', turn: 3 },
          { fact: 'size', said: 'of n=180', turn: null },
        ],
        at: 9,
      },
    ])
  })

  it('[debrief-4] each once in a conversation', () => {
    const events = heard(reply(1, 'It is 23.4%.'))
    const told = toldWith(NOTHING_TOLD, events)
    expect(told).toEqual({ heard: ['rate'], level: 'neutral' })
    expect(heardIn([reply(2, 'Still 23.4%. On n=180.')], ear, told, 9)).toMatchObject([{ facts: [{ fact: 'size' }] }])
    expect(toldWith(told, [])).toBe(told)
  })

  it('[debrief-5] the level, where it is another than was told', () => {
    expect(heard(reply(1, 'Hm.', 'neutral'))).toEqual([])
    expect(heard(reply(1, 'Hm.', 'guarded'))).toEqual([{ type: 'level', level: 'guarded', at: 9 }])
    const told = toldWith(NOTHING_TOLD, heard(reaction(1, 'Hm.', 'guarded')))
    expect(heardIn([reply(2, 'Hm.', 'guarded')], ear, told, 9)).toEqual([])
    expect(heardIn([reply(2, 'Hm.', 'neutral')], ear, told, 9)).toMatchObject([{ level: 'neutral' }])
  })

  it('[run-5] comes before what is earned, and the paper with the end; of no simulation there is none of it', () => {
    const happened = { records: [], events: [reply(3, 'It is 23.4%.', 'trusting'), end(['n=180'])] }
    const types = (events: readonly SessionEvent[]) => events.map(({ type }) => type)
    const events = sessionEventsOf(happened, 9, ear, NOTHING_TOLD)
    expect(types(events)).toEqual(['heard', 'level', 'ended'])
    expect(events.at(-1)).toMatchObject({
      document: 'Run 47',
      paper: { title: 'Run 47', kind: 'report', lines: ['n=180'] },
    })
    const plain = sessionEventsOf(happened, 9, null)
    expect(types(plain)).toEqual(['ended'])
    expect(plain[0]).not.toHaveProperty('paper')
  })
})

describe('what waits for the chain', () => {
  const newStore = () => {
    const disk = new Disk()
    const store = new SessionStore(disk.storage({ isAlive: true }))
    store.migrate()
    store.chain.begin()
    return { disk, store }
  }

  it('[debrief-4] knows what was told, however long ago that was brought and whoever asks', () => {
    const { store, disk } = newStore()
    expect(store.chain.told()).toEqual(NOTHING_TOLD)
    store.chain.add(heardIn([reply(1, 'It is 23.4%.', 'guarded')], ear, NOTHING_TOLD, 5), 5)
    store.chain.settle(3, 6)
    store.chain.add([], 7)
    const again = new SessionStore(disk.storage({ isAlive: true }))
    again.migrate()
    expect(again.chain.told()).toEqual({ heard: ['rate'], level: 'guarded' })
    expect(again.chain.waiting(16)).toBeNull()
  })

  it('[run-4] is told nothing where it is not there', () => {
    const { store } = newStore()
    store.chain.drop()
    expect(store.chain.told()).toBeNull()
  })

  it('[debrief-4] [debrief-5] however a talk went, each fact is told once, where it was first heard, and the last level is the one that holds', () => {
    const level = fc.constantFrom<RelationshipLevel>('guarded', 'neutral', 'trusting')
    const text = fc.array(fc.constantFrom<string>('23.4%', 'n=180', '$40,000', 'hm', '2,3.4%'), { maxLength: 3 })
    const happening = fc.oneof(
      fc.tuple(text, level, fc.constantFrom<TurnOutcome>('complete', 'cut', 'failed')),
      fc.tuple(text, level, fc.constant('choice' as const)),
    )
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 12 }), fc.array(fc.string(), { maxLength: 3 }), (talk, lines) => {
        const { store } = newStore()
        const happened: (readonly NewEvent[])[] = talk.map(([words, now, how], turn) =>
          how === 'choice' ? [reaction(turn, words.join(' '), now)] : [reply(turn, words.join(' '), now, how)],
        )
        happened.push([end([...lines, 'n=180'])])
        for (const events of happened) tellStore(store, events)
        const told = store.chain.waiting(100)?.events ?? []
        const all = told.flatMap((event) => (event.type === 'heard' ? event.facts : []))
        expect(new Set(all.map((each) => each.fact)).size).toBe(all.length)
        // Told once more by hand: the first turn whose shown words hold it.
        for (const { id, heard: groups } of ear) {
          const first = talk.findIndex(([words, , how]) => how !== 'failed' && words.includes(groups[0]?.[0] ?? ''))
          const found = all.find((each) => each.fact === id)
          expect(found?.turn).toBe(first === -1 ? (id === 'size' ? null : undefined) : first)
        }
        const levels = told.flatMap((event) => (event.type === 'level' ? [event.level] : []))
        expect(levels.at(-1) ?? 'neutral').toBe(talk.at(-1)?.[1] ?? 'neutral')
        expect(levels.every((each, at) => each !== (levels[at - 1] ?? 'neutral'))).toBe(true)
      }),
    )
  })

  function tellStore(store: SessionStore, events: readonly NewEvent[], listening: Ear = ear): void {
    const told: Told = store.chain.told() ?? NOTHING_TOLD
    store.chain.add(sessionEventsOf({ records: [], events }, 5, listening, told), 5)
  }
})
