import { ACADEMIC, BACKBONES, EXPERT, GUIDE, SHIPPED_LIBRARY, TECHNICAL } from '../support/backbones.ts'
import { describe, expect, it } from 'vitest'
import type { Backbone, BackboneNode } from '../../worker/core/graph/backbones/backbone.ts'
import { backboneOf, graphFor } from '../../worker/core/graph/graph-for.ts'
import { targetsOf, type Graph, speaks } from '../../worker/core/graph/graph.ts'
import { canonical, fingerprint } from '../../worker/core/graph/hash.ts'
import { instantiate } from '../../worker/core/graph/backbones/instantiate.ts'
import { lint } from '../../worker/core/graph/lint.ts'
import { type GraphVerification, verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import { academicScenario, lena } from '../support/academic-scenario.ts'
import { expertScenario, tomas } from '../support/expert-scenario.ts'
import { launchDecision, npcOf } from '../support/rehearsal-conversation.ts'
import { IS_LONG } from '../support/runs.ts'
import { sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { walkedGraph } from '../support/walked-conversation.ts'

const ALL: readonly Backbone[] = [TECHNICAL, ACADEMIC, EXPERT, GUIDE]
const guide: Npc = { ...sampleNpc, id: 'otto', name: 'Otto Lind', walk: 'guide' }

describe('the tables', () => {
  it('[tier-1] ACADEMIC is the table of the documentation', () => {
    expect(ACADEMIC.nodes.map(row)).toEqual([
      ['GROUND', 'greeting + beat1', '1/1', '', 'ASK'],
      ['ASK', 'decision_facts + what_they_know', '3/5', '', 'CLOSE'],
      ['CLOSE', 'goal.end_condition', '1/16', '', null],
    ])
  })

  it('[tier-1] EXPERT is the table of the documentation', () => {
    expect(EXPERT.nodes.map(row)).toEqual([
      ['GROUND', 'greeting + beat1', '1/1', '', 'SURFACE'],
      ['SURFACE', 'beat1 + what_they_know[1]', '1/2', '', 'DEEPEN'],
      ['DEEPEN', 'what_they_know + depth', '2/3', '', 'PIVOT_1'],
      ['PIVOT_1', 'pivots[p1]', '1/1', '', 'CHALLENGE'],
      ['CHALLENGE', 'challenges', '1/2', 'to CONFIDE', 'DECISIVE'],
      ['CONFIDE', 'concerns', '1/2', '', 'DECISIVE'],
      ['DECISIVE', 'decision_facts', '1/2', 'gate', 'PIVOT_2'],
      ['PIVOT_2', 'pivots[p2]', '1/1', '', 'RESOLVE'],
      ['RESOLVE', 'beat6 + key_reveal', '1/2', 'opens KEY_REVEAL', 'CLOSE'],
      ['CLOSE', 'goal.end_condition', '1/6', '', null],
    ])
  })

  it('[tier-1] the guide’s is the table of the documentation', () => {
    expect(GUIDE.nodes.map(row)).toEqual([
      ['WELCOME', 'greeting', '1/1', '', 'SITUATION'],
      ['SITUATION', 'scenario.situation + beat1', '1/2', '', 'OPTIONS'],
      ['OPTIONS', 'scenario.decision + beat6', '1/2', '', 'PEOPLE'],
      ['PEOPLE', 'scenario.people + what_they_know', '1/2', '', 'CLOSE'],
      ['CLOSE', 'goal.end_condition', '1/8', '', null],
    ])
  })

  it('[tier-2] a colleague walks what the scenario says: the tier’s backbone, the guide’s, a named one, or none', () => {
    const own = { ...TECHNICAL, id: 'own', tier: null }
    const all = [own, ...BACKBONES]
    for (const [tier, backbone] of [
      ['TECHNICAL', TECHNICAL],
      ['ACADEMIC', ACADEMIC],
      ['EXPERT', EXPERT],
    ] as const) {
      expect(backboneOf({ tier }, sampleNpc, all)).toBe(backbone)
      expect(backboneOf({ tier }, guide, all)).toBe(GUIDE)
      expect(backboneOf({ tier }, { walk: 'own' }, all)).toBe(own)
    }
    expect(backboneOf(sampleScenario, { walk: { graph: 'coaching', version: 1 } }, all)).toBeUndefined()
    expect(graphFor(sampleScenario, { ...sampleNpc, walk: 'nobody' }, SHIPPED_LIBRARY)).toMatchObject({
      ok: false,
      findings: [{ code: 'G002', message: expect.stringContaining('nobody') }],
    })
  })

  it('[tier-1] every backbone has words of its own, and none of a scenario’s', () => {
    const intents = ALL.flatMap(({ nodes, framings }) => [
      ...nodes.map(({ intent }) => intent),
      ...framings.flatMap((framing) => Object.values(framing.intents)),
    ])
    expect(intents.filter((intent, index) => intents.indexOf(intent) !== index)).toEqual([])
    expect(intents.filter((intent) => /\d|[\u2013\u2014]|---/.test(intent))).toEqual([])
  })
})

describe('content for all', () => {
  it('[tier-3] tells a guide the situation, the decision and who answers for what, in sentences', () => {
    const launch = launchDecision()
    const { nodes } = walkedGraph(launch, npcOf(launch, 'otto'))
    const contentOf = (id: string, source: string) => {
      const node = nodes[id]
      return node && speaks(node) ? node.content.find((bound) => bound.source === source)?.lines : undefined
    }
    expect(contentOf('SITUATION', 'scenario.situation')).toEqual([
      launch.situation.what,
      `Where you are now: ${launch.situation.where}.`,
    ])
    expect(contentOf('OPTIONS', 'scenario.decision')).toEqual([
      'Larkfield goes live on Thursday at nine. What do you ship?',
      'The options are "Ship on Thursday as it stands", "Hold everything back a week and test again" or "Ship on Thursday, with medical questions going to the nurse line".',
    ])
    expect(contentOf('PEOPLE', 'scenario.people')).toEqual([
      'Maya Patel, QA lead, answers for the testing, run 47 and what its numbers mean.',
      expect.stringMatching(/^Marcus Bell, .*, answers for the contract/),
      expect.stringMatching(/^Ines Okafor, .*, answers for the platform/),
    ])
  })

  it('[tier-3] depth, challenges and concerns are the colleague’s own', () => {
    const { nodes } = walkedGraph(expertScenario, tomas)
    const sourcesOf = (id: string) => {
      const node = nodes[id]
      return node && speaks(node) ? node.content : []
    }
    expect(sourcesOf('DEEPEN')).toEqual([
      { source: 'what_they_know', lines: tomas.knowledge },
      { source: 'depth', lines: tomas.depth },
    ])
    expect(sourcesOf('CHALLENGE')).toEqual([{ source: 'challenges', lines: tomas.challenges }])
    expect(sourcesOf('CONFIDE')).toEqual([{ source: 'concerns', lines: tomas.concerns }])
  })

  it('[tier-3] a scenario that says nothing to all has nothing to bind', () => {
    const silent = { ...sampleScenario, situation: { where: '', what: '' }, decision: { question: '', options: [] } }
    expect(walkedGraph({ ...silent, npcs: [guide] }, { ...guide, ...nothing() }).order).toEqual(['WELCOME', 'CLOSE'])
  })
})

describe('ACADEMIC', () => {
  it('[tier-4] has no fork, no gate, no reveal and no branch, whatever a colleague brings', () => {
    const full: Npc = { ...sampleNpc, depth: ['Deep.'], challenges: ['Why?'], concerns: ['Mine.'] }
    const graph = walkedGraph({ ...sampleScenario, tier: 'ACADEMIC' }, full)
    const nodes = Object.values(graph.nodes).filter(speaks)
    expect(graph.order).toEqual(['GROUND', 'ASK', 'CLOSE'])
    expect(
      nodes.filter(({ kind, isGate, overlay, exits }) => kind === 'pivot' || isGate || overlay || exits.length > 1),
    ).toEqual([])
    expect(canonical(graph.nodes)).not.toContain(sampleNpc.keyReveal)
  })

  it('[tier-4] the deciding fact is the first thing there is to learn', () => {
    const ask = walkedGraph(academicScenario, lena).nodes['ASK']
    expect(ask && speaks(ask) ? ask.content.flatMap(({ lines }) => lines)[0] : null).toBe(lena.decisionFacts[0])
  })
})

describe('the branch of EXPERT', () => {
  const cooperative = { relationship: { atLeast: 'cooperative' } }

  it('[tier-5] leads from CHALLENGE past DECISIVE’s door, and back to it', () => {
    const { nodes } = walkedGraph(expertScenario, tomas)
    expect(waysOf(nodes['CHALLENGE'])).toEqual([
      ['branch', cooperative, 'CONFIDE'],
      ['advance', null, 'DECISIVE'],
    ])
    expect(waysOf(nodes['CONFIDE'])).toEqual([['advance', null, 'DECISIVE']])
  })

  it.each([
    ['no concerns', { concerns: [] }, 'CHALLENGE', [['advance', null, 'DECISIVE']]],
    [
      'no challenge',
      { challenges: [] },
      'PIVOT_1',
      [
        ['branch', cooperative, 'CONFIDE'],
        ['advance', null, 'DECISIVE'],
      ],
    ],
    [
      'no challenge, no fork and no fact',
      { challenges: [], pivots: [], decisionFacts: [] },
      'DEEPEN',
      [
        ['branch', cooperative, 'CONFIDE'],
        ['advance', null, 'RESOLVE'],
      ],
    ],
    [
      'nothing but concerns',
      { ...nothing(), concerns: ['Mine.'] },
      'GROUND',
      [
        ['branch', cooperative, 'CONFIDE'],
        ['advance', null, 'CLOSE'],
      ],
    ],
  ])('[tier-6] with %s it goes on as the node taken out would have', (_, lacks, from, ways) => {
    expect(waysOf(walkedGraph(expertScenario, { ...tomas, ...lacks }).nodes[from])).toEqual(ways)
  })

  it('[tier-6] a branch to a node that is taken out has that node’s own branch, under both conditions', () => {
    const trusting = { relationship: { atLeast: 'trusting' } } as const
    const backbone: Backbone = {
      ...EXPERT,
      nodes: EXPERT.nodes.map((node) =>
        node.id === 'CONFIDE'
          ? { ...node, exits: { ...node.exits, conditional: { to: 'RESOLVE', when: trusting } } }
          : node,
      ),
    }
    const bound = instantiate(backbone, expertScenario, { ...tomas, concerns: [] })
    if (!bound.ok) throw new Error('not bound')
    expect(waysOf(bound.graph.nodes['CHALLENGE'])).toEqual([
      ['branch', { all: [cooperative, trusting] }, 'RESOLVE'],
      ['advance', null, 'DECISIVE'],
    ])
  })
})

describe('every combination of what a scenario may lack', () => {
  it.each(ALL.map((backbone) => [backbone.id, backbone] as const))(
    '[tier-7] %s: clean, in order, and proven to end',
    (_, backbone) => {
      const proofs = new Map<string, GraphVerification>()
      for (const { scenario, npc } of everyLack(backbone)) {
        const bound = instantiate(backbone, scenario, npc)
        if (!bound.ok) throw new Error(`${canonical(npc)}: ${canonical(bound.findings)}`)
        const { graph } = bound
        expect(lint(graph).filter(({ severity }) => severity === 'error')).toEqual([])
        expect(graph.order).toEqual(backbone.nodes.map(({ id }) => id).filter((id) => graph.order.includes(id)))
        expect(targetsIn(graph).filter((id) => !graph.order.includes(id))).toEqual([])
        const key = shapeOf(graph)
        if (!proofs.has(key)) proofs.set(key, verifyGraph(graph))
      }
      expect([...proofs.values()].flatMap(({ findings }) => findings)).toEqual([])
      expect(proofs.size).toBeGreaterThan(1)
    },
    IS_LONG ? 240_000 : 20_000,
  )
})

describe('proof', () => {
  const launch = launchDecision()
  it.each([
    ['ACADEMIC', academicScenario, lena, { shortest: 5, longest: 23, states: 342 }],
    ['EXPERT', expertScenario, tomas, { shortest: 8, longest: 27, states: 567 }],
    ['the guide', launch, npcOf(launch, 'otto'), { shortest: 5, longest: 20, states: 256 }],
  ])('[tier-8] %s ends, whatever anybody does', (_, scenario, npc, numbers) => {
    const proof = verifyGraph(walkedGraph(scenario, npc))
    expect(proof.findings).toEqual([])
    expect({
      shortest: proof.shortest.exchanges,
      longest: proof.longest.exchanges,
      states: proof.states,
    }).toEqual(numbers)
  })

  it('[tier-8] the longest EXPERT conversation sees CONFIDE, the shortest does not', () => {
    const { shortest, longest } = verifyGraph(walkedGraph(expertScenario, tomas))
    const seen = ({ moves }: GraphVerification['longest']) => moves.some(({ node }) => node === 'CONFIDE')
    expect([seen(shortest), seen(longest)]).toEqual([false, true])
  })
})

describe('framings', () => {
  const cases = ALL.map((backbone) => [backbone.id, backbone] as const)

  it.each(cases)(
    '[tier-9] %s has two or more, each with words for every node in which a turn happens, and no other',
    (_, backbone) => {
      const ids = backbone.nodes.map(({ id }) => id).filter((id) => id !== backbone.entry)
      expect(backbone.framings.length).toBeGreaterThanOrEqual(2)
      expect(new Set(backbone.framings.map(({ id }) => id)).size).toBe(backbone.framings.length)
      for (const { intents } of backbone.framings) expect(Object.keys(intents)).toEqual(ids)
    },
  )

  it.each(cases)('[tier-9] %s: a framing changes the words and nothing else', (_, backbone) => {
    const [own, ...others] = seeds(backbone).map((seed) => boundWith(backbone, seed))
    if (!own) throw new Error('no framing')
    for (const graph of others) {
      expect(graph.hash).not.toBe(own.hash)
      expect(withoutWords(graph)).toBe(withoutWords(own))
    }
    expect(new Set([own, ...others].map(({ hash }) => hash)).size).toBe(backbone.framings.length + 1)
  })

  it.each(cases)('[tier-10] %s: the seed decides, always the same way, and takes turns', (_, backbone) => {
    const count = backbone.framings.length + 1
    for (const seed of seeds(backbone)) {
      const again = [seed, seed + count, seed + 7 * count].map((one) => boundWith(backbone, one).hash)
      expect(new Set(again).size).toBe(1)
    }
    const first = backbone.nodes[1]
    const node = boundWith(backbone, 0).nodes[first?.id ?? '']
    expect(node?.intent).toBe(first?.intent)
  })
})

function nothing(): Partial<Npc> {
  return {
    beats: { beat1: [], beat6: [] },
    knowledge: [],
    depth: [],
    challenges: [],
    concerns: [],
    decisionFacts: [],
    pivots: [],
    keyReveal: null,
  }
}

function row({ id, contentSource, minTurns, maxTurns, isGate, exits }: BackboneNode) {
  const { conditional } = exits
  const opens = conditional && ('to' in conditional ? `to ${conditional.to}` : `opens ${conditional.overlay}`)
  return [id, contentSource, `${minTurns}/${maxTurns}`, isGate ? 'gate' : (opens ?? ''), exits.advance]
}

function waysOf(node: Graph['nodes'][string] | undefined) {
  return node?.exits.map((exit) => [exit.id, exit.by === 'guard' ? exit.when : 'chosen', exit.to])
}

function targetsIn(graph: Graph): readonly string[] {
  return Object.values(graph.nodes).flatMap(targetsOf)
}

/**
 * Returns the shape of a graph: everything that a walk in the graph can depend on. Colleagues whose graphs have the
 * same shape need only one proof.
 */
function shapeOf(graph: Graph): string {
  const nodes = Object.values(graph.nodes).map(({ id, exits, ...node }) =>
    'maxTurns' in node ? { id, exits, maxTurns: node.maxTurns, opens: node.overlay !== null } : { id, exits },
  )
  return canonical(nodes)
}

/**
 * Returns one colleague for each set of optional content. The colleague lacks the content of this set and has all other
 * content. Content is optional if the backbone does not require it.
 */
function everyLack(backbone: Backbone): readonly { scenario: Scenario; npc: Npc }[] {
  const optional = LACKS.filter(({ source }) =>
    backbone.nodes.some(({ contentSource }) => contentSource.includes(source)),
  )
  const npc: Npc = { ...sampleNpc, walk: backbone.tier === null ? 'guide' : 'tier' }
  const full = { scenario: { ...sampleScenario, tier: backbone.tier ?? 'TECHNICAL' }, npc }
  const sets = Array.from({ length: 2 ** optional.length }, (_, set) => optional.filter((__, bit) => (set >> bit) & 1))
  // `npm test` checks only some sets: those that leave out at most one piece of content, and those that keep at most
  // one.
  return sets
    .filter(({ length }) => IS_LONG || length <= 1 || length >= optional.length - 1)
    .map((set) => set.reduce((left, { take }) => take(left), full))
}

type Cast = { scenario: Scenario; npc: Npc }
const taking = (source: string, gone: (npc: Npc) => Partial<Npc>) => ({
  source,
  take: ({ scenario, npc }: Cast): Cast => ({ scenario, npc: { ...npc, ...gone(npc) } }),
})
const hushing = (source: string, gone: Partial<Scenario>) => ({
  source,
  take: ({ scenario, npc }: Cast): Cast => ({ scenario: { ...scenario, ...gone }, npc }),
})
const LACKS = [
  taking('beat1', ({ beats }) => ({ beats: { ...beats, beat1: [] } })),
  taking('beat6', ({ beats }) => ({ beats: { ...beats, beat6: [] } })),
  taking('what_they_know', () => ({ knowledge: [] })),
  taking('depth', () => ({ depth: [] })),
  taking('challenges', () => ({ challenges: [] })),
  taking('concerns', () => ({ concerns: [] })),
  taking('decision_facts', () => ({ decisionFacts: [] })),
  taking('pivots[p1]', ({ pivots }) => ({ pivots: pivots.filter(({ id }) => id !== 'p1') })),
  taking('pivots[p2]', ({ pivots }) => ({ pivots: pivots.filter(({ id }) => id !== 'p2') })),
  taking('key_reveal', () => ({ keyReveal: null })),
  hushing('scenario.situation', { situation: { where: '', what: '' } }),
  hushing('scenario.decision', { decision: { question: '', options: [] } }),
  hushing('scenario.people', { npcs: [sampleNpc] }),
]

function seeds({ framings }: Backbone): readonly number[] {
  return Array.from({ length: framings.length + 1 }, (_, seed) => seed)
}

function boundWith(backbone: Backbone, seed: number): Graph {
  const npc: Npc = { ...tomas, walk: backbone.tier === null ? 'guide' : 'tier' }
  return walkedGraph({ ...expertScenario, tier: backbone.tier ?? 'EXPERT' }, npc, seed)
}

function withoutWords({ hash, nodes, ...rest }: Graph): string {
  void hash
  return fingerprint({ ...rest, nodes: Object.values(nodes).map((node) => ({ ...node, intent: '' })) })
}
