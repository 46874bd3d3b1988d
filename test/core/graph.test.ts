import { TECHNICAL } from '../support/backbones.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Backbone } from '../../worker/core/graph/backbones/backbone.ts'
import { parseContentSource } from '../../worker/core/graph/backbones/content-source.ts'
import { targetsOf, type Graph, type SpeakingNode, speaks } from '../../worker/core/graph/graph.ts'
import { fingerprint } from '../../worker/core/graph/hash.ts'
import { instantiate } from '../../worker/core/graph/backbones/instantiate.ts'
import { lint } from '../../worker/core/graph/lint.ts'
import type { Npc } from '../../worker/core/scenario/scenario.ts'
import { graphOf, sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { runs } from '../support/runs.ts'

describe('the backbone', () => {
  it('[graph-1] is the table of the documentation', () => {
    const rows = TECHNICAL.nodes.map((node) => [
      node.id,
      node.contentSource,
      `${node.minTurns}/${node.maxTurns}`,
      node.isGate,
      node.exits.advance,
    ])
    expect(rows).toEqual([
      ['GROUND', 'greeting + beat1', '1/1', false, 'SURFACE'],
      ['SURFACE', 'beat1 + what_they_know[1]', '1/2', false, 'DEEPEN'],
      ['DEEPEN', 'what_they_know', '1/2', false, 'PIVOT_1'],
      ['PIVOT_1', 'pivots[p1]', '1/1', false, 'DECISIVE'],
      ['DECISIVE', 'decision_facts', '1/2', true, 'PIVOT_2'],
      ['PIVOT_2', 'pivots[p2]', '1/1', false, 'RESOLVE'],
      ['RESOLVE', 'beat6 + key_reveal', '1/2', false, 'CLOSE'],
      ['CLOSE', 'goal.end_condition', '1/6', false, null],
    ])
  })
})

describe('content sources', () => {
  it.each([
    ['beat1', [{ path: 'beat1', selector: null }]],
    ['npc.what_they_know', [{ path: 'what_they_know', selector: null }]],
    ['pivots[p1]', [{ path: 'pivots', selector: 'p1' }]],
    [
      'beat1 + greeting',
      [
        { path: 'beat1', selector: null },
        { path: 'greeting', selector: null },
      ],
    ],
    ['goal.end_condition', [{ path: 'goal.end_condition', selector: null }]],
  ])('[graph-2] reads %s', (expression, terms) => {
    expect(parseContentSource(expression)).toEqual(terms)
  })

  it.each(['', '+', 'beat1 +', 'beat1 greeting', 'pivots[', 'pivots[]', '__proto__[x', 'a..b', 'Beat1'])(
    '[graph-2] cannot read %j',
    (expression) => expect(parseContentSource(expression)).toBeNull(),
  )

  it.each(['nonsense', 'beat1[p1]', 'pivots', 'constructor', 'beat1 + nonsense'])(
    '[graph-2] %s names nothing a colleague has: G024',
    (contentSource) => {
      const backbone = withNode('SURFACE', (node) => ({ ...node, contentSource }))
      const bound = instantiate(backbone, sampleScenario, sampleNpc)
      expect(bound.ok).toBe(false)
      expect(bound.findings.map(({ code, at }) => [code, at])).toContainEqual(['G024', '/nodes/SURFACE/contentSource'])
    },
  )
})

describe('instantiation', () => {
  it('[graph-3] keeps the key reveal out of RESOLVE until its overlay opens', () => {
    const resolve = speakingIn(graphOf(), 'RESOLVE')
    expect(resolve?.content.map(({ source }) => source)).toEqual(['beat6'])
    expect(resolve?.overlay?.content.lines).toEqual([sampleNpc.keyReveal])
  })

  it('[graph-4] takes out what a scenario has nothing for, in every combination, and stays clean and in order', () => {
    const order = TECHNICAL.nodes.map(({ id }) => id)
    fc.assert(
      fc.property(anyLacks, (lacks) => {
        const graph = graphOf(lacking(lacks))
        expect(lint(graph).filter(({ severity }) => severity === 'error')).toEqual([])
        expect(graph.order).toEqual(order.filter((id) => graph.order.includes(id)))
        expect(graph.order).toContain('CLOSE')
        for (const id of graph.order) expect(nextsOf(graph, id).every((next) => graph.order.includes(next))).toBe(true)
        expect(graph.order.includes('DECISIVE')).toBe(!lacks.decisionFacts)
        expect(graph.order.includes('PIVOT_1')).toBe(!lacks.p1)
        expect(graph.order.includes('RESOLVE')).toBe(!(lacks.beat6 && lacks.keyReveal))
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[graph-4] cannot do without the end: G018', () => {
    const bound = instantiate(TECHNICAL, sampleScenario, {
      ...sampleNpc,
      goal: { ...sampleNpc.goal, endCondition: '' },
    })
    expect(bound.ok).toBe(false)
    expect(bound.findings.map(({ code, at }) => [code, at])).toContainEqual(['G018', '/nodes/CLOSE'])
  })

  it('[graph-5] gives DEEPEN a turn for each fact, two at the most', () => {
    const turnsFor = (facts: number) =>
      speakingIn(graphOf({ ...sampleNpc, knowledge: Array.from({ length: facts }, (_, i) => `fact ${i}`) }), 'DEEPEN')
        ?.maxTurns
    expect([1, 2, 3, 9].map(turnsFor)).toEqual([1, 2, 2, 2])
  })

  it('[graph-6] refuses a graph with errors and tells all of them, in order', () => {
    const backbone: Backbone = {
      ...TECHNICAL,
      nodes: TECHNICAL.nodes.map((node) =>
        node.id === 'SURFACE'
          ? { ...node, minTurns: 5, exits: { ...node.exits, advance: 'NOWHERE' } }
          : node.id === 'CLOSE'
            ? { ...node, exits: { ...node.exits, advance: 'CLOSE' } }
            : node,
      ),
    }
    const bound = instantiate(backbone, sampleScenario, sampleNpc)
    expect(bound.ok).toBe(false)
    const codes = bound.findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)
    expect(codes).toEqual(codes.toSorted())
    expect(new Set(codes)).toEqual(new Set(['G001', 'G004', 'G006', 'G007', 'G008', 'G019']))
  })

  it.each([
    ['G017', { ...TECHNICAL, policy: { ...TECHNICAL.policy, stallBackstop: 0 } }],
    ['G020', withNode('GROUND', (node) => ({ ...node, minTurns: 2, maxTurns: 2 }))],
    ['G021', TECHNICAL],
    ['G023', { ...TECHNICAL, policy: { ...TECHNICAL.policy, pivotPatience: 0 } }],
  ])('[graph-6] finds %s', (code, backbone) => {
    expect(instantiate(backbone, sampleScenario, sampleNpc).findings.map((finding) => finding.code)).toContain(code)
  })

  it('[graph-6] finds a fork with one choice: G023', () => {
    const pivots = sampleNpc.pivots.map((pivot) => ({ ...pivot, choices: pivot.choices.slice(0, 1) }))
    expect(instantiate(TECHNICAL, sampleScenario, { ...sampleNpc, pivots }).ok).toBe(false)
  })

  it('[graph-7] the hash follows the content and not the order of keys', () => {
    expect(graphOf().hash).toBe(graphOf().hash)
    expect(graphOf({ ...sampleNpc, keyReveal: 'Another.' }).hash).not.toBe(graphOf().hash)
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const reversed = Object.fromEntries(Object.entries(data).toReversed())
        expect(fingerprint(reversed)).toBe(fingerprint(data))
      }),
    )
  })
})

const anyLacks = fc.record({
  beat1: fc.boolean(),
  knowledge: fc.boolean(),
  p1: fc.boolean(),
  decisionFacts: fc.boolean(),
  p2: fc.boolean(),
  beat6: fc.boolean(),
  keyReveal: fc.boolean(),
})

function lacking(
  lacks: Record<'beat1' | 'knowledge' | 'p1' | 'decisionFacts' | 'p2' | 'beat6' | 'keyReveal', boolean>,
): Npc {
  return {
    ...sampleNpc,
    beats: { beat1: lacks.beat1 ? [] : sampleNpc.beats.beat1, beat6: lacks.beat6 ? [] : sampleNpc.beats.beat6 },
    knowledge: lacks.knowledge ? [] : sampleNpc.knowledge,
    decisionFacts: lacks.decisionFacts ? [] : sampleNpc.decisionFacts,
    pivots: sampleNpc.pivots.filter(({ id }) => !(id === 'p1' && lacks.p1) && !(id === 'p2' && lacks.p2)),
    keyReveal: lacks.keyReveal ? null : sampleNpc.keyReveal,
  }
}

function withNode(id: string, change: (node: Backbone['nodes'][number]) => Backbone['nodes'][number]): Backbone {
  return { ...TECHNICAL, nodes: TECHNICAL.nodes.map((node) => (node.id === id ? change(node) : node)) }
}

function speakingIn(graph: Graph, id: string): SpeakingNode | null {
  const node = graph.nodes[id]
  return node && speaks(node) ? node : null
}

function nextsOf(graph: Graph, id: string): readonly string[] {
  const node = graph.nodes[id]
  return node ? targetsOf(node) : []
}
