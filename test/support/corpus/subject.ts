import type { Backbone } from '../../../worker/core/graph/backbones/backbone.ts'
import type { GraphDocument } from '../../../worker/core/graph/document/document.ts'
import type { Graph } from '../../../worker/core/graph/graph.ts'
import type { Instantiated } from '../../../worker/core/graph/backbones/instantiate.ts'
import type { Npc, Scenario } from '../../../worker/core/scenario/scenario.ts'
import { type Change, edited } from '../graph-document.ts'
import { corpusFile } from './case.ts'
import type { Implementation } from './implementation.ts'

interface Bound {
  readonly backbone: Backbone
  readonly scenario: Scenario
  readonly npc: string
}

interface Written {
  readonly document: unknown
  readonly library: readonly unknown[]
}

interface Subject {
  readonly graph: string
  readonly change?: readonly Change[]
}

/** Returns the data of the graph that a case is about, after the case's changes. */
export function sourceOf({ graph, change = [] }: Subject): unknown {
  const isBound = graph === 'technical' || graph === 'count-based'
  const source = isBound ? corpusFile('technical') : (corpusFile('graphs') as Record<string, unknown>)[graph]
  if (source === undefined) throw new Error(`the corpus has no graph ${graph}`)
  return edited(source, change)
}

/** Makes the graph that a case is about. If this is impossible, returns the findings that say why. */
export function makeGraph(by: Implementation, subject: Subject): Instantiated {
  const source = sourceOf(subject)
  if (isBound(source)) {
    const npc = npcOf(source)
    return subject.graph === 'count-based'
      ? { ok: true, graph: by.countBased(source.scenario, npc), findings: [] }
      : by.instantiate(source.backbone, source.scenario, npc)
  }
  const { document, library } = source as Written
  return by.link(parsed(by, document), {
    library: library.map((each) => parsed(by, each)),
    scenario: null,
    npc: null,
  })
}

/** Makes the graph that a case is about. @throws if this is impossible; the message lists the findings */
export function graphOf(by: Implementation, subject: Subject): Graph {
  const made = makeGraph(by, subject)
  if (made.ok) return made.graph
  throw new Error(made.findings.map(({ code, at, message }) => `${code} ${at} ${message}`).join('\n'))
}

/**
 * Returns the scenario and the colleague for a case's graph. If the graph has none of its own, these are the scenario
 * and the colleague in `technical.json`.
 */
export function castOf(subject: Subject): { scenario: Scenario; npc: Npc } {
  const source = sourceOf(subject)
  const bound = (isBound(source) ? source : corpusFile('technical')) as Bound
  return { scenario: bound.scenario, npc: npcOf(bound) }
}

function isBound(source: unknown): source is Bound {
  return typeof source === 'object' && source !== null && 'backbone' in source
}

function npcOf({ scenario, npc }: Bound): Npc {
  const found = scenario.npcs.find(({ id }) => id === npc)
  if (!found) throw new Error(`the corpus has no colleague ${npc}`)
  return found
}

function parsed(by: Implementation, data: unknown): GraphDocument {
  const parsing = by.parse(data)
  if (parsing.ok) return parsing.document
  throw new Error(parsing.findings.map(({ at, message }) => `${at} ${message}`).join('\n'))
}
