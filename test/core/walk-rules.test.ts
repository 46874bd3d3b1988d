import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PivotNode } from '../../worker/core/graph/graph.ts'
import { DEFAULT_POLICY } from '../../worker/core/graph/policy.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { matchChoice, pickedBy } from '../../worker/core/walk/match-choice.ts'
import { levelOf, moved } from '../../worker/core/walk/relationship.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk } from '../../worker/core/walk/walk.ts'
import { onward, speakingNode, withBranch, withNode } from '../support/edit-graph.ts'
import { graphOf, sampleNpc } from '../support/sample-scenario.ts'
import { tell } from '../support/state-events.ts'
import {
  action,
  annotation,
  choice,
  decision,
  guarded,
  sideEffect,
  stateGraph,
  terminal,
} from '../support/state-graph.ts'
import { choose, play, question, turn, walkTo } from '../support/walk-events.ts'

const graph = graphOf()

describe('a report', () => {
  it.each([
    [2, 2],
    [99, 2],
    [-99, -2],
    [Number.NaN, 0],
    [1, 1],
  ])('[walk-10] an engagement of %d moves the relationship by %d', (score, by) => {
    expect(play(graph, [turn(true, false, score)]).walk.relationship.score).toBe(by)
  })

  it('[walk-10] the relationship moves before the exits are looked at', () => {
    const forked = withBranch(graph, 'RESOLVE', 'GROUND', { relationship: { atLeast: 'cooperative' } })
    const at = { ...walkTo(graph, 'RESOLVE'), relationship: { score: 7, level: 'neutral' as const } }
    expect(play(forked, [turn(true, false, 1)], at).walk.node).toBe('GROUND')
    expect(play(forked, [turn(true, false, 0)], at).walk.node).toBe('CLOSE')
  })

  it('[walk-19] the branch is taken on a forced move too, and never when its condition fails', () => {
    const forked = withBranch(graph, 'RESOLVE', 'GROUND', { relationship: { atLeast: 'cooperative' } })
    const warm = { ...walkTo(graph, 'RESOLVE'), relationship: { score: 12, level: 'cooperative' as const } }
    expect(play(forked, [turn(false), turn(false)], warm).walk.node).toBe('GROUND')
    const cold = { ...warm, relationship: { score: 0, level: 'neutral' as const } }
    expect(play(forked, [turn(false), turn(false)], cold).walk.node).toBe('CLOSE')
  })

  it('[walk-11] forgives one unsatisfied detour in a visit, which costs no dwell and counts as stall', () => {
    const at = walkTo(graph, 'SURFACE')
    const once = play(graph, [turn(false, true)], at)
    expect(reasons(once)).toEqual(['detour-grace'])
    expect([once.walk.turns, once.walk.stall]).toEqual([0, 1])
    expect(reasons(play(graph, [turn(false, true)], once.walk))).toEqual(['dwell'])
  })

  it('[walk-11] a detour that satisfies the node advances like any other turn', () => {
    expect(reasons(play(graph, [turn(true, true)], walkTo(graph, 'DEEPEN')))).toEqual(['satisfied'])
  })

  it('[walk-12] a pivot is put twice, and passes without a choice, as forced and without effect', () => {
    const at = walkTo(graph, 'PIVOT_1')
    const played = play(graph, [turn(true), turn(true), turn(true)], at)
    expect(reasons(played)).toEqual(['pivot-armed', 'pivot-asked', 'pivot-passed'])
    expect(played.walk.node).toBe('DECISIVE')
    expect(played.walk.forced).toContain('PIVOT_1')
    expect(played.walk.relationship).toEqual(at.relationship)
  })

  it('[walk-13] a gate holds whatever the turns, and becomes blunter after its turns', () => {
    const wordings: boolean[] = []
    let walk = walkTo(graph, 'DECISIVE')
    for (let i = 0; i < 5; i++) {
      const played = play(graph, [turn(false)], walk)
      const brief = played.effects.find(({ type }) => type === 'brief')
      if (brief?.type === 'brief') wordings.push(brief.node.escalated)
      expect(reasons(played)).toEqual(['gate-hold'])
      walk = played.walk
    }
    expect(wordings).toEqual([false, false, true, true, true])
  })

  it('[walk-13] what was satisfied in the turn before does not open a gate', () => {
    const at = walkTo(graph, 'DECISIVE')
    expect(play(graph, [turn(false), turn(false)], { ...at, satisfied: [...at.satisfied] }).walk.node).toBe('DECISIVE')
  })

  it('[walk-17] a node that may not stay moves on as forced', () => {
    const hurried = withNode(graph, 'SURFACE', { selfLoop: false })
    const played = play(hurried, [turn(false)], walkTo(graph, 'SURFACE'))
    expect(reasons(played)).toEqual(['no-self-loop'])
    expect(played.walk.forced).toContain('SURFACE')
  })

  it('[walk-18] a gate that has said all it has closes the conversation, and the objective is not earned', () => {
    const held = Array.from({ length: 6 }, () => turn(false))
    const closed = play(graph, held, walkTo(graph, 'DECISIVE'))
    expect(reasons(closed)).toEqual([...Array<string>(5).fill('gate-hold'), 'backstop'])
    expect([closed.walk.node, closed.walk.end]).toEqual(['DECISIVE', { completion: 'forced' }])
    expect(commandIds(closed)).toEqual(['AI_EndConversation'])
  })

  it('[walk-13] shows nobody the door with a question on their lips, for three exchanges', () => {
    const asked = (times: number) => Array.from({ length: times }, () => question)
    const held = Array.from({ length: 5 }, () => turn(false))
    const at = walkTo(graph, 'DECISIVE')
    const then = play(graph, [...held, ...asked(2), turn(false)], at)
    expect(reasons(then)).toEqual([...Array<string>(7).fill('gate-hold'), 'backstop'])
    expect(reasons(play(graph, [...held, ...asked(5)], at))).toEqual([
      ...Array<string>(8).fill('gate-hold'),
      'backstop',
    ])
    expect(reasons(play(graph, [...held, ...asked(1), turn(true)], at)).at(-1)).toBe('satisfied')
  })

  it('[walk-18] six exchanges without a move lead to CLOSE, and the objective is not earned', () => {
    const patient = withNode(graph, 'DECISIVE', { stay: [] })
    const at = walkTo(patient, 'DECISIVE')
    const stalled = play(
      patient,
      Array.from({ length: 6 }, () => turn(false)),
      at,
    )
    expect(reasons(stalled)).toEqual([...Array<string>(5).fill('gate-hold'), 'backstop'])
    expect(stalled.walk.node).toBe('CLOSE')
    const ended = play(graph, [turn(true)], stalled.walk)
    expect(ended.walk.end).toEqual({ completion: 'forced' })
    expect(commandIds(ended)).toEqual(['AI_EndConversation'])
  })

  it('[walk-18] satisfied at the sixth exchange, the gate opens as if nothing had been the matter', () => {
    const at = walkTo(graph, 'DECISIVE')
    const acts = [...Array.from({ length: 5 }, () => turn(false)), turn(true)]
    expect(reasons(play(graph, acts, at)).at(-1)).toBe('satisfied')
  })

  it('[walk-17] but never before its least number of turns', () => {
    const patient = withNode(graph, 'GROUND', { minTurns: 2, maxTurns: 2, selfLoop: false })
    expect(play(patient, [turn(false)]).walk).toMatchObject({ node: 'GROUND', turns: 1 })
    expect(play(patient, [turn(false), turn(false)]).walk).toMatchObject({ node: 'SURFACE', forced: ['GROUND'] })
  })

  it('[walk-18] a gate that opens in the sixth waits for nobody where nothing can be chosen', () => {
    const exits = onward('PIVOT_2').map((exit) => ({
      ...exit,
      when: { relationship: { atLeast: 'trusting' } } as const,
    }))
    const closed = withNode(graph, 'DECISIVE', { exits, stay: [] })
    const held = [...Array.from({ length: 5 }, () => turn(false)), turn(true)]
    const { walk } = play(closed, held, walkTo(graph, 'DECISIVE'))
    expect([walk.node, walk.isCutShort, walk.satisfied.includes('DECISIVE')]).toEqual(['CLOSE', true, false])
  })

  it('[walk-15] [walk-7] a gate that is satisfied twice before it may be left counts once', () => {
    const exits = onward('PIVOT_2').map((exit) => ({
      ...exit,
      when: { relationship: { atLeast: 'trusting' } } as const,
    }))
    const closed = withNode(graph, 'DECISIVE', { exits })
    const { walk } = play(closed, [turn(true), turn(true)], walkTo(graph, 'DECISIVE'))
    expect([walk.node, walk.satisfied.filter((id) => id === 'DECISIVE')]).toEqual(['DECISIVE', ['DECISIVE']])
  })

  it('[walk-23] [walk-35] what the last turn sends goes out before the end is told', () => {
    const sending = stateGraph({
      nodes: [action('greet', [choice('tell')]), sideEffect('tell', guarded('end_session')), terminal()],
    })
    const { effects } = tell(sending, startWalk(sending), { picks: [{ exit: 0 }] })
    const given = effects.flatMap((effect) => ('id' in effect ? [effect.id] : []))
    expect(given).toEqual([expect.stringMatching(/^send:/), 'AI_AdvanceObjective:talk', 'AI_EndConversation'])
  })

  it('[walk-23] a gate that was led past leaves the objective unearned, and one that the last reply satisfies does not', () => {
    const past = withNode(graph, 'DEEPEN', { exits: onward('RESOLVE') })
    const skipped = play(past, [turn(true)], walkTo(past, 'CLOSE')).walk
    expect([skipped.isCutShort, skipped.end]).toEqual([false, { completion: 'forced' }])
    const gated = withNode(graph, 'CLOSE', { isGate: true })
    expect(play(gated, [turn(true)], walkTo(gated, 'CLOSE')).walk.end).toEqual({ completion: 'earned' })
  })

  it('[walk-30] [walk-7] what was left by a choice, passed or returned from counts as satisfied', () => {
    const calling = stateGraph({
      nodes: [
        action('greet', [choice('sub@1/note', 'call', 'hub')]),
        action('hub', [choice('end_session')]),
        terminal(),
        annotation('sub@1/note', guarded('sub@1/done')),
        terminal('sub@1/done'),
      ],
      modules: { 'sub@1': { terminal: 'sub@1/done' } },
    })
    const { walk } = tell(calling, startWalk(calling), { picks: [{ exit: 0 }, { action: 0 }] })
    expect([walk.node, walk.satisfied, walk.forced]).toEqual(['hub', ['greet', 'sub@1/note', 'sub@1/done'], []])
  })

  it('[walk-32] a reply that leads into a loop leaves no fork open where there is none', () => {
    const looping = stateGraph({
      nodes: [
        action('greet', [guarded('one')], { maxTurns: 1, selfLoop: false, actions: ['greet'] }),
        annotation('one', guarded('two')),
        annotation('two', guarded('one')),
        terminal(),
      ],
    })
    const { walk, trace } = tell(looping, startWalk(looping))
    expect(trace.map(({ type }) => type)).toContain('internal-loop')
    expect([walk.node, walk.pivots, walk.thoughts]).toEqual(['greet', {}, []])
  })

  it('[walk-33] what is decided unheard is none of the three exits that may be chosen in a turn', () => {
    const deciding = stateGraph({
      nodes: [
        action('greet', [choice('one')]),
        decision('one', [choice('two')]),
        decision('two', [choice('three')]),
        decision('three', [choice('hub')]),
        action('hub', [choice('end_session')]),
        terminal(),
      ],
    })
    const { walk } = tell(deciding, startWalk(deciding), { picks: Array.from({ length: 5 }, () => ({ exit: 0 })) })
    expect(walk.end).toEqual({ completion: 'earned' })
  })

  it('[walk-20] [walk-12] a number picks nothing before the fork is put', () => {
    const at = walkTo(graph, 'PIVOT_1')
    expect(pickedBy('1', graph, at)).toBeNull()
    expect(pickedBy('1', graph, play(graph, [turn(false)], at).walk)).toEqual({ pivot: 'PIVOT_1', choice: 'a' })
  })

  it('[walk-20] [walk-33] a fork is left by its cards and by waiting, never by a choice of exit', () => {
    const { pivot } = speakingNode(graph, 'PIVOT_1') as PivotNode
    const fork = { ...action('greet', [choice('end_session'), guarded('end_session')]), kind: 'pivot', pivot } as const
    const forked = stateGraph({ nodes: [fork, terminal()] })
    const { effects } = tell(forked, startWalk(forked))
    expect(effects.flatMap((effect) => (effect.type === 'selection-request' ? effect.exits : []))).toEqual([])
  })

  it('[walk-5] what was done in a node is of that visit', () => {
    const talking = stateGraph({
      nodes: [action('greet', [choice('hub')]), action('hub', [choice('end_session')]), terminal()],
    })
    const first = tell(talking, startWalk(talking), { picks: [{ action: 1 }] }).walk
    const second = tell(talking, first, { picks: [{ exit: 0 }, { action: 0 }] }).walk
    expect([first.engaged, second.node, second.engaged]).toEqual([[1], 'hub', [0]])
  })

  it('[walk-24] at the end what a report claims of it is no overreach', () => {
    const claims = { ...EMPTY_REPORT, objective_complete: 'launch-risk', is_conversation_complete: true }
    const { trace } = play(graph, [{ act: 'turn', report: claims, quality: 'clean' }], walkTo(graph, 'CLOSE'))
    expect(trace.filter(({ type }) => type === 'overreach')).toEqual([])
  })

  it('[walk-24] claims beyond its part are traced and change nothing', () => {
    const report = {
      ...EMPTY_REPORT,
      objective_complete: 'launch-risk',
      is_conversation_complete: true,
      emotional_state: 'trusting',
    }
    const played = play(graph, [{ act: 'turn', report, quality: 'clean' }])
    expect(played.trace.map(({ type }) => type)).toEqual([
      'decision',
      'overreach',
      'overreach',
      'mood-mismatch',
      'moved',
    ])
    expect(played.walk).toEqual(play(graph, [turn(false)]).walk)
    expect(commandIds(played)).toEqual([])
  })

  it('[walk-24] a report that is missing is traced', () => {
    const played = play(graph, [{ act: 'turn', report: EMPTY_REPORT, quality: 'missing' }])
    expect(played.trace.map(({ type }) => type)).toEqual(['decision', 'report-missing', 'moved'])
  })
})

describe('a choice', () => {
  const armed = play(graph, [turn(false)], walkTo(graph, 'PIVOT_1')).walk

  it('[walk-20] applies its mood, counts the pivot as satisfied and moves on', () => {
    const { walk } = play(graph, [choose('b')], armed)
    expect(walk.node).toBe('DECISIVE')
    expect(walk.satisfied).toContain('PIVOT_1')
    expect(walk.relationship.score - armed.relationship.score).toBe(-4)
    expect(walk.pivots['PIVOT_1']).toEqual({ state: 'chosen', choice: 'b' })
  })

  it.each([
    ['before arming', walkTo(graph, 'PIVOT_1'), { node: 'PIVOT_1', choice: 'a' }, 'not-armed'],
    ['twice', play(graph, [choose('a')], armed).walk, { node: 'PIVOT_1', choice: 'a' }, 'not-here'],
    ['for another node', armed, { node: 'PIVOT_2', choice: 'a' }, 'not-here'],
    ['that is not there', armed, { node: 'PIVOT_1', choice: '__proto__' }, 'no-such-choice'],
    [
      'while a reply is spoken',
      step(graph, armed, { type: 'learner', turnId: 'x', seq: armed.seq + 1 }).walk,
      { node: 'PIVOT_1', choice: 'a' },
      'turn-open',
    ],
  ] as const)('[walk-20] %s is ignored and traced', (_, walk, pick, why) => {
    const taken = step(graph, walk, { type: 'pivot-choice', ...pick })
    expect(taken.walk).toBe(walk)
    expect(taken.trace).toEqual([{ type: 'ignored', event: 'pivot-choice', why }])
  })

  it.each([
    ['1', 'a'],
    [' 2 ', 'b'],
    ['2.', 'b'],
    ['what you really think', 'a'],
    ['WHAT YOU REALLY THINK.', 'a'],
    ['3', null],
    ['0', null],
    ['12', null],
    ['', null],
    ['?!', null],
    ['tell me what you really think', null],
    ['no', null],
  ])('[walk-20] the message %j picks %j', (text, choice) => {
    const [pivot] = sampleNpc.pivots
    if (!pivot) throw new Error('no pivot')
    expect(matchChoice(text, pivot)).toBe(choice)
  })
})

describe('an overlay', () => {
  it('[walk-22] is shown in one turn and not in the next', () => {
    const warm = { ...walkTo(graph, 'RESOLVE'), relationship: { score: 12, level: 'cooperative' as const } }
    const again = play(graph, [turn(false), turn(false, true)], warm)
    const shown = again.effects.map((effect) => effect.type === 'brief' && effect.node.overlay !== null)
    expect(shown).toEqual([true, false])
  })
})

describe('the relationship', () => {
  it.each([
    [-30, 'hostile'],
    [-10, 'hostile'],
    [-9, 'guarded'],
    [-4, 'guarded'],
    [-3, 'neutral'],
    [0, 'neutral'],
    [7, 'neutral'],
    [8, 'cooperative'],
    [17, 'cooperative'],
    [18, 'trusting'],
    [30, 'trusting'],
  ])('[walk-25] a score of %d is %s', (score, level) => {
    expect(levelOf(score, DEFAULT_POLICY.relationship)).toBe(level)
  })

  it('[walk-25] the score stays in its bounds and the level follows it upwards', () => {
    fc.assert(
      fc.property(fc.array(fc.double()), (deltas) => {
        const policy = DEFAULT_POLICY.relationship
        let at = startWalk(graph).relationship
        for (const delta of deltas) {
          const next = moved(at, delta, policy)
          expect(next.score).toBeGreaterThanOrEqual(-30)
          expect(next.score).toBeLessThanOrEqual(30)
          const rank = (level: string) => policy.levels.findIndex((step) => step.level === level)
          if (next.score > at.score) expect(rank(next.level)).toBeGreaterThanOrEqual(rank(at.level))
          at = next
        }
      }),
    )
  })
})

function reasons(played: ReturnType<typeof play>): readonly string[] {
  return played.trace.flatMap((entry) => (entry.type === 'decision' ? [entry.decision.reason] : []))
}

function commandIds(played: ReturnType<typeof play>): readonly string[] {
  return played.effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : []))
}
