import { TECHNICAL } from '../support/backbones.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Exit, type Graph, nodeOf } from '../../worker/core/graph/graph.ts'
import { instantiate } from '../../worker/core/graph/backbones/instantiate.ts'
import { lint } from '../../worker/core/graph/lint.ts'
import { onward, withNode } from '../support/edit-graph.ts'
import { type MiniNode, miniGraph, pass, pick } from '../support/mini-graph.ts'
import { graphOf, sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { runs } from '../support/runs.ts'

describe('the lint of a graph that is walked', () => {
  it('[lint-19] TECHNICAL has no error with any colleague it can be bound to', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        const bound = instantiate(TECHNICAL, sampleScenario, { ...sampleNpc, ...content })
        expect(bound.ok).toBe(true)
        expect(bound.findings.filter(({ severity }) => severity === 'error')).toEqual([])
      }),
      { numRuns: runs('dear') },
    )
  })

  it.each(Object.entries(technicalDefects()))('[lint-22] %s', (name, { graph, at }) => {
    const code = name.slice(0, 4)
    const found = lint(graph).filter(({ severity }) => severity !== 'info' || code === 'G021')
    expect(found.map((finding) => `${finding.code} ${finding.at}`)).toContain(`${code} ${at}`)
    // G021 is only a note about the gates of TECHNICAL and their `maxTurns`. No other finding may remain.
    const others = found.filter((finding) => finding.code !== code && finding.code !== 'G021')
    expect(others).toEqual([])
  })

  it('[lint-21] a called graph may end where the graph that calls goes on', () => {
    const graph = miniGraph({ ...calling('speak'), entry: 'start', terminal: 'end' })
    expect(lint(graph)).toEqual([])
    const elsewhere = withNode(graph, 'callee@1/ask', { exits: [pass(null)] })
    expect(lint(elsewhere).map(({ code }) => code)).toContain('G004')
  })

  it('[lint-8] what is called has to come to its end', () => {
    const graph = miniGraph({ ...calling('speak'), entry: 'start', terminal: 'end' })
    const stuck = withNode(graph, 'callee@1/ask', { exits: [pick('callee@1/more', 'More')] })
    const nodes = {
      ...stuck.nodes,
      'callee@1/more': {
        ...nodeOf(stuck, 'callee@1/ask'),
        id: 'callee@1/more',
        exits: [pick('callee@1/ask', 'Again')],
      },
    }
    const findings = lint({ ...stuck, nodes, order: [...stuck.order, 'callee@1/more'] })
    const trapped = findings.filter(({ code }) => code === 'G008').map(({ at }) => at)
    expect(trapped).toEqual(['/nodes/callee@1~1ask', '/nodes/callee@1~1more', '/nodes/start'])
  })
})

describe('what a card leads to', () => {
  it.each([
    ['speak', []],
    ['annotate', []],
    ['effect', []],
    ['decide', ['G037']],
    ['recall', ['G037']],
    ['reflect', ['G037']],
  ] as const)('[lint-20] straight to a node of kind %s', (kind, codes) => {
    expect(codesOf(fork({ kind, exits: leaving(kind) }))).toEqual(codes)
  })

  it.each([
    ['speak', []],
    ['recall', ['G037']],
  ] as const)('[lint-20] over a note and a side effect to a node of kind %s', (kind, codes) => {
    const noted: Record<string, MiniNode> = {
      note: { kind: 'annotate', exits: [pass('send')] },
      send: { kind: 'effect', exits: [pass('last')] },
      last: { kind, exits: leaving(kind) },
    }
    expect(codesOf({ ...fork({ kind: 'annotate', exits: [pass('note')] }), ...noted })).toEqual(codes)
  })

  it.each([
    ['speak', []],
    ['reflect', ['G037']],
  ] as const)('[lint-20] out of a called graph, back to a node of kind %s', (kind, codes) => {
    const graph = miniGraph({ ...calling(kind), entry: 'start', terminal: 'end' })
    const ask = { ...forkAt('callee@1/ask', graph), exits: [pass('callee@1/back')] }
    const findings = lint({ ...graph, nodes: { ...graph.nodes, 'callee@1/ask': ask } })
    expect(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(codes)
  })

  it('[lint-20] out of a called graph that speaks first when it returns, to whatever comes then', () => {
    const graph = miniGraph({ ...calling('reflect'), entry: 'start', terminal: 'end' })
    const ask = { ...forkAt('callee@1/ask', graph), exits: [pass('callee@1/back')] }
    const modules = Object.fromEntries(
      Object.entries(graph.modules).map(([id, module]) => [id, { ...module, speaksAtReturn: true }]),
    )
    const findings = lint({ ...graph, modules, nodes: { ...graph.nodes, 'callee@1/ask': ask } })
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('[lint-20] a fork has an exit of the walker’s that always holds', () => {
    const always = { relationship: { atLeast: 'hostile' } } as const
    const warm = { relationship: { atLeast: 'trusting' } } as const
    const guarded = (when: typeof always | typeof warm): Exit => ({ ...pass('after'), when }) as Exit
    const exits = (...some: readonly Exit[]) => ({
      ...fork({ kind: 'speak', exits: [pass('end')] }),
      choose: { kind: 'pivot', exits: some } as const,
    })
    expect(codesOf(exits(guarded(always)))).toEqual([])
    expect(codesOf(exits(guarded(warm)))).toEqual(['G023'])
    expect(codesOf(exits(pick('after', 'They have chosen')))).toEqual(['G023'])
  })
})

/** Returns copies of TECHNICAL with one defect each. */
function technicalDefects(): Record<string, { graph: Graph; at: string }> {
  const graph = graphOf()
  const { policy } = graph
  const loose: Exit = { ...onward('CLOSE')[0], id: 'loose' } as Exit
  return {
    'G001 an exit to a node that is not there': {
      graph: withNode(graph, 'SURFACE', { exits: [...nodeOf(graph, 'SURFACE').exits, { ...loose, to: 'NOWHERE' }] }),
      at: '/nodes/SURFACE/exits/1/to',
    },
    'G004 another node ends': {
      graph: withNode(graph, 'SURFACE', { exits: [...nodeOf(graph, 'SURFACE').exits, { ...loose, to: null }] }),
      at: '/nodes/SURFACE/exits/1/to',
    },
    'G006 an exit to itself': {
      graph: withNode(graph, 'SURFACE', { exits: [...nodeOf(graph, 'SURFACE').exits, { ...loose, to: 'SURFACE' }] }),
      at: '/nodes/SURFACE/exits/1/to',
    },
    'G007 a node passed by': { graph: withNode(graph, 'GROUND', { exits: onward('DEEPEN') }), at: '/nodes/SURFACE' },
    'G008 a way round for ever': {
      graph: withNode(withNode(graph, 'RESOLVE', { exits: onward('PIVOT_2') }), 'SURFACE', {
        exits: [...nodeOf(graph, 'SURFACE').exits, loose],
      }),
      at: '/nodes/RESOLVE',
    },
    'G017 a gate without a backstop': {
      graph: { ...graph, policy: { ...policy, stallBackstop: 0 } },
      at: '/nodes/DECISIVE/isGate',
    },
    'G018 a gate with nothing to say': {
      graph: withNode(graph, 'DECISIVE', { content: [] }),
      at: '/nodes/DECISIVE/content',
    },
    'G019 more turns than are allowed': {
      graph: withNode(graph, 'SURFACE', { minTurns: 3 }),
      at: '/nodes/SURFACE/minTurns',
    },
    'G020 turns without staying': {
      graph: withNode(graph, 'SURFACE', { minTurns: 2, selfLoop: false }),
      at: '/nodes/SURFACE/selfLoop',
    },
    'G021 a gate with a most of turns': { graph, at: '/nodes/DECISIVE/maxTurns' },
    'G022 a limit below the shortest way': {
      graph: { ...graph, policy: { ...policy, exchangeLimit: 7 } },
      at: '/policy/exchangeLimit',
    },
    'G022 a backstop before a node may be left': {
      graph: { ...withNode(graph, 'SURFACE', { minTurns: 3, maxTurns: 4 }), policy: { ...policy, stallBackstop: 2 } },
      at: '/policy/stallBackstop',
    },
    'G023 a fork with one choice': {
      graph: withNode(graph, 'PIVOT_1', {
        pivot: { id: 'p1', question: 'Yes?', choices: sampleNpc.pivots[0]?.choices.slice(0, 1) ?? [] },
      }),
      at: '/nodes/PIVOT_1/pivot',
    },
    'G023 a fork that never lets go': {
      graph: { ...graph, policy: { ...policy, pivotPatience: 0 } },
      at: '/policy/pivotPatience',
    },
  }
}

/** Returns four nodes: a start, a fork with two cards, the node after the fork, and an end. */
function fork(after: MiniNode): Record<string, MiniNode> {
  return {
    start: { kind: 'speak', exits: [pick('choose', 'On')] },
    choose: { kind: 'pivot', exits: [pass('after')] },
    after,
    end: { kind: 'speak', maxTurns: 1, selfLoop: false, exits: [pass(null)] },
  }
}

function leaving(kind: MiniNode['kind']): readonly Exit[] {
  return kind === 'decide' ? [pick('end', 'Anything else')] : [pass('end')]
}

/** Returns a graph that calls another graph and then goes on at a node of the given kind. */
function calling(kind: MiniNode['kind']) {
  return {
    nodes: {
      start: { kind: 'speak', exits: [pick('callee@1/ask', 'Ask', 'landing')] },
      landing: { kind, exits: kind === 'speak' ? [pick('end', 'Done')] : leaving(kind) },
      end: { kind: 'speak', maxTurns: 1, selfLoop: false, exits: [pass(null)] },
      'callee@1/ask': { kind: 'speak', module: 'callee@1', exits: [pick('callee@1/back', 'Asked')] },
      'callee@1/back': { kind: 'speak', module: 'callee@1', maxTurns: 1, selfLoop: false, exits: [pass(null)] },
    } as const,
    terminals: { 'callee@1': 'callee@1/back' },
  }
}

function codesOf(nodes: Record<string, MiniNode>): readonly string[] {
  const graph = miniGraph({ nodes, entry: 'start', terminal: 'end' })
  const answered = { ...graph, nodes: { ...graph.nodes, choose: forkAt('choose', graph) } }
  return lint(answered).map(({ code }) => code)
}

function forkAt(id: string, graph: Graph) {
  const node = nodeOf(graph, id)
  const choices = sampleNpc.pivots[0]?.choices ?? []
  return { ...node, kind: 'pivot', pivot: { id: 'p1', question: 'Which?', choices } } as Extract<
    Graph['nodes'][string],
    { kind: 'pivot' }
  >
}

const anyLines = fc.array(fc.constantFrom('One.', 'Two.', 'Three.'), { maxLength: 3 })

const anyContent = fc.record({
  beats: fc.record({ beat1: anyLines, beat6: anyLines }),
  knowledge: anyLines,
  decisionFacts: anyLines,
  pivots: fc.subarray([...sampleNpc.pivots]),
  keyReveal: fc.constantFrom(null, 'There is more.'),
  document: fc.constantFrom(null, sampleNpc.document),
})
