import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import type { Request, Trace, WalkEvent } from '../../worker/core/walk/event.ts'
import { interactionLog, type InteractionLog } from '../../worker/core/walk/interaction-log.ts'
import type { LogRecord, MessageRecord } from '../../worker/core/walk/log-entry.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { miniGraph, pass, pick } from '../support/mini-graph.ts'
import { runs } from '../support/runs.ts'

/**
 * A graph with every kind of state, a behavior, a loop and two calls. In one called graph the colleague speaks; in the
 * other the colleague says nothing.
 */
const graph = miniGraph({
  entry: 'greet',
  terminal: 'close',
  terminals: { 'other@2': 'other@2/done' },
  nodes: {
    greet: {
      kind: 'speak',
      actions: ['Welcome them', 'Ask how they are'],
      exits: [pick('choose', 'ready'), pick('other@2/look', 'worried', 'mark'), pick('other@2/intro', 'tense', 'talk')],
    },
    choose: {
      kind: 'decide',
      exits: [pick('look', 'known'), pick('weigh', 'unclear'), pick('close', 'over'), pick('round', 'odd')],
    },
    round: { kind: 'decide', exits: [pick('choose', 'back'), pick('talk', 'on')] },
    look: { kind: 'recall', exits: [pass('weigh')] },
    weigh: { kind: 'reflect', exits: [pass('mark')] },
    mark: { kind: 'annotate', exits: [pass('tell')] },
    tell: { kind: 'effect', exits: [pass('talk')] },
    talk: { kind: 'speak', exits: [pick('close', 'finished'), pick('greet', 'again')] },
    close: { kind: 'speak', maxTurns: 1, selfLoop: false, exits: [pass(null)] },
    'other@2/look': { kind: 'recall', module: 'other@2', exits: [pass('other@2/done')] },
    'other@2/intro': { kind: 'speak', module: 'other@2', exits: [pick('other@2/done', 'calm')] },
    'other@2/done': { kind: 'speak', module: 'other@2', maxTurns: 1, selfLoop: false, exits: [pass(null)] },
  },
  part: {
    behaviors: [
      {
        id: 'calm-down',
        version: 1,
        triggers: ['angry'],
        mode: 'merge',
        guidelines: { navigation: [], action: ['Slow'], boundary: [] },
      },
    ],
  },
})

describe('the interaction log', () => {
  it('[log-2] has every state with its boundaries, and tells the ones before from the current one', () => {
    const { past, current } = logOf([
      moved('greet', 'choose', 100),
      moved('choose', 'weigh', 250),
      moved('weigh', 'talk', 1000),
    ])
    expect(
      past.map(({ name, kind, enteredBy, enteredAt, leftAt }) => [
        name,
        kind,
        enteredBy?.reason ?? null,
        enteredAt,
        leftAt,
      ]),
    ).toEqual([
      ['greet', 'speak', null, 0, 100],
      ['choose', 'decide', 'selected', 100, 250],
      ['weigh', 'reflect', 'selected', 250, 1000],
    ])
    expect(current).toMatchObject({ node: 'talk', name: 'talk', module: 'root@1', kind: 'speak', leftAt: null })
  })

  it('[log-2] knows a call, a return, a loop and a migration from a move, and a state by its own name', () => {
    const { past, current } = logOf([
      at(1, { type: 'called', from: 'greet', to: 'other@2/intro', returnTo: 'talk' }),
      moved('greet', 'other@2/intro', 1),
      moved('other@2/intro', 'other@2/done', 2, '2'),
      at(2, { type: 'jumpback', from: 'other@2/done', to: 'talk' }, '2'),
      moved('other@2/done', 'talk', 2, '2'),
      moved('talk', 'greet', 3, '3'),
      moved('greet', 'choose', 3, '3'),
      at(4, { type: 'internal-loop', node: 'choose' }, '3'),
      at(5, { type: 'migrated', from: 'talk', to: 'greet', version: 1 }, '4'),
    ])
    expect(
      [...past, current].map(({ name, module, enteredBy }) => `${module}: ${name}, ${enteredBy?.by ?? 'start'}`),
    ).toEqual([
      'root@1: greet, start',
      'other@2: intro, call',
      'other@2: done, move',
      'root@1: talk, jumpback',
      'root@1: greet, move',
      'root@1: choose, move',
      'root@1: talk, loop',
      'root@1: greet, migration',
    ])
  })

  it('[log-3] measures how long each state held, until now or until the end', () => {
    const moves = [moved('greet', 'choose', 100), moved('choose', 'close', 350)]
    const durations = ({ past, current }: InteractionLog) => [...past, current].map(({ durationMs }) => durationMs)
    expect(durations(logOf(moves, 1000))).toEqual([100, 250, 650])
    const end: Trace = { type: 'decision', decision: { from: 'close', to: null, reason: 'no-self-loop' } }
    expect(durations(logOf([...moves, at(400, end)], 1000))).toEqual([100, 250, 50])
    expect(durations(logOf([moved('greet', 'choose', -5)], -10))).toEqual([0, 0])
  })

  it('[log-3] a called graph that ends does not end the conversation', () => {
    const { current } = logOf(
      [
        at(10, { type: 'decision', decision: { from: 'other@2/done', to: null, reason: 'no-self-loop' } }),
        at(10, { type: 'jumpback', from: 'other@2/done', to: 'talk' }),
        moved('other@2/done', 'talk', 10),
      ],
      500,
    )
    expect(current).toMatchObject({ node: 'talk', durationMs: 490 })
  })

  it('[log-4] numbers the messages of each visit from 0, with their labels', () => {
    const { past, current } = logOf([
      said('learner', 'Hi', 1),
      said('npc', 'Hello', 2, ['warm']),
      said('learner', 'Go', 3),
      moved('greet', 'talk', 4),
      said('npc', 'So', 5),
      moved('talk', 'greet', 6),
      said('learner', 'Again', 7),
    ])
    const messages = [...past, current].map(({ entries }) =>
      entries.map((entry) => (entry.kind === 'message' ? [entry.index, entry.who, entry.text, entry.metadata] : entry)),
    )
    expect(messages).toEqual([
      [
        [0, 'learner', 'Hi', []],
        [1, 'npc', 'Hello', ['warm']],
        [2, 'learner', 'Go', []],
      ],
      [[0, 'npc', 'So', []]],
      [[0, 'learner', 'Again', []]],
    ])
  })

  it('[log-5] keeps reasoning, memories as pairs, behaviors by name, selections, decisions, what was sent and what was refused', () => {
    const brought = { talked: ['maya'], papers: [], facts: ['rate'], remembered: [] }
    const { past, current } = logOf([
      at(1, { type: 'behavior-activated', activation: 'b1', behavior: 'calm-down', mode: 'merge' }),
      at(1, { type: 'exit-selected', node: 'greet', exit: 'x', description: 'ready' }),
      moved('greet', 'look', 1),
      moved('look', 'weigh', 2),
      at(2, { type: 'thought', thought: { kind: 'recall', node: 'look', query: 'q', found: ['a', 'b'] } }),
      at(3, { type: 'thought', thought: { kind: 'reflection', node: 'weigh', text: 'they doubt it' } }),
      at(3, { type: 'thought', thought: { kind: 'annotation', node: 'unheard of', text: 'here' } }),
      moved('weigh', 'talk', 3),
      at(4, { type: 'sent', id: 's', node: 'tell', kind: 'emit-event' }),
      at(4, { type: 'action-selected', node: 'talk', action: 0 }),
      at(4, { type: 'brought', brought }),
      at(5, { type: 'decision', decision: { from: 'talk', to: 'talk', reason: 'dwell' } }),
      at(5, { type: 'report-missing' }),
      at(6, { type: 'behavior-kept', activation: 'b1' }, '2'),
      at(7, { type: 'behavior-released', activation: 'b1' }, '3'),
      at(8, { type: 'behavior-kept', activation: 'b9' }, '4'),
    ])
    expect(
      [...past, current].map(({ name, entries }) => [name, entries.map(({ at: _at, turn: _turn, ...rest }) => rest)]),
    ).toEqual([
      [
        'greet',
        [
          { kind: 'behavior', change: 'activated', activation: 'b1', behavior: 'calm-down', mode: 'merge' },
          { kind: 'exit', exit: 'x', description: 'ready' },
        ],
      ],
      ['look', [{ kind: 'memory', query: 'q', found: ['a', 'b'] }]],
      [
        'weigh',
        [
          { kind: 'reasoning', of: 'reflection', text: 'they doubt it' },
          { kind: 'reasoning', of: 'annotation', text: 'here' },
        ],
      ],
      [
        'talk',
        [
          { kind: 'sent', id: 's', effect: 'emit-event' },
          { kind: 'action', action: 0 },
          { kind: 'brought', brought },
          { kind: 'decision', from: 'talk', to: 'talk', reason: 'dwell' },
          { kind: 'remark', remark: { type: 'report-missing' } },
          { kind: 'behavior', change: 'kept', activation: 'b1', behavior: 'calm-down', mode: 'merge' },
          { kind: 'behavior', change: 'released', activation: 'b1', behavior: 'calm-down', mode: 'merge' },
          { kind: 'behavior', change: 'kept', activation: 'b9', behavior: null, mode: null },
        ],
      ],
    ])
  })

  it('[log-6] agrees with the walk, whatever is answered', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 120 }), (answers) => {
        const { records, walk } = play(answers)
        const until = 10_000
        const log = interactionLog({ graph, start: { node: 'greet', at: 0 }, records, now: until })
        const visits = [...log.past, log.current]
        expect(log.current.node).toBe(walk.node)
        for (const [i, { enteredBy }] of visits.slice(1).entries()) expect(enteredBy?.from).toBe(visits[i]?.node)
        if (!visits.some(({ enteredBy }) => enteredBy?.by === 'loop')) {
          expect(visits.map(({ node }) => node)).toEqual(walk.visits.map(({ node }) => node))
        }
        const end = walk.end ? (records.at(-1)?.at ?? 0) : until
        expect(visits.reduce((sum, { durationMs }) => sum + durationMs, 0)).toBe(end)
      }),
      { numRuns: runs('usual') },
    )
  })

  it('[log-6] every turn begins and ends at a state that speaks', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 120 }), (answers) => {
        const { records } = play(answers)
        const { turns } = interactionLog({ graph, start: { node: 'greet', at: 0 }, records, now: 0 })
        for (const { path } of turns) expect(path).toMatch(/^\[A\](.* -> \[(A|other\.intro)\])?$/)
      }),
      { numRuns: runs('usual') },
    )
  })

  it('[log-6] the same walks go through every state and over every kind of boundary', () => {
    const seen = fc
      .sample(fc.array(fc.nat(1000), { minLength: 60, maxLength: 120 }), { numRuns: runs('dear') })
      .flatMap((answers) => {
        const { past, current } = interactionLog({
          graph,
          start: { node: 'greet', at: 0 },
          records: play(answers).records,
          now: 0,
        })
        return [...past, current]
      })
    expect(new Set(seen.map(({ node }) => node)).size).toBe(graph.order.length)
    expect(new Set(seen.map(({ enteredBy }) => enteredBy?.by ?? 'start'))).toEqual(
      new Set(['start', 'move', 'call', 'jumpback', 'loop']),
    )
  })
})

function at(time: number, entry: LogRecord['entry'], turn = '1'): LogRecord {
  return { at: time, turn, entry }
}

function moved(from: string, to: string, time: number, turn = '1'): LogRecord {
  return at(time, { type: 'moved', from, to, reason: 'selected' }, turn)
}

function said(who: MessageRecord['who'], text: string, time: number, metadata: readonly string[] = []): LogRecord {
  return { at: time, turn: '1', entry: { type: 'message', who, text, metadata } }
}

function logOf(records: readonly LogRecord[], now = 10_000): InteractionLog {
  return interactionLog({ graph, start: { node: 'greet', at: 0 }, records, now })
}

/**
 * Plays turns with the walker. Each number in `answers` selects the answer to one of the walker's requests. If a turn
 * is still incomplete after the last number, the turn is discarded.
 */
function play(answers: readonly number[]): { records: readonly LogRecord[]; walk: Walk } {
  const left = [...answers]
  const records: LogRecord[] = []
  let walk = startWalk(graph)
  let time = 0
  while (left.length > 0 && !walk.end) {
    const before = walk
    const turn = `t${walk.seq + 1}`
    const seq = walk.seq + 1
    const heard: LogRecord[] = [
      { at: ++time, turn, entry: { type: 'message', who: 'learner', text: 'Words.', metadata: [] } },
    ]
    let event: WalkEvent | null = { type: 'learner', turnId: turn, seq }
    while (event) {
      const taken = step(graph, walk, event)
      walk = taken.walk
      time++
      heard.push(...taken.trace.map((entry) => ({ at: time, turn, entry })))
      const [effect] = taken.effects
      if (!effect || left.length === 0) break
      const answer = left.shift() ?? 0
      if (effect.type === 'brief') {
        heard.push({ at: ++time, turn, entry: { type: 'message', who: 'npc', text: 'More words.', metadata: [] } })
        event = {
          type: 'report',
          turnId: turn,
          seq,
          report: { ...EMPTY_REPORT, node_satisfied: answer % 2 === 0 },
          quality: 'clean',
        }
      } else event = 'request' in effect ? answerTo(effect, turn, answer) : null
    }
    if (walk.open) walk = before
    else records.push(...heard)
    if (walk === before) time = records.at(-1)?.at ?? 0
  }
  return { records, walk }
}

function answerTo(request: Request, turnId: string, answer: number): WalkEvent {
  const to = { turnId, request: request.request }
  switch (request.type) {
    case 'behavior-request':
      return { type: 'behavior', ...to, behavior: answer % 3 === 0 ? (request.offered[0]?.id ?? null) : null }
    case 'selection-request': {
      const exits = request.exits.length
      const choice = answer % (exits + request.actions.length)
      return { type: 'selection', ...to, pick: choice < exits ? { exit: choice } : { action: choice - exits } }
    }
    case 'recall-request':
      return {
        type: 'memories',
        ...to,
        memories: (request.queries ?? []).map((query) => ({ query, found: [`found for ${query}`] })),
      }
    case 'reflection-request':
      return { type: 'reflection', ...to, text: 'a conclusion' }
  }
}
