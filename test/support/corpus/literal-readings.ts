import { jsonrepair } from 'jsonrepair'
import { formError } from '../../../sims/authoring/finding.ts'
import type { Graph, GraphNode } from '../../../worker/core/graph/graph.ts'
import type { Instantiated } from '../../../worker/core/graph/backbones/instantiate.ts'
import { EMPTY_REPORT, type Report } from '../../../worker/core/reply/report.ts'
import { startWalk } from '../../../worker/core/walk/walk.ts'
import { type Implementation, SERVED } from './implementation.ts'
import { LITERAL_WALKS } from './literal-walks.ts'

/**
 * The literal readings, by the id of the case in which each of them differs from the deployed code. A literal reading
 * takes one sentence of the source documents word for word: it changes what this sentence is about, and otherwise uses
 * the deployed functions.
 */
export const LITERAL_READINGS: Readonly<Record<string, Implementation>> = Object.fromEntries(
  Object.entries({ ...walks(), ...others() }).map(([id, part]) => [id, { ...SERVED, ...part }]),
)

function walks(): Readonly<Record<string, Partial<Implementation>>> {
  return Object.fromEntries(Object.entries(LITERAL_WALKS).map(([id, step]) => [id, { step }]))
}

function others(): Readonly<Record<string, Partial<Implementation>>> {
  return {
    'walker-2b': without('G022'),
    'walker-5b': without('G021'),
    'walker-13b': without('G020'),
    'walker-17': asManyTurnsAsFacts(),
    'walker-17b': alwaysTwoTurns(),
    'walker-18': allFactsBind(),
    'walker-19': keepingEmptyNodes(),
    'walker-19b': keepingEmptyNodes(),
    'walker-19c': without('G018'),
    'walker-20': {
      readReport: (text) => ({ ...SERVED.readReport(text), report: { ...EMPTY_REPORT, node_satisfied: true } }),
    },
    'walker-20b': { readReport: repairedThenRead },
    'walker-21': separatorTwice(),
    'walker-21b': without('G031', 'G032'),
    'walker-21c': without('G033'),
    'walker-23': silentRestart(),
    'walker-23b': silentRestart(),
    'walker-23c': silentRestart(),
    'walker-24': followingTheNewest(),
    'machine-3': withoutSideEffects(),
    'machine-3c': droppingUnknownTypes(),
    'machine-4': statesByNameAlone(),
    'machine-4b': labelsRequired(),
    'machine-6': asAnError('G013'),
    'machine-7': without('G006'),
    'machine-8': without('G004'),
    'machine-8b': without('G004'),
    'machine-8c': without('G003'),
    'machine-8d': without('G005'),
    'machine-10': mapAsWritten(),
    'machine-11': without('G015'),
    'machine-11b': refusingCircles(),
    'machine-12': ownFirst(),
    'machine-12b': behaviorFirst(),
    'machine-12c': overwritingAll(),
  }
}

/** Makes the check of a graph report no findings with these codes. */
function without(...codes: readonly string[]): Partial<Implementation> {
  const lax = (made: Instantiated): Instantiated => {
    const findings = made.findings.filter(({ code }) => !codes.includes(code))
    if (made.ok) return { ...made, findings }
    const isSound = !findings.some(({ severity }) => severity === 'error')
    return isSound ? { ok: true, graph: { nodes: {}, modules: {} } as Graph, findings } : { ok: false, findings }
  }
  return {
    link: (document, about) => lax(SERVED.link(document, about)),
    instantiate: (backbone, scenario, npc) => lax(SERVED.instantiate(backbone, scenario, npc)),
  }
}

/** Makes the check of a graph report the warning with this code as an error. */
function asAnError(code: string): Partial<Implementation> {
  return {
    link: (document, about) => {
      const made = SERVED.link(document, about)
      const findings = made.findings.map((each) =>
        each.code === code ? { ...each, severity: 'error' as const } : each,
      )
      return findings.some(({ severity }) => severity === 'error') ? { ok: false, findings } : made
    },
  }
}

/** Makes the check of a graph reject graphs that call each other in a circle, even if a graph allows recursion. */
function refusingCircles(): Partial<Implementation> {
  return {
    link: (document, about) => {
      const isCircle = about.library.some(({ references }) =>
        Object.values(references).some(({ id }) => id === document.id),
      )
      if (!isCircle) return SERVED.link(document, about)
      return { ok: false, findings: [{ code: 'G015', severity: 'error', at: '/references', message: 'A circle.' }] }
    },
  }
}

function changing(change: (made: Graph, ...given: Parameters<Implementation['instantiate']>) => Graph) {
  const instantiate: Implementation['instantiate'] = (...given) => {
    const made = SERVED.instantiate(...given)
    return made.ok ? { ...made, graph: change(made.graph, ...given) } : made
  }
  return { instantiate }
}

function nodeChanged(graph: Graph, id: string, change: Partial<GraphNode>): Graph {
  return { ...graph, nodes: { ...graph.nodes, [id]: { ...graph.nodes[id], ...change } as GraphNode } }
}

/**
 * Reads "Loops over however many facts the NPC has" literally: the walk stays in the node DEEPEN for as many turns as
 * the colleague has facts.
 */
function asManyTurnsAsFacts(): Partial<Implementation> {
  return changing((graph, _, __, npc) => nodeChanged(graph, 'DEEPEN', { maxTurns: npc.knowledge.length }))
}

/** Reads "1/2" literally: the node DEEPEN always has at most two turns. */
function alwaysTwoTurns(): Partial<Implementation> {
  return changing((graph) => nodeChanged(graph, 'DEEPEN', { maxTurns: 2 }))
}

/** Keeps all nodes of a backbone, even nodes for which the scenario has no content. */
function keepingEmptyNodes(): Partial<Implementation> {
  return changing((graph, backbone) => {
    const sample = graph.nodes[graph.entry]
    const nodes = backbone.nodes.map(({ id, isGate, satisfyWhen, minTurns, maxTurns, exits }) => {
      const way = { id: 'advance', by: 'guard', when: null, to: exits.advance, returnTo: null } as const
      const own = graph.nodes[id] ?? { ...sample, id, content: [], isGate, satisfyWhen, minTurns, maxTurns }
      return [id, { ...own, exits: [way] } as GraphNode] as const
    })
    return { ...graph, nodes: Object.fromEntries(nodes), order: backbone.nodes.map(({ id }) => id) }
  })
}

/** Reads "THESE are the binding facts" literally: the learner has to acknowledge each of the listed facts. */
function allFactsBind(): Partial<Implementation> {
  return {
    brief: (told) => {
      const briefing = SERVED.brief(told)
      return { ...briefing, user: briefing.user.replace(/^WHAT GOES WITH IT.*\n/m, '') }
    },
  }
}

/**
 * Makes the prompt contain the separator twice: in the instruction, and in a sentence that says that the prompt
 * contains it only once.
 */
function separatorTwice(): Partial<Implementation> {
  return {
    brief: (told) => {
      const briefing = SERVED.brief(told)
      return { ...briefing, system: `${briefing.system}\nExactly one ${told.separator} separator.` }
    },
  }
}

/**
 * Repairs any text until it is JSON, and then reads it as a report. Every truthy value of `node_satisfied` counts as
 * true.
 */
function repairedThenRead(text: string | null): ReturnType<Implementation['readReport']> {
  const fields = JSON.parse(jsonrepair(text ?? '{}')) as Partial<Report>
  const report = { ...EMPTY_REPORT, ...fields, node_satisfied: Boolean(fields.node_satisfied) }
  return { ...SERVED.readReport(text), report }
}

function silentRestart(): Partial<Implementation> {
  return { takeOver: (_, graph) => ({ outcome: 'moved', walk: startWalk(graph), trace: [] }) }
}

function followingTheNewest(): Partial<Implementation> {
  return {
    takeOver: (from, { id, version, hash }) => ({
      outcome: 'moved',
      walk: { ...from, graph: { id, version, hash } },
      trace: [],
    }),
  }
}

/**
 * Reads the source's list of state kinds literally. The list does not contain side effects, so a state with a side
 * effect becomes an annotation.
 */
function withoutSideEffects(): Partial<Implementation> {
  return {
    link: (document, about) => {
      const made = SERVED.link(document, about)
      if (!made.ok) return made
      return { ...made, graph: nodeChanged(made.graph, 'alert_doctor', { kind: 'annotate' }) }
    },
  }
}

function droppingUnknownTypes(): Partial<Implementation> {
  return {
    parse: (data) => {
      const { states, ...graph } = data as { states: Record<string, { type: string }> }
      const known = Object.entries(states).filter(([, { type }]) => type !== 'telepathy')
      return SERVED.parse({ ...graph, states: Object.fromEntries(known) })
    },
  }
}

function statesByNameAlone(): Partial<Implementation> {
  return {
    parse: (data) => {
      const isList = Array.isArray((data as { states: unknown }).states)
      return isList ? { ok: false, findings: [formError(['states'], 'no map')] } : SERVED.parse(data)
    },
  }
}

function labelsRequired(): Partial<Implementation> {
  return {
    parse: (data) => {
      const { states } = data as { states: Record<string, object> }
      const bare = Object.keys(states).filter((name) => !('message_metadata' in (states[name] ?? {})))
      if (bare.length === 0) return SERVED.parse(data)
      return { ok: false, findings: bare.map((name) => formError(['states', name], 'no labels')) }
    },
  }
}

function mapAsWritten(): Partial<Implementation> {
  return {
    link: (document, about) => {
      const made = SERVED.link(document, about)
      if (!made.ok) return made
      const modules = Object.entries(made.graph.modules).map(
        ([id, module]) => [id, { ...module, topology: document.topologyDescription ?? module.topology }] as const,
      )
      return { ...made, graph: { ...made.graph, modules: Object.fromEntries(modules) } }
    },
  }
}

/** Puts a state's own guidelines before the global guidelines. */
function ownFirst(): Partial<Implementation> {
  return {
    guidelines: (...given) => {
      const { navigation, action, boundary } = SERVED.guidelines(...given)
      return { navigation: navigation.toReversed(), action, boundary }
    },
  }
}

function behaviorFirst(): Partial<Implementation> {
  return {
    guidelines: (graph, node, walk) => {
      const own = SERVED.guidelines(graph, node, { ...walk, behavior: null })
      const all = SERVED.guidelines(graph, node, walk)
      return { ...all, action: [...all.action.slice(own.action.length), ...own.action] }
    },
  }
}

/** Lets a behavior that overwrites guidelines (OVERWRITE) replace the boundary constraints as well. */
function overwritingAll(): Partial<Implementation> {
  return {
    guidelines: (graph, node, walk) => {
      const all = SERVED.guidelines(graph, node, walk)
      const behavior = graph.behaviors.find(({ id }) => id === walk.behavior?.behavior)
      return { ...all, boundary: behavior?.guidelines.boundary ?? all.boundary }
    },
  }
}
