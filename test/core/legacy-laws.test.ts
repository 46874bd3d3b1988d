import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginWalk, walkOn } from '../../worker/core/walk/engine.ts'
import type { WalkEvent } from '../../worker/core/walk/event.ts'
import { legacyGraphFor } from '../../worker/core/walk/legacy-graph.ts'
import type { Walk } from '../../worker/core/walk/walk.ts'
import { deepFreeze } from '../../worker/deep-freeze.ts'
import { commandIds, playOn } from '../support/engine-play.ts'
import { graphOf, sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { type Act, anyAct, anyActs, eventsOf } from '../support/walk-events.ts'
import { runs } from '../support/runs.ts'

const graph = legacyGraphFor(sampleScenario, sampleNpc)
const start = beginWalk('legacy', graph)
const play = (acts: readonly Act[], from: Walk = start) => playOn(graph, acts, from)
const RUNS = { numRuns: runs('usual') }

describe('laws of the count-based engine', () => {
  it('[legacy-2] the visits are the phases by count, and the pointer is where the next exchange belongs', () => {
    const phases = ['PHASE_1', 'PHASE_2', 'PHASE_2', 'PHASE_3', 'PHASE_3', 'PHASE_4']
    fc.assert(
      fc.property(anyActs, (acts) => {
        const { walk } = play(acts)
        const told = walk.visits.flatMap(({ node, exchanges }) => Array.from({ length: exchanges }, () => node))
        expect(told).toEqual(phases.slice(0, walk.seq))
        if (!walk.end) expect(walk.node).toBe(phases[walk.seq])
        expect(walk.visits.at(-1)?.node).toBe(walk.node)
      }),
      RUNS,
    )
  })

  it('[legacy-9] commands are given out once, the end last, the objective exactly when it was earned', () => {
    fc.assert(
      fc.property(anyActs, (acts) => {
        const played = play(acts)
        const ids = commandIds(played)
        expect(ids).toEqual(played.walk.emitted)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.includes('AI_EndConversation')).toBe(played.walk.end !== null)
        if (!played.walk.end) return
        expect(ids.at(-1)).toBe('AI_EndConversation')
        const isEarned = played.walk.end.completion === 'earned'
        expect(ids.includes('AI_AdvanceObjective:launch-risk')).toBe(isEarned)
      }),
      RUNS,
    )
  })

  it('[legacy-10] the same walk and event give the same result, nothing given is changed, and a stored walk goes on the same', () => {
    fc.assert(
      fc.property(anyActs, (acts) => {
        let folded = start
        for (const { event, step } of play(acts).steps) {
          const stored = deepFreeze(JSON.parse(JSON.stringify(folded)) as Walk)
          const again = walkOn(deepFreeze(structuredClone(graph)), stored, deepFreeze(structuredClone(event)))
          expect(again).toEqual(step)
          folded = again.walk
        }
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[legacy-11] six exchanges are the most there can be', () => {
    fc.assert(
      fc.property(fc.array(anyAct, { minLength: 40, maxLength: 40 }), (acts) => {
        const { walk } = play(acts)
        expect(walk.seq).toBeLessThanOrEqual(6)
        if (acts.filter(({ act }) => act === 'turn').length >= 6) expect(walk.end).not.toBeNull()
      }),
      RUNS,
    )
  })

  it('[legacy-12] an ended walk stays as it is', () => {
    fc.assert(
      fc.property(fc.array(anyAct, { minLength: 40, maxLength: 40 }), anyActs, (acts, late) => {
        const { walk } = play(acts)
        fc.pre(walk.end !== null)
        const after = play(late, walk)
        expect(after.walk).toBe(walk)
        expect(after.effects).toEqual([])
        expect(after.trace.every((entry) => entry.type === 'ignored' && why(entry.why))).toBe(true)
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[legacy-12] a second time, out of order or under another name changes nothing', () => {
    fc.assert(
      fc.property(anyActs, anyAct, fc.integer({ min: -3, max: 3 }), (acts, act, shift) => {
        const { walk } = play(acts)
        for (const [i, event] of eventsOf(act, walk).entries()) {
          if (event.type !== 'learner' && event.type !== 'report') continue
          const opened = i === 0 ? walk : walkOn(graph, walk, eventsOf(act, walk)[0] ?? event).walk
          const taken = walkOn(graph, opened, event).walk
          expect(walkOn(graph, taken, event).walk).toBe(taken)
          if (shift !== 0) expect(walkOn(graph, opened, { ...event, seq: event.seq + shift }).walk).toBe(opened)
          if (event.type === 'report') expect(walkOn(graph, opened, { ...event, turnId: 'other' }).walk).toBe(opened)
        }
      }),
      RUNS,
    )
  })

  it('[legacy-12] answers to requests it never made are ignored', () => {
    const open = walkOn(graph, start, { type: 'learner', turnId: 't1', seq: 1 }).walk
    const at = { turnId: 't1', request: 't1:1' }
    const answers: readonly WalkEvent[] = [
      { type: 'behavior', ...at, behavior: null },
      { type: 'selection', ...at, pick: { action: 0 } },
      { type: 'memories', ...at, memories: [] },
      { type: 'reflection', ...at, text: 'so it is' },
    ]
    for (const event of answers) {
      expect(walkOn(graph, open, event)).toEqual({
        walk: open,
        effects: [],
        trace: [{ type: 'ignored', event: event.type, why: 'no-such-request' }],
      })
    }
  })

  it('[legacy-13] each walk keeps its engine, and both give out briefings and commands only', () => {
    const walked = graphOf()
    fc.assert(
      fc.property(anyActs, (acts) => {
        const counted = play(acts)
        const guided = playOn(walked, acts, beginWalk('graph', walked))
        expect([counted.walk.engine, guided.walk.engine]).toEqual(['legacy', 'graph'])
        expect(guided.walk.visits[0]?.node).toBe('GROUND')
        for (const { effects, steps } of [counted, guided]) {
          expect(effects.every(({ type }) => type === 'brief' || type === 'command')).toBe(true)
          for (const { event, step } of steps) {
            const asked = step.effects.filter(({ type }) => type === 'brief').length
            expect(asked).toBe(event.type === 'learner' && step.trace.length === 0 ? 1 : 0)
          }
        }
      }),
      RUNS,
    )
  })
})

function why(reason: string): boolean {
  return reason === 'ended' || reason === 'no-such-turn'
}
