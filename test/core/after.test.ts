import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeBlock } from '../../worker/core/briefing/node-block.ts'
import { nodeOf } from '../../worker/core/graph/graph.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import { EMPTY_REPORT, type Report } from '../../worker/core/reply/report.ts'
import { MOST_AFTERS, MOST_RESUMED } from '../../worker/core/walk/after.ts'
import { walkOn } from '../../worker/core/walk/engine.ts'
import type { Effect, Step } from '../../worker/core/walk/event.ts'
import { legacyGraphFor } from '../../worker/core/walk/legacy-graph.ts'
import { startLegacyWalk } from '../../worker/core/walk/legacy.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { SHIPPED_BACKBONES } from '../support/backbones.ts'
import { graphOf, sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { type Act, anyAct, anyActs, anyReport, choose, play, turn, walkTo } from '../support/walk-events.ts'
import { runs } from '../support/runs.ts'

const graph = graphOf()
const RUNS = { numRuns: runs('usual') }
const GOODBYE: Act = {
  act: 'turn',
  report: { ...EMPTY_REPORT, learner_leaving: true },
  quality: 'clean',
}

describe('a colleague who is asked after the end', () => {
  it('[walk-46] answers, and the walk stays as it ended', () => {
    fc.assert(
      fc.property(fc.array(anyAct, { minLength: 200, maxLength: 200 }), fc.array(anyReport), (acts, reports) => {
        const { walk } = play(graph, acts)
        fc.pre(walk.end !== null)
        // A fork may still be answered ([walk-12]), and the constraint taken in ([walk-49]).
        const unsaid = reports.map((report) => ({ ...report, node_satisfied: false, pivot_choice: null }))
        const { walk: asked, effects } = askAfter(walk, unsaid)
        const count = Math.min(reports.length, MOST_AFTERS)
        expect(asked).toEqual({ ...walk, seq: walk.seq + count, ...(count > 0 && { afters: count }) })
        expect(effects.map((effect) => effect.type === 'brief' && effect.node.isAfter)).toEqual(Array(count).fill(true))
      }),
      { numRuns: runs('costly') },
    )
  })

  it('[walk-49] may still take it that the constraint was taken in, once, and the objective is earned', () => {
    const technical = graphOf(sampleNpc, SHIPPED_BACKBONES[0])
    const gated = play(technical, [turn(false)], walkTo(technical, 'DECISIVE')).walk
    const ended = play(technical, [GOODBYE], gated).walk
    const asked = (walk: Walk, node_satisfied: boolean) =>
      askAfter(walk, [{ ...EMPTY_REPORT, node_satisfied }], technical)
    expect(ended.end).toMatchObject({ completion: 'forced' })
    expect(commandsIn(asked(ended, false).effects)).toEqual([])
    const earned = asked(ended, true)
    expect(commandsIn(earned.effects)).toEqual(['AI_AdvanceObjective'])
    expect(earned.walk.end).toMatchObject({ completion: 'earned' })
    expect([earned.walk.satisfied, earned.walk.forced].map((ids) => ids.includes('DECISIVE'))).toEqual([true, false])
    expect(commandsIn(asked(earned.walk, true).effects)).toEqual([])
    const [brief] = asked(ended, false).effects
    expect(brief?.type === 'brief' ? nodeBlock(brief.node) : '').toContain('"node_satisfied": true ONLY if')
    // Nobody has told the constraint to a learner who left before the gate.
    const early = play(technical, [GOODBYE], walkTo(technical, 'SURFACE')).walk
    expect(commandsIn(asked(early, true).effects)).toEqual([])
  })

  it('[walk-46] is told only to answer', () => {
    const { walk } = play(graph, [GOODBYE])
    const [effect] = askAfter(walk, [EMPTY_REPORT]).effects
    const block = effect?.type === 'brief' ? nodeBlock(effect.node) : ''
    expect(block).toContain('THE CONVERSATION IS OVER.')
    expect(block).toContain('Open nothing new, hand nothing over, ask nothing.')
    expect(block).not.toMatch(/IF NOT|NEXT|YOUR DOCUMENT|TAKING THEIR LEAVE/)
  })

  it('[walk-46] is not asked before the end, nor during a turn, nor twice in one', () => {
    const walk = startWalk(graph)
    expect(after(walk).trace).toEqual([{ type: 'ignored', event: 'learner', why: 'ended' }])
    const ended = play(graph, [GOODBYE]).walk
    const opened = after(ended).walk
    expect(after(opened).trace).toEqual([{ type: 'ignored', event: 'learner', why: 'turn-open' }])
    expect(step(graph, opened, { type: 'resume' }).walk).toBe(opened)
    expect(play(graph, [choose('a')], opened).walk).toBe(opened)
  })

  it('[walk-46] [legacy-12] answers on the count-based engine too', () => {
    const counted = legacyGraphFor(sampleScenario, sampleNpc)
    let walk = startLegacyWalk(counted)
    for (let i = 0; i < 6; i += 1) walk = exchange(walk, walk.seq + 1)
    expect(walk.end).not.toBeNull()
    expect(exchange(walk, walk.seq + 1)).toBe(walk)
    const asked = exchange(walk, walk.seq + 1, true)
    expect(asked).toEqual({ ...walk, seq: 7, afters: 1 })
    expect(walkOn(counted, walk, { type: 'resume' }).walk).toBe(walk)

    function exchange(from: Walk, seq: number, isAfter = false): Walk {
      const opened = walkOn(counted, from, { type: 'learner', turnId: 't', seq, ...(isAfter && { isAfter }) }).walk
      return walkOn(counted, opened, { type: 'report', turnId: 't', seq, report: EMPTY_REPORT, quality: 'clean' }).walk
    }
  })
})

describe('a goodbye that is taken back', () => {
  it('[walk-47] leads back to where the walk was left', () => {
    fc.assert(
      fc.property(anyActs, (acts) => {
        const { walk } = play(graph, acts)
        const left = play(graph, [GOODBYE], walk).walk
        fc.pre(walk.end === null && left.end?.isLeft === true && walk.pivots[walk.node]?.state !== 'chosen')
        const back = step(graph, left, { type: 'resume' }).walk
        if (left.stall >= graph.policy.stallBackstop) {
          expect(back).toBe(left)
          return
        }
        expect(back).toMatchObject({ node: walk.node, stack: walk.stack, visits: left.visits, end: null, open: null })
        expect(back.turns).toBe(walk.turns + 1)
        expect(play(graph, [turn(true)], back).walk.seq).toBe(walk.seq + 2)
      }),
      RUNS,
    )
  })

  it('[walk-47] goes on past a fork that was answered with the goodbye, and puts an open one again', () => {
    const asked = play(graph, [turn(false)], walkTo(graph, 'PIVOT_1')).walk
    const answered = play(graph, [{ ...GOODBYE, report: { ...GOODBYE.report, pivot_choice: 'own' } }], asked).walk
    const past = step(graph, answered, { type: 'resume' }).walk
    expect(past.node).toBe(nodeOf(graph, 'PIVOT_1').exits.at(-1)?.to)
    expect(past.satisfied).toContain('PIVOT_1')

    const open = step(graph, play(graph, [GOODBYE], asked).walk, { type: 'resume' }).walk
    const { effects } = play(graph, [turn(false)], open)
    expect(effects).toContainEqual(expect.objectContaining({ id: 'AI_PivotMoment:PIVOT_1:2' }))
  })

  it('[walk-47] [walk-23] gives each ending its own command, and nothing out twice', () => {
    fc.assert(
      fc.property(fc.array(anyAct, { minLength: 200, maxLength: 200 }), (acts) => {
        const { walk, effects, endings } = playOn(acts)
        const ids = effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : []))
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.filter((id) => id.startsWith('AI_EndConversation'))).toHaveLength(endings)
        expect(ids.at(-1)).toMatch(/^AI_EndConversation/)
        expect(ids.includes('AI_HandOverDocument') && ids.indexOf('AI_HandOverDocument') > firstEnd(ids)).toBe(false)
        expect(walk.end?.completion === 'earned').toBe(ids.some((id) => id.startsWith('AI_AdvanceObjective')))
      }),
      RUNS,
    )
  })

  it('[walk-47] [walk-3] happens at most twice, and every walk ends', () => {
    const bound = (MOST_RESUMED + 1) * verifyGraph(graph).longest.exchanges
    fc.assert(
      fc.property(fc.array(anyAct, { minLength: 200, maxLength: 200 }), (acts) => {
        const { walk, endings } = playOn(acts)
        fc.pre(acts.filter(({ act }) => act === 'turn').length >= bound)
        expect(walk.end).not.toBeNull()
        expect(walk.seq).toBeLessThanOrEqual(bound)
        expect(endings).toBeLessThanOrEqual(MOST_RESUMED + 1)
      }),
      RUNS,
    )
  })

  it('[walk-47] is only for a conversation that the learner left', () => {
    for (const walk of [startWalk(graph), play(graph, Array(200).fill(turn(false))).walk]) {
      const { trace, walk: same } = step(graph, walk, { type: 'resume' })
      expect(trace).toEqual([{ type: 'ignored', event: 'resume', why: 'not-left' }])
      expect(same).toBe(walk)
    }
  })

  /**
   * Plays the learner's acts. After each act, the learner comes back if the conversation has ended and the walker
   * allows it.
   */
  function playOn(acts: readonly Act[]): { walk: Walk; effects: Effect[]; endings: number } {
    let walk = startWalk(graph)
    let endings = 0
    const effects: Effect[] = []
    for (const act of acts) {
      const played = play(graph, [act], walk)
      if (walk.end === null && played.walk.end !== null) endings += 1
      // Copies the walk through JSON, because a session stores the walk between two turns.
      walk = JSON.parse(JSON.stringify(step(graph, played.walk, { type: 'resume' }).walk)) as Walk
      effects.push(...played.effects)
    }
    return { walk, effects, endings }
  }

  function firstEnd(ids: readonly string[]): number {
    return ids.findIndex((id) => id.startsWith('AI_EndConversation'))
  }
})

function after(walk: Walk, on = graph): Step {
  return step(on, walk, { type: 'learner', turnId: 'after', seq: walk.seq + 1, isAfter: true })
}

function askAfter(ended: Walk, reports: readonly Report[], on = graph): { walk: Walk; effects: Effect[] } {
  let walk = ended
  const effects: Effect[] = []
  for (const report of reports) {
    const opened = after(walk, on)
    const at = { turnId: 'after', seq: walk.seq + 1 }
    const closed = step(on, opened.walk, { type: 'report', ...at, report, quality: 'clean' })
    effects.push(...opened.effects, ...closed.effects)
    walk = closed.walk
  }
  return { walk, effects }
}

function commandsIn(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => (effect.type === 'command' ? [effect.command.name] : []))
}
