import { describe, expect, it } from 'vitest'
import { lint } from '../../worker/core/graph/lint.ts'
import { EMPTY_REPORT, type Report } from '../../worker/core/reply/report.ts'
import { beginWalk, walkOn } from '../../worker/core/walk/engine.ts'
import { legacyGraphFor } from '../../worker/core/walk/legacy-graph.ts'
import type { Walk } from '../../worker/core/walk/walk.ts'
import { briefs, commandIds, playOn } from '../support/engine-play.ts'
import { sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { type Act, choose, turn } from '../support/walk-events.ts'

const graph = legacyGraphFor(sampleScenario, sampleNpc)
const start = beginWalk('legacy', graph)
const play = (acts: readonly Act[], from: Walk = start) => playOn(graph, acts, from)
const said = (report: Partial<Report>): Act => ({
  act: 'turn',
  report: { ...EMPTY_REPORT, ...report },
  quality: 'clean',
})
const nothing = said({})
const met = said({ objective_complete: 'launch-risk' })
const over = said({ is_conversation_complete: true })
const times = (n: number, act: Act = nothing): Act[] => Array.from({ length: n }, () => act)

describe('the count-based engine', () => {
  it('[legacy-1] has four phases, six exchanges and the content of the table', () => {
    expect(graph.order).toEqual(['PHASE_1', 'PHASE_2', 'PHASE_3', 'PHASE_4'])
    expect(graph.policy.exchangeLimit).toBe(6)
    const nodes = graph.order.map((id) => graph.nodes[id])
    expect(nodes.map((node) => node?.kind)).toEqual(['speak', 'pivot', 'pivot', 'speak'])
    expect(nodes.map((node) => (node?.kind === 'pivot' ? node.pivot.id : null))).toEqual([null, 'p1', 'p2', null])
    expect(nodes.map((node) => (node && 'content' in node ? node.content.map(({ source }) => source) : []))).toEqual([
      ['greeting', 'beat1', 'what_they_know', 'decision_facts'],
      ['what_they_know', 'decision_facts'],
      ['decision_facts', 'what_they_know'],
      ['beat6', 'key_reveal', 'decision_facts', 'goal.end_condition'],
    ])
  })

  it('[legacy-1] has nothing a lint would refuse, and leaves out what a colleague does not have', () => {
    expect(lint(graph).filter(({ severity }) => severity === 'error')).toEqual([])
    const bare = { ...sampleNpc, pivots: [], keyReveal: null, knowledge: [], decisionFacts: [] }
    const least = legacyGraphFor(sampleScenario, bare)
    expect(Object.values(least.nodes).map(({ kind }) => kind)).toEqual(['speak', 'speak', 'speak', 'speak'])
    expect(playOn(least, times(6), beginWalk('legacy', least)).walk.end).toEqual({ completion: 'forced' })
    expect(least.hash).not.toBe(graph.hash)
  })

  it.each([
    ['nothing reported', times(6)],
    ['everything satisfied', times(6, turn(true))],
    ['nothing but detours', times(6, turn(false, true, -2))],
    ['every fork answered', [nothing, nothing, choose('a'), nothing, nothing, choose('b'), nothing, nothing]],
  ])('[legacy-2] with %s, the exchange says which phase it is in', (_, acts) => {
    expect(briefs(play(acts)).map(({ id }) => id)).toEqual([
      'PHASE_1',
      'PHASE_2',
      'PHASE_2',
      'PHASE_3',
      'PHASE_3',
      'PHASE_4',
    ])
  })

  it('[legacy-3] the first exchange of a phase is about its fork, and nothing is judged', () => {
    const told = briefs(play(times(6)))
    expect(told.map(({ kind }) => kind)).toEqual(['speak', 'pivot', 'speak', 'pivot', 'speak', 'speak'])
    expect(told.map(({ pivot }) => pivot?.content.id ?? null)).toEqual([null, 'p1', null, 'p2', null, null])
    expect(told[1]?.content[0]).toEqual({
      source: 'pivots[p1]',
      lines: ['Do you want the slide or what I really think?'],
    })
    expect(told.every(({ satisfyWhen, isGate, overlay }) => satisfyWhen === null && !isGate && overlay === null)).toBe(
      true,
    )
    expect(told.map(({ isTerminal }) => isTerminal)).toEqual([false, false, false, false, false, true])
    const { walk } = play(times(6, turn(true)))
    expect([walk.satisfied, walk.forced]).toEqual([[], graph.order])
  })

  it('[legacy-4] a fork is put on exchanges 2 and 4', () => {
    expect([1, 2, 3, 4, 5].map((n) => commandIds(play(times(n))))).toEqual([
      [],
      ['AI_PivotMoment:PHASE_2'],
      ['AI_PivotMoment:PHASE_2'],
      ['AI_PivotMoment:PHASE_2', 'AI_PivotMoment:PHASE_3'],
      ['AI_PivotMoment:PHASE_2', 'AI_PivotMoment:PHASE_3'],
    ])
    const [asked] = play(times(2)).effects.filter((effect) => effect.type === 'command')
    expect(asked?.command).toEqual({
      name: 'AI_PivotMoment',
      pivot: 'PHASE_2',
      question: 'Do you want the slide or what I really think?',
      choices: [
        { id: 'a', text: 'What you really think.' },
        { id: 'b', text: 'The slide will do.' },
      ],
    })
  })

  it('[legacy-4] but not with the report that ends the conversation', () => {
    expect(commandIds(play([...times(3), over]))).toEqual(['AI_PivotMoment:PHASE_2', 'AI_EndConversation'])
  })

  it('[legacy-5] a choice applies its mood and moves nothing', () => {
    const before = play(times(2)).walk
    const { walk, trace } = play([choose('a')], before)
    expect(trace).toEqual([{ type: 'decision', decision: { from: 'PHASE_2', to: 'PHASE_2', reason: 'pivot-choice' } }])
    expect(walk).toEqual({
      ...before,
      relationship: { score: 12, level: 'cooperative' },
      pivots: { PHASE_2: { state: 'chosen', choice: 'a' } },
    })
    expect(play([nothing], walk).walk.pivots).toEqual(walk.pivots)
  })

  it('[legacy-5] a choice that does not fit is ignored', () => {
    const why = (acts: readonly Act[], from = start) => {
      const { trace } = play(acts, from)
      return trace.at(-1)
    }
    const armed = play(times(2)).walk
    const ignored = (reason: string) => ({ type: 'ignored', event: 'pivot-choice', why: reason })
    expect(why([choose('a')])).toEqual(ignored('not-armed'))
    expect(why([choose('z')], armed)).toEqual(ignored('no-such-choice'))
    expect(why([choose('a'), choose('b')], armed)).toEqual(ignored('not-armed'))
    const elsewhere = walkOn(graph, armed, { type: 'pivot-choice', node: 'PHASE_3', choice: 'a' })
    expect(elsewhere.trace).toEqual([ignored('not-here')])
    const open = walkOn(graph, armed, { type: 'learner', turnId: 't3', seq: 3 }).walk
    expect(walkOn(graph, open, { type: 'pivot-choice', node: 'PHASE_2', choice: 'a' })).toEqual({
      walk: open,
      effects: [],
      trace: [ignored('turn-open')],
    })
  })

  it('[walk-9] a turn that is begun a second time stays as it was begun', () => {
    const open = walkOn(graph, start, { type: 'learner', turnId: 't1', seq: 1 }).walk
    expect(walkOn(graph, open, { type: 'learner', turnId: 't2', seq: 1 })).toEqual({
      walk: open,
      effects: [],
      trace: [{ type: 'ignored', event: 'learner', why: 'turn-open' }],
    })
  })

  it('[legacy-6] an unanswered fork lapses with the next exchange and costs nothing', () => {
    const armed = play(times(2)).walk
    expect(armed.pivots).toEqual({ PHASE_2: { state: 'armed', unanswered: 0 } })
    const open = walkOn(graph, armed, { type: 'learner', turnId: 't3', seq: 3 }).walk
    expect(open.pivots).toEqual(armed.pivots)
    const lapsed = play([nothing], armed).walk
    expect(lapsed.pivots).toEqual({ PHASE_2: { state: 'passed' } })
    expect(lapsed.relationship).toEqual(armed.relationship)
    expect(play([choose('a')], armed).walk.pivots).toEqual({ PHASE_2: { state: 'chosen', choice: 'a' } })
  })

  it('[legacy-7] the objective is earned from the third exchange on, and the talk goes on', () => {
    expect(commandIds(play([...times(2), met]))).toEqual(['AI_PivotMoment:PHASE_2', 'AI_AdvanceObjective:launch-risk'])
    expect(play([...times(2), met]).walk.end).toBeNull()
    expect(commandIds(play([...times(2), ...times(4, met)])).filter((id) => id.startsWith('AI_Adv'))).toHaveLength(1)
  })

  it('[legacy-7] a claim that is early or of something else counts for nothing and is not remembered', () => {
    for (const early of [[met], [nothing, met]]) {
      expect(play(early).trace).toContainEqual({ type: 'overreach', field: 'objective_complete' })
      const whole = play([...early, ...times(6 - early.length)])
      expect(commandIds(whole)).not.toContain('AI_AdvanceObjective:launch-risk')
      expect(whole.walk.end).toEqual({ completion: 'forced' })
    }
    const other = play([...times(2), said({ objective_complete: 'another' })])
    expect(other.trace).toContainEqual({ type: 'overreach', field: 'objective_complete' })
    expect(commandIds(other)).not.toContain('AI_AdvanceObjective:launch-risk')
  })

  it('[legacy-8] a report ends it from the third exchange on, in any phase', () => {
    for (const n of [3, 4, 5]) {
      const { walk, trace } = play([...times(n - 1), over])
      expect(walk.end).toEqual({ completion: 'forced' })
      expect(walk.isCutShort).toBe(false)
      expect(trace).toContainEqual({ type: 'decision', decision: { from: walk.node, to: null, reason: 'reported' } })
    }
    for (const early of [[over], [nothing, over]]) {
      expect(play(early).walk.end).toBeNull()
      expect(play(early).trace).toContainEqual({ type: 'overreach', field: 'is_conversation_complete' })
    }
  })

  it('[legacy-8] else it ends with the sixth, as earned if the objective was', () => {
    const forced = play(times(6))
    expect([forced.walk.end, forced.walk.isCutShort]).toEqual([{ completion: 'forced' }, true])
    expect(forced.trace).toContainEqual({
      type: 'decision',
      decision: { from: 'PHASE_4', to: null, reason: 'exchange-limit' },
    })
    const earned = play([...times(3), met, ...times(2)])
    expect([earned.walk.end, earned.walk.isCutShort]).toEqual([{ completion: 'earned' }, false])
    const atOnce = play([...times(2), said({ objective_complete: 'launch-risk', is_conversation_complete: true })])
    expect(atOnce.walk.end).toEqual({ completion: 'earned' })
    expect(commandIds(atOnce).slice(-2)).toEqual(['AI_AdvanceObjective:launch-risk', 'AI_EndConversation'])
  })
})
