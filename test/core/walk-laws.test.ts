import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { targetsOf, nodeOf } from '../../worker/core/graph/graph.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import type { Report } from '../../worker/core/reply/report.ts'
import type { Decision } from '../../worker/core/walk/event.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { deepFreeze } from '../../worker/deep-freeze.ts'
import { onward, speakingNode, withBranch, withNode } from '../support/edit-graph.ts'
import { graphOf } from '../support/sample-scenario.ts'
import { type Act, anyAct, anyActs, anyReport, eventsOf, play, type Played } from '../support/walk-events.ts'
import { runs } from '../support/runs.ts'

const graph = graphOf()
const RUNS = { numRuns: runs('usual') }

describe('laws of the walk', () => {
  it('[walk-1] the same walk and event give the same result, and nothing given is changed', () => {
    fc.assert(
      fc.property(anyActs, (acts) => {
        for (const { event, before, step: taken } of play(graph, acts).steps) {
          const frozen = deepFreeze(structuredClone(before))
          expect(step(deepFreeze(structuredClone(graph)), frozen, deepFreeze(structuredClone(event)))).toEqual(taken)
        }
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[walk-2] a walk is the fold of its events, and goes on the same after being stored and read', () => {
    fc.assert(
      fc.property(anyActs, (acts) => {
        const { steps, walk } = play(graph, acts)
        let folded = startWalk(graph)
        for (const { event, step: taken } of steps) {
          folded = step(graph, JSON.parse(JSON.stringify(folded)) as Walk, event).walk
          expect(folded).toEqual(taken.walk)
        }
        expect(folded).toEqual(walk)
      }),
      RUNS,
    )
  })

  it('[walk-3] every sequence of turns ends within the bound that exploration gives', () => {
    const bound = verifyGraph(graph).longest.exchanges
    fc.assert(
      fc.property(fc.array(anyAct, { minLength: 200, maxLength: 200 }), (acts) => {
        const turns = acts.filter(({ act }) => act === 'turn')
        const { walk } = play(graph, acts)
        expect(walk.seq).toBeLessThanOrEqual(bound)
        if (turns.length >= bound) expect(walk.end).not.toBeNull()
      }),
      RUNS,
    )
  })

  it('[walk-4] only the fields that the walker reads can change the walk', () => {
    fc.assert(
      fc.property(anyActs, anyReport, anyReport, (acts, one, other) => {
        const { walk } = play(graph, acts)
        const same: Report = {
          ...other,
          node_satisfied: one.node_satisfied,
          engagement_score: one.engagement_score,
          detour_detected: one.detour_detected,
          went_on: one.went_on,
          pivot_choice: one.pivot_choice,
          learner_leaving: one.learner_leaving,
          document_given: one.document_given,
        }
        expect(play(graph, [report(one)], walk).walk).toEqual(play(graph, [report(same)], walk).walk)
      }),
      RUNS,
    )
  })

  it('[walk-4] a detour changes nothing when satisfied; unsatisfied it can only keep the pointer where it is', () => {
    fc.assert(
      fc.property(anyActs, anyReport, (acts, any) => {
        const { walk } = play(graph, acts)
        // This rule does not hold at a fork. There, an exchange without a detour counts as another time that the
        // colleague asked the fork's question; an exchange with a detour does not count.
        if (nodeOf(graph, walk.node).kind === 'pivot') return
        const after = (detour: boolean, satisfied: boolean) =>
          play(graph, [report({ ...any, detour_detected: detour, node_satisfied: satisfied })], walk).walk
        expect(after(true, true)).toEqual(after(false, true))
        const [with_, without] = [after(true, false), after(false, false)]
        if (with_.isCutShort || without.isCutShort) return
        if (with_.node !== without.node || (with_.end === null) !== (without.end === null)) {
          expect(with_.node).toBe(walk.node)
          expect(with_.graceUsed).toBe(walk.graceUsed + 1)
        }
      }),
      RUNS,
    )
  })

  it('[walk-5] every pointer move starts the counters again, and no other step does', () => {
    everyStep(({ before, after }) => {
      const spent = after.visits.at(-1)?.exchanges ?? 0
      if (after.visits.length > before.visits.length)
        expect([after.turns, after.graceUsed, after.stall]).toEqual([spent, 0, spent])
      const here = after.visits.at(-1)?.exchanges ?? 0
      expect(after.turns + after.graceUsed).toBe(here)
      expect(after.stall).toBe(here)
    })
  })

  it('[walk-6] visits are joined by exits or the backstop, and the last is where the pointer is', () => {
    everyPlay(({ walk, trace }) => {
      expect(walk.visits.at(-1)?.node).toBe(walk.node)
      const moves = decisionsIn(trace).filter(({ from, to }) => to !== from && to !== null)
      expect(moves.map(({ to }) => to)).toEqual(walk.visits.slice(1).map(({ node }) => node))
      for (const { from, to, reason } of moves) {
        if (reason === 'backstop') expect(to).toBe(graph.terminal)
        else expect(targetsOf(nodeOf(graph, from))).toContain(to)
      }
    })
  })

  it('[walk-7] no node is both satisfied and forced, and both were visited', () => {
    everyPlay(({ walk }) => {
      const visited = walk.visits.map(({ node }) => node)
      expect(walk.satisfied.filter((id) => walk.forced.includes(id))).toEqual([])
      expect([...walk.satisfied, ...walk.forced].every((id) => visited.includes(id))).toBe(true)
    })
  })

  it('[walk-8] an ended walk stays as it is', () => {
    fc.assert(
      fc.property(fc.array(anyAct, { minLength: 200, maxLength: 200 }), anyActs, (acts, late) => {
        const { walk } = play(graph, acts)
        fc.pre(walk.end !== null)
        const after = play(graph, late, walk)
        expect(after.walk).toBe(walk)
        expect(after.effects).toEqual([])
        expect(after.trace.every(({ type }) => type === 'ignored')).toBe(true)
      }),
      { numRuns: runs('costly') },
    )
  })

  it('[walk-9] a second time, out of order or under another name changes nothing', () => {
    fc.assert(
      fc.property(anyActs, anyAct, fc.integer({ min: -3, max: 3 }), (acts, act, shift) => {
        const { walk } = play(graph, acts)
        for (const [i, event] of eventsOf(act, walk).entries()) {
          if (event.type !== 'learner' && event.type !== 'report') continue
          const opened = i === 0 ? walk : step(graph, walk, eventsOf(act, walk)[0] ?? event).walk
          const taken = step(graph, opened, event).walk
          expect(step(graph, taken, event).walk).toBe(taken)
          if (shift !== 0) expect(step(graph, opened, { ...event, seq: event.seq + shift }).walk).toBe(opened)
          if (event.type === 'report') expect(step(graph, opened, { ...event, turnId: 'other' }).walk).toBe(opened)
        }
      }),
      RUNS,
    )
  })

  it('[walk-13] a gate is only ever left by a report of that turn, or by the backstop', () => {
    everyStep(({ before, after, event, decision }) => {
      if (!speakingNode(graph, before.node).isGate || after.visits.length === before.visits.length) return
      const said = event.type === 'report' && event.report.node_satisfied
      expect(said || decision?.reason === 'backstop').toBe(true)
    })
  })

  it('[walk-15] [walk-17] nothing but the backstop and a choice leaves a node before its least number of turns', () => {
    const graphWithMin = ['SURFACE', 'DEEPEN', 'RESOLVE'].reduce(
      (slow, id) => withNode(slow, id, { minTurns: 2, maxTurns: 3 }),
      graphOf(),
    )
    fc.assert(
      fc.property(anyActs, (acts) => {
        for (const { before, step: taken } of play(graphWithMin, acts).steps) {
          const [decision] = decisionsIn(taken.trace)
          const moved = taken.walk.visits.length > before.visits.length
          if (!moved || decision?.reason === 'backstop' || decision?.reason === 'pivot-choice') continue
          expect(before.turns + 1).toBeGreaterThanOrEqual(speakingNode(graphWithMin, before.node).minTurns)
        }
      }),
      RUNS,
    )
  })

  it('[walk-16] no node but a gate or a pivot outlasts its turns and its grace', () => {
    everyStep(({ after }) => {
      const node = speakingNode(graph, after.node)
      if (node.isGate || node.kind === 'pivot' || after.end) return
      const most = node.maxTurns ?? 0
      expect(after.turns).toBeLessThan(most + 1)
      expect(after.visits.at(-1)?.exchanges ?? 0).toBeLessThanOrEqual(most + graph.policy.detourGrace)
    })
  })

  it('[walk-12] a pivot is armed at most once, with one command', () => {
    everyPlay(({ effects, trace }) => {
      const ids = effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : []))
      expect(new Set(ids).size).toBe(ids.length)
      const armed = decisionsIn(trace).filter(({ reason }) => reason === 'pivot-armed')
      expect(ids.filter((id) => id.startsWith('AI_PivotMoment'))).toEqual(
        armed.map(({ from }) => `AI_PivotMoment:${from}`),
      )
    })
  })

  it('[walk-19] a branch is taken exactly when its condition holds after the turn, and never where there is none', () => {
    const early = { ...nodeOf(graph, 'CLOSE'), id: 'CLOSE_EARLY', exits: onward('CLOSE') }
    const longer = { ...graph, nodes: { ...graph.nodes, CLOSE_EARLY: early } }
    const forked = withBranch(longer, 'RESOLVE', 'CLOSE_EARLY', { relationship: { atLeast: 'cooperative' } })
    fc.assert(
      fc.property(anyActs, (acts) => {
        for (const { before, step: taken } of play(forked, acts).steps) {
          const [decision] = decisionsIn(taken.trace)
          if (decision?.to === 'CLOSE_EARLY') expect(before.node).toBe('RESOLVE')
          if (before.node !== 'RESOLVE' || !decision || decision.to === 'RESOLVE') continue
          if (decision.reason === 'backstop' || decision.reason === 'left') continue
          const isWarm = ['cooperative', 'trusting'].includes(taken.walk.relationship.level)
          expect(decision.to).toBe(isWarm ? 'CLOSE_EARLY' : 'CLOSE')
        }
      }),
      RUNS,
    )
  })

  it('[walk-20] a choice takes no exchange and no dwell', () => {
    everyStep(({ before, after, event }) => {
      if (event.type !== 'pivot-choice') return
      expect(after.seq).toBe(before.seq)
      expect(after.visits.slice(0, before.visits.length)).toEqual(before.visits)
    })
  })

  it('[walk-22] an overlay opens once, only when its condition held, and moves nothing', () => {
    everyStep(({ before, after, event, step: taken }) => {
      const brief = taken.effects.find(({ type }) => type === 'brief')
      if (brief?.type === 'brief' && brief.node.overlay) {
        expect(['cooperative', 'trusting']).toContain(before.relationship.level)
        expect(before.overlays).toEqual([])
        expect(after.node).toBe(before.node)
      }
      if (after.overlays.length > before.overlays.length) expect(event.type).toBe('report')
      expect(new Set(after.overlays).size).toBe(after.overlays.length)
    })
  })

  it('[walk-23] commands are given out once; the end comes last, and the objective only if earned', () => {
    everyPlay(({ effects, walk, steps }) => {
      // What cuts the conversation short after the gate takes nothing back.
      const earned = steps.some(({ step: { walk: at } }) => at.satisfied.includes('DECISIVE') && !at.isCutShort)
      const ids = effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : []))
      expect(ids).toEqual(walk.emitted)
      expect(ids.includes('AI_EndConversation')).toBe(walk.end !== null)
      expect(ids.some((id) => id.startsWith('AI_AdvanceObjective'))).toBe(earned)
      if (!walk.end) return
      expect(ids.at(-1)).toBe('AI_EndConversation')
      expect(walk.end.completion).toBe(earned ? 'earned' : 'forced')
      const ending = steps.find(({ step: taken }) => taken.walk.end)?.step.trace
      const last = ending?.findLast((entry) => entry.type === 'decision')?.decision
      if (last?.reason !== 'left' && last?.reason !== 'backstop') expect(last?.from).toBe('CLOSE')
    })
  })
})

interface Taken {
  readonly before: Walk
  readonly after: Walk
  readonly event: Played['steps'][number]['event']
  readonly step: Played['steps'][number]['step']
  readonly decision: Decision | undefined
}

function everyPlay(check: (played: Played) => void) {
  fc.assert(
    fc.property(anyActs, (acts) => check(play(graph, acts))),
    RUNS,
  )
}

function everyStep(check: (taken: Taken) => void) {
  everyPlay(({ steps }) => {
    for (const { event, before, step: taken } of steps)
      check({ event, before, after: taken.walk, step: taken, decision: decisionsIn(taken.trace)[0] })
  })
}

function decisionsIn(trace: Played['trace']): readonly Decision[] {
  return trace.flatMap((entry) => (entry.type === 'decision' ? [entry.decision] : []))
}

function report(any: Report): Act {
  return { act: 'turn', report: any, quality: 'clean' }
}
