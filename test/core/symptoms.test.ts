import { TECHNICAL } from '../support/backbones.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Graph, nodeOf, speaks } from '../../worker/core/graph/graph.ts'
import { instantiate } from '../../worker/core/graph/backbones/instantiate.ts'
import { EMPTY_REPORT, type Report } from '../../worker/core/reply/report.ts'
import { beginWalk } from '../../worker/core/walk/engine.ts'
import { legacyGraphFor } from '../../worker/core/walk/legacy-graph.ts'
import { briefs, commandIds, playOn } from '../support/engine-play.ts'
import { graphOf, sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { type Act, anyActs, turn } from '../support/walk-events.ts'
import { runs } from '../support/runs.ts'

// The tests compare two engines. The older engine only counts exchanges; the other is the walker. The comparison shows
// what goes wrong if an engine only counts.

const counted = legacyGraphFor(sampleScenario, sampleNpc)
const walked = graphOf()
const onCount = (acts: readonly Act[], graph: Graph = counted) => playOn(graph, acts, beginWalk('legacy', graph))
const onWalk = (acts: readonly Act[]) => playOn(walked, acts, beginWalk('graph', walked))
const claims = (report: Partial<Report>): Act => ({
  act: 'turn',
  report: { ...EMPTY_REPORT, ...report },
  quality: 'clean',
})
const fact = sampleNpc.decisionFacts[0] ?? ''
const RUNS = { numRuns: runs('usual') }

describe('a briefing with everything at once', () => {
  it('[legacy-14] the counting engine puts all content into the first briefing', () => {
    const [first] = briefs(onCount([turn(false)]))
    const lines = first?.content.flatMap((bound) => bound.lines) ?? []
    expect(lines).toEqual(expect.arrayContaining([...sampleNpc.knowledge, ...sampleNpc.decisionFacts]))
  })

  it('[legacy-14] the walker briefs each node’s own content, and deciding facts only at the gate', () => {
    fc.assert(
      fc.property(anyActs, (acts) => {
        const told = briefs(onWalk(acts))
        for (const node of told) {
          const bound = nodeOf(walked, node.id)
          expect(node.content).toEqual(speaks(bound) ? bound.content : [])
          const lines = [...node.content, ...(node.overlay ? [node.overlay] : [])].flatMap((one) => one.lines)
          expect(lines.includes(fact)).toBe(node.isGate)
        }
        expect(told.every(({ isGate }, i) => i > 0 || !isGate)).toBe(true)
      }),
      RUNS,
    )
  })
})

describe('a colleague without an opening', () => {
  const mute = { ...sampleNpc, greeting: '', beats: { beat1: [], beat6: [] } }

  it('[legacy-15] the counting engine accepts a colleague without an opening, and the fork comes on exchange 2', () => {
    const graph = legacyGraphFor(sampleScenario, mute)
    const played = onCount([turn(false, true), turn(false, true)], graph)
    const sources = briefs(played)[0]?.content.map(({ source }) => source)
    expect(sources).toEqual(['what_they_know', 'decision_facts'])
    expect(commandIds(played)).toEqual(['AI_PivotMoment:PHASE_2'])
  })

  it('[legacy-15] the walker refuses them', () => {
    const bound = instantiate(TECHNICAL, { ...sampleScenario, npcs: [mute] }, mute)
    expect(bound.ok).toBe(false)
    expect(bound.findings.map(({ code, at }) => `${code} ${at}`)).toContain('G018 /nodes/GROUND')
  })

  it('[legacy-15] the walker gives the opening first and no fork with it', () => {
    fc.assert(
      fc.property(anyActs, (acts) => {
        const played = onWalk(acts)
        const [first] = briefs(played)
        if (first) expect([first.id, first.kind]).toEqual(['GROUND', 'speak'])
        const asked = played.steps.findIndex(({ step }) =>
          step.effects.some((effect) => effect.type === 'command' && effect.command.name === 'AI_PivotMoment'),
        )
        if (asked >= 0)
          expect(played.steps[asked]?.before.visits[0]).toEqual({ node: 'GROUND', exchanges: expect.any(Number) })
        if (asked >= 0) expect(played.steps[asked]?.before.visits.length).toBeGreaterThan(1)
      }),
      RUNS,
    )
  })
})

describe('a conversation without an ending', () => {
  const stop = claims({ is_conversation_complete: true })

  it('[legacy-16] the counting engine lets a report end it in the middle, without a goodbye', () => {
    const played = onCount([turn(false), turn(false), stop])
    expect(played.walk.end).not.toBeNull()
    expect(played.walk.node).toBe('PHASE_2')
    expect(briefs(played).some(({ isTerminal }) => isTerminal)).toBe(false)
  })

  it('[legacy-16] under the walker the same reports end nothing', () => {
    expect(onWalk([turn(false), turn(false), stop, stop, stop]).walk.end).toBeNull()
  })

  it('[legacy-16] the walker briefs the last turn as the last and in the terminal node, whatever is reported', () => {
    let ended = 0
    fc.assert(
      fc.property(fc.array(anyActs, { minLength: 3, maxLength: 6 }), (parts) => {
        const played = onWalk(parts.flat().map(staying))
        const last = played.trace.findLast((entry) => entry.type === 'decision')?.decision
        if (!played.walk.end || last?.reason === 'backstop') return
        ended += 1
        expect(played.walk.node).toBe('CLOSE')
        if (last?.reason === 'went-on') return
        expect(briefs(played).at(-1)).toMatchObject({ id: 'CLOSE', isTerminal: true })
      }),
      RUNS,
    )
    expect(ended).toBeGreaterThan(runs('usual') / 4)
  })
})

describe('a conversation that drifts off topic', () => {
  const offTopic = turn(false, true)

  it('[legacy-17] the counting engine counts six exchanges about something else as the whole arc', () => {
    const { walk } = onCount(Array.from({ length: 6 }, () => offTopic))
    expect(walk.visits.map(({ node }) => node)).toEqual(counted.order)
    expect([walk.satisfied, walk.end]).toEqual([[], { completion: 'forced' }])
  })

  it('[legacy-17] the counting engine earns an objective though nothing was acknowledged', () => {
    const claim = claims({ objective_complete: 'launch-risk', is_conversation_complete: true, detour_detected: true })
    const { walk } = onCount([offTopic, offTopic, claim])
    expect([walk.satisfied, walk.end]).toEqual([[], { completion: 'earned' }])
  })

  it('[legacy-17] the walker keeps the pointer during a forgiven detour, and the gate holds', () => {
    expect(onWalk([offTopic]).walk.node).toBe('GROUND')
    const gate = beginWalk('graph', walked)
    const stuck = playOn(walked, [offTopic, offTopic, offTopic, offTopic, offTopic], {
      ...gate,
      node: 'DECISIVE',
      visits: [{ node: 'DECISIVE', exchanges: 0 }],
    })
    expect(stuck.walk.node).toBe('DECISIVE')
  })

  it('[legacy-17] the walker earns nothing without the gate', () => {
    let earned = 0
    fc.assert(
      fc.property(fc.array(anyActs, { minLength: 3, maxLength: 6 }), (parts) => {
        const played = onWalk(parts.flat())
        if (played.walk.end?.completion !== 'earned') return
        earned += 1
        const landed = played.steps.some(
          ({ event, before }) => before.node === 'DECISIVE' && event.type === 'report' && event.report.node_satisfied,
        )
        expect(landed).toBe(true)
      }),
      RUNS,
    )
    expect(earned).toBeGreaterThan(runs('usual') / 10)
  })
})

/** Returns the act without a sign that the learner is leaving. */
function staying(act: Act): Act {
  return act.act === 'turn' ? { ...act, report: { ...act.report, learner_leaving: false } } : act
}
