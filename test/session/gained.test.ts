import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../../worker/chain/session-events.ts'
import type { ScenarioFact, Scenario } from '../../worker/core/scenario/scenario.ts'
import { launchDecision } from '../support/rehearsal-conversation.ts'
import { withGained } from '../../worker/core/run/gained.ts'
import { chainEventsOf } from '../../worker/session/chain-events.ts'
import { decode } from '../../worker/wire/decode.ts'
import type { Gained, NewEvent, RelationshipLevel, TurnOutcome } from '../../worker/wire/messages.ts'
import { sampleScenario } from '../support/sample-scenario.ts'

const fact = (id: string, npc: string, term: string): ScenarioFact => ({
  id,
  npc,
  text: id,
  heard: [[term]],
  deciding: true,
})
const facts = [fact('rate', 'maya', '23.4%'), fact('size', 'maya', 'n=180'), fact('credit', 'marcus', '$40,000')]
const scenario: Scenario = {
  ...sampleScenario,
  simulation: { minutes: 5, skills: [], deadline: 'by noon', guide: 'otto', facts, endings: [] },
}
const own = facts.slice(0, 2)

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

/**
 * Returns what the learner has gained at each turn's end, one entry per turn. `ends` has the events of each turn's end.
 */
function gainedByEach(ends: readonly (readonly NewEvent[])[], of: Scenario = scenario, npc = 'maya') {
  let log: readonly NewEvent[] = []
  return ends.map((events): Gained | undefined => {
    const written = withGained(of, npc, log, events)
    log = [...log, ...written]
    return written.flatMap((event) => ('gained' in event && event.gained ? [event.gained] : []))[0]
  })
}

const gained = (...events: readonly NewEvent[]) => gainedByEach([events])[0]

describe('what an exchange gains', () => {
  it('[debrief-3] the facts of the colleague who speaks, and nothing where there is no simulation', () => {
    const both = reply(1, 'It is 23.4%, and costs $40,000.')
    expect(gained(both)).toMatchObject({ facts: [{ id: 'rate' }] })
    expect(gainedByEach([[both]], scenario, 'otto')).toEqual([undefined])
    expect(gainedByEach([[reply(1, 'It is 23.4%.', 'guarded'), end(['23.4%'])]], sampleScenario)).toEqual([undefined])
  })

  it('[debrief-4] a fact again, once the colleague tells it clearly better, and never worse', () => {
    const [fact] = launchDecision().simulation?.facts.filter(({ id }) => id === 'phasing') ?? []
    const poor = 'One category back for 30 days.'
    const good = 'C.4 lets us hold back one category of answers for up to 30 days, on written notice.'
    const facts = (ends: readonly string[]) =>
      gainedByEach(
        ends.map((text, index) => [reply(index + 1, text)]),
        launchDecision(),
        'marcus',
      ).map((each) => each?.facts?.find(({ id }) => id === fact?.id)?.said)
    expect(facts([poor, good, poor])).toEqual([poor, good, undefined])
    expect(facts([good, poor])).toEqual([good, undefined])
  })

  it.each([
    [
      'ines',
      'real-mix',
      "It is nearer twelve in a hundred, with my 31.0%. On real traffic that's over the general ceiling.",
      "It is nearer twelve in a hundred, with my 31.0%. On real traffic that's over the general ceiling.",
    ],
    [
      'maya',
      'thin-share',
      'Because only 7.5% of what we asked was medical.',
      'Only 7.5% of what we asked was medical.',
    ],
    [
      'maya',
      'rest-rate',
      'Right, then. Leave medical out and it sits at 6.9%.',
      'Leave medical out and it sits at 6.9%.',
    ],
    [
      'maya',
      'painkillers',
      "It told a test account two painkillers were fine together. They aren't, and that's the one I can't forget.",
      "It told a test account two painkillers were fine together. They aren't, and that's the one I can't forget.",
    ],
    [
      'maya',
      'rest-rate',
      'Leave medical out and it sits at 6.9% of the whole. Not so bad. Ask Ines for more.',
      'Leave medical out and it sits at 6.9% of the whole. Not so bad.',
    ],
  ])('[debrief-4] %s’s %s in words that stand alone', (npc, id, text, said) => {
    const [gain] = gainedByEach([[reply(1, text)]], launchDecision(), npc)
    expect(gain?.facts?.find((fact) => fact.id === id)?.said).toBe(said)
  })

  it('[debrief-4] a fact in the colleague’s own words, however well their document says it', () => {
    const said = (...ends: readonly (readonly NewEvent[])[]) =>
      gainedByEach(ends, launchDecision(), 'marcus').map(
        (each) => each?.facts?.find(({ id }) => id === 'phasing')?.said,
      )
    const spoken = reply(1, 'One category can be held back, for up to 30 days, if they hear in writing.')
    const written = launchDecision().npcs.find(({ id }) => id === 'marcus')?.document?.lines ?? []
    const leaves = [reply(2, 'Bye.'), end([...written])]
    const fromPaper = said(leaves)[0]
    expect(fromPaper).toContain('C.4')
    expect(said([spoken], leaves)).toEqual([spoken.text, undefined])
    expect(said(leaves, [spoken])).toEqual([fromPaper, spoken.text])
  })

  it('[debrief-3] a reply as it was shown, one that was cut as well, a reaction; never a failed one, nor the learner', () => {
    expect(gained(reply(2, 'Morning. It is 23.4%.'))).toEqual({
      facts: [{ id: 'rate', text: 'rate', said: 'It is 23.4%.', turn: 2 }],
    })
    expect(gained(reply(2, 'It is 23.4%, with n=', 'neutral', 'cut'))).toMatchObject({ facts: [{ id: 'rate' }] })
    expect(gained(reply(2, 'It is 23.4%.', 'guarded', 'failed'))).toBeUndefined()
    expect(gained(reaction(4, 'Hm.', 'neutral'))).toBeUndefined()
    expect(gained(reaction(4, 'Then n=180 it is.', 'neutral'))).toMatchObject({ facts: [{ id: 'size', turn: 4 }] })
    const start = { type: 'turn-start', turn: 1, attempt: 1, cid: 'c', text: '23.4%' } as const
    expect(gained(start)).toBeUndefined()
    expect(gained({ type: 'pivot-end', turn: 4, pivot: 'P', level: 'guarded', choice: null })).toBeUndefined()
  })

  it('[debrief-3] the lines of what is handed over, each by itself, for what was not said before', () => {
    expect(gained(reply(3, 'It is 23.4%.'), end(['23.4%', 'of n=180', 'n=180 again']))?.facts).toEqual([
      { id: 'rate', text: 'rate', said: 'It is 23.4%.', turn: 3 },
      { id: 'size', text: 'size', said: 'of n=180', turn: null },
    ])
  })

  it('[debrief-4] each fact once in a conversation', () => {
    const ends = [[reply(1, 'It is 23.4%.')], [reply(2, 'Still 23.4%. On n=180.')], [reply(3, 'Again: 23.4%.')]]
    const facts = gainedByEach(ends).map((each) => each?.facts?.map(({ id }) => id))
    expect(facts).toEqual([['rate'], ['size'], undefined])
  })

  it('[debrief-5] the level, where it is another than the last one that was told', () => {
    const ends = (['neutral', 'guarded', 'guarded', 'neutral'] as const).map((level) => [reply(1, 'Hm.', level)])
    expect(gainedByEach(ends)).toEqual([undefined, { level: 'guarded' }, undefined, { level: 'neutral' }])
    expect(gained(reaction(1, 'Hm.', 'guarded'))).toEqual({ level: 'guarded' })
  })

  it('[message-31] the objective and the document with the reply that they came with', () => {
    const advance = {
      type: 'command',
      turn: 3,
      id: 'AI_AdvanceObjective:talk',
      command: { name: 'AI_AdvanceObjective', objective: 'talk', title: 'Talk to Maya' },
    } as const
    expect(gained(reply(3, 'Here.'), advance, end(['of n=180']))).toEqual({
      facts: [{ id: 'size', text: 'size', said: 'of n=180', turn: null }],
      objective: 'talk',
      documents: [{ title: 'Run 47', kind: 'report', lines: ['of n=180'] }],
    })
  })

  it('[message-31] is read by a client as it was written, and what cannot be read of it is left out', () => {
    const event = { seq: 4, at: 9, ...reply(3, 'It is 23.4%.', 'guarded') }
    const whole: Gained = {
      facts: [{ id: 'rate', text: 'rate', said: 'It is 23.4%.', turn: 3 }],
      objective: 'talk',
      documents: [{ title: 'Run 47', kind: 'report', lines: ['n=180'] }],
      level: 'guarded',
    }
    const read = (raw: unknown) => decode('event', { ...event, gained: raw })?.body
    expect(read(whole)).toEqual({ ...event, gained: whole })
    expect(read({ ...whole, level: 'furious', facts: [{ id: 7 }, ...(whole.facts ?? [])] })).toEqual({
      ...event,
      gained: { ...whole, level: undefined },
    })
    for (const unread of [undefined, null, 7, {}, 'facts', { more: [] }]) expect(read(unread)).toEqual(event)
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
        const ends: (readonly NewEvent[])[] = talk.map(([words, now, how], turn) =>
          how === 'choice' ? [reaction(turn, words.join(' '), now)] : [reply(turn, words.join(' '), now, how)],
        )
        ends.push([reply(talk.length, 'Bye.', 'neutral'), end([...lines, 'n=180'])])
        const each = gainedByEach(ends)
        const all = each.flatMap((gains) => gains?.facts ?? [])
        expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
        // Finds the expected turn in another way than the code under test: it is the first turn whose shown text
        // contains the fact.
        for (const { id, heard: groups } of own) {
          const first = talk.findIndex(([words, , how]) => how !== 'failed' && words.includes(groups[0]?.[0] ?? ''))
          const found = all.find((fact) => fact.id === id)
          expect(found?.turn).toBe(first === -1 ? (id === 'size' ? null : undefined) : first)
        }
        const levels = each.flatMap((gains) => gains?.level ?? [])
        expect(levels.at(-1) ?? 'neutral').toBe('neutral')
        expect(levels.every((now, at) => now !== (levels[at - 1] ?? 'neutral'))).toBe(true)
      }),
    )
  })
})

describe('what the chain is told of it', () => {
  it('[run-5] comes before what is earned, and the document with the end; outside of a simulation there is none of it', () => {
    const events = [reply(3, 'It is 23.4%.', 'trusting'), end(['n=180'])]
    const types = (told: readonly SessionEvent[]) => told.map(({ type }) => type)
    const told = chainEventsOf({ records: [], events: withGained(scenario, 'maya', [], events) }, 9)
    expect(types(told)).toEqual(['heard', 'level', 'ended'])
    expect(told[0]).toEqual({
      type: 'heard',
      facts: [
        { fact: 'rate', said: 'It is 23.4%.', turn: 3 },
        { fact: 'size', said: 'n=180', turn: null },
      ],
      at: 9,
    })
    expect(told.at(-1)).toMatchObject({
      document: 'Run 47',
      paper: { title: 'Run 47', kind: 'report', lines: ['n=180'] },
    })
    const plain = chainEventsOf({ records: [], events }, 9)
    expect(types(plain)).toEqual(['ended'])
    expect(plain[0]).not.toHaveProperty('paper')
  })

  it('[run-5] a question tells no fact', () => {
    const gainedBy = (text: string) => withGained(scenario, 'maya', [], [reply(3, text)])[0]
    expect(gainedBy('It is n=180, so is that enough?')).not.toHaveProperty('gained.facts')
    expect(gainedBy('It is n=180. Is that enough?')).toHaveProperty('gained.facts')
  })

  it('[run-5] a document tells no fact to a learner who leaves without the objective and has heard hardly any, until they earn it', () => {
    const left = end(['n=180'])
    if (left.type !== 'command' || left.command.name !== 'AI_EndConversation') throw new Error('no end')
    const forced: NewEvent = { ...left, command: { ...left.command, completion: 'forced' } }
    const bye = withGained(scenario, 'maya', [], [reply(3, 'Bye.'), forced])
    expect(bye[0]).toMatchObject({ gained: { documents: [{ title: 'Run 47' }] } })
    expect(bye[0]).not.toHaveProperty('gained.facts')
    const asked: NewEvent = {
      ...reply(2, 'So.'),
      gained: { facts: ['a', 'b'].map((id) => ({ id, said: id, turn: 2 })) },
    }
    const given = withGained(scenario, 'maya', [asked], [reply(3, 'Bye.'), forced])
    expect(given[0]).toHaveProperty('gained.facts', [{ id: 'size', text: 'size', said: 'n=180', turn: null }])
    const command = { name: 'AI_AdvanceObjective', objective: 'one', title: 'One' } as const
    const advance: NewEvent = { type: 'command', turn: 4, id: 'advance', command }
    const later = withGained(scenario, 'maya', bye, [reply(4, 'Yes.'), advance])
    expect(later[0]).toHaveProperty('gained.facts', [{ id: 'size', text: 'size', said: 'n=180', turn: null }])
  })

  it('[run-5] has the document as soon as it is handed over, and not again at the end', () => {
    const document = { title: 'Run 47', kind: 'report', lines: ['n=180'] }
    const command = { name: 'AI_HandOverDocument', document } as const
    const given: readonly NewEvent[] = [reply(3, 'Here.'), { type: 'command', turn: 3, id: command.name, command }]
    const now = withGained(scenario, 'maya', [], given)
    const told = chainEventsOf({ records: [], events: now }, 9)
    expect(told.at(-1)).toEqual({ type: 'paper', paper: document, at: 9 })
    const later = withGained(scenario, 'maya', now, [reply(4, 'Bye.'), end(['n=180'])])
    const [ended] = chainEventsOf({ records: [], events: later }, 10)
    expect(ended).toMatchObject({ type: 'ended', document: 'Run 47' })
    expect(ended).not.toHaveProperty('paper')
    expect(chainEventsOf({ records: [], events: given }, 9)).toEqual([])
  })

  it('[message-35] hands the learner over at the first end, and not again after a goodbye that was taken back', () => {
    const next = { id: 'otto', name: 'Otto', role: 'Legal', hue: 1, why: 'He knows.' }
    const told = ['AI_EndConversation', 'AI_EndConversation:2'].flatMap((id) => {
      const command = { name: 'AI_EndConversation', completion: 'forced', document: null, next } as const
      return chainEventsOf({ records: [], events: [{ type: 'command', turn: 1, id, command }] }, 9)
    })
    expect(told.map((event) => event.type === 'ended' && event.next)).toEqual([{ npc: 'otto', why: 'He knows.' }, null])
  })
})
