import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Graph, nodeOf, speaks } from '../../worker/core/graph/graph.ts'
import { instantiate } from '../../worker/core/graph/backbones/instantiate.ts'
import { TECHNICAL } from '../../worker/core/graph/backbones/technical.ts'
import { EMPTY_REPORT, type Report } from '../../worker/core/reply/report.ts'
import { beginWalk } from '../../worker/core/walk/engine.ts'
import { legacyGraphFor } from '../../worker/core/walk/legacy-graph.ts'
import { briefs, commandIds, playOn } from '../support/engine-play.ts'
import { graphOf, sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { type Act, anyActs, turn } from '../support/walk-events.ts'
import { runs } from '../support/runs.ts'

// What went wrong when only exchanges were counted, on both engines.

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

describe('everything at once', () => {
  it('[legacy-14] counted, the first briefing holds all there is to know', () => {
    const [first] = briefs(onCount([turn(false)]))
    const lines = first?.content.flatMap((bound) => bound.lines) ?? []
    expect(lines).toEqual(expect.arrayContaining([...sampleNpc.knowledge, ...sampleNpc.decisionFacts]))
  })

  it('[legacy-14] walked, a briefing holds its own node’s content, and what decides is the gate’s alone', () => {
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

describe('no opening', () => {
  const mute = { ...sampleNpc, greeting: '', beats: { beat1: [], beat6: [] } }

  it('[legacy-15] counted, a colleague with nothing to open with is walked, and the fork comes on exchange 2', () => {
    const graph = legacyGraphFor(sampleScenario, mute)
    const played = onCount([turn(false, true), turn(false, true)], graph)
    const sources = briefs(played)[0]?.content.map(({ source }) => source)
    expect(sources).toEqual(['what_they_know', 'decision_facts'])
    expect(commandIds(played)).toEqual(['AI_PivotMoment:PHASE_2'])
  })

  it('[legacy-15] walked, they are refused', () => {
    const bound = instantiate(TECHNICAL, { ...sampleScenario, npcs: [mute] }, mute)
    expect(bound.ok).toBe(false)
    expect(bound.findings.map(({ code, at }) => `${code} ${at}`)).toContain('G018 /nodes/GROUND')
  })

  it('[legacy-15] walked, the opening comes first and no fork with it', () => {
    fc.assert(
      fc.property(anyActs, (acts) => {
        const played = onWalk(acts)
        const [first] = briefs(played)
        if (first) expect([first.id, first.kind]).toEqual(['GROUND', 'speak'])
        const asked = played.steps.findIndex(({ step }) => step.effects.some(({ type }) => type === 'command'))
        if (asked >= 0)
          expect(played.steps[asked]?.before.visits[0]).toEqual({ node: 'GROUND', exchanges: expect.any(Number) })
        if (asked >= 0) expect(played.steps[asked]?.before.visits.length).toBeGreaterThan(1)
      }),
      RUNS,
    )
  })
})

describe('no ending', () => {
  const stop = claims({ is_conversation_complete: true })

  it('[legacy-16] counted, a report ends it in the middle, without a goodbye', () => {
    const played = onCount([turn(false), turn(false), stop])
    expect(played.walk.end).not.toBeNull()
    expect(played.walk.node).toBe('PHASE_2')
    expect(briefs(played).some(({ isTerminal }) => isTerminal)).toBe(false)
  })

  it('[legacy-16] walked, the same reports end nothing', () => {
    expect(onWalk([turn(false), turn(false), stop, stop, stop]).walk.end).toBeNull()
  })

  it('[legacy-16] walked, whatever is reported, the last turn was briefed as the last and in the terminal node', () => {
    let ended = 0
    fc.assert(
      fc.property(fc.array(anyActs, { minLength: 3, maxLength: 6 }), (parts) => {
        const played = onWalk(parts.flat())
        if (!played.walk.end) return
        ended += 1
        expect(played.walk.node).toBe('CLOSE')
        expect(briefs(played).at(-1)).toMatchObject({ id: 'CLOSE', isTerminal: true })
      }),
      RUNS,
    )
    expect(ended).toBeGreaterThan(runs('usual') / 4)
  })
})

describe('drift', () => {
  const offTopic = turn(false, true)

  it('[legacy-17] counted, six exchanges about something else are the whole arc', () => {
    const { walk } = onCount(Array.from({ length: 6 }, () => offTopic))
    expect(walk.visits.map(({ node }) => node)).toEqual(counted.order)
    expect([walk.satisfied, walk.end]).toEqual([[], { completion: 'forced' }])
  })

  it('[legacy-17] counted, an objective is earned though nothing was acknowledged', () => {
    const claim = claims({ objective_complete: 'launch-risk', is_conversation_complete: true, detour_detected: true })
    const { walk } = onCount([offTopic, offTopic, claim])
    expect([walk.satisfied, walk.end]).toEqual([[], { completion: 'earned' }])
  })

  it('[legacy-17] walked, a detour leaves the pointer where it is as long as it is forgiven, and the gate holds', () => {
    expect(onWalk([offTopic]).walk.node).toBe('GROUND')
    const gate = beginWalk('graph', walked)
    const stuck = playOn(walked, [offTopic, offTopic, offTopic, offTopic, offTopic], {
      ...gate,
      node: 'DECISIVE',
      visits: [{ node: 'DECISIVE', exchanges: 0 }],
    })
    expect(stuck.walk.node).toBe('DECISIVE')
  })

  it('[legacy-17] walked, nothing is earned without the gate', () => {
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
    expect(earned).toBeGreaterThan(runs('usual') / 4)
  })
})
