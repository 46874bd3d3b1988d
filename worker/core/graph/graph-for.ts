import type { Npc, Scenario } from '../scenario/scenario.ts'
import type { GraphDocument } from './document/document.ts'
import { framingOf, instantiate, type Instantiated } from './backbones/instantiate.ts'
import { link } from './document/link.ts'
import { findDocument } from './document/linked-set.ts'
import type { Backbone } from './backbones/backbone.ts'

/** All backbones and all context graphs. The conversation with a colleague follows one of them. */
export interface GraphLibrary {
  /** The backbones, at most one for each tier and one for guides. */
  readonly backbones: readonly Backbone[]
  readonly documents: readonly GraphDocument[]
}

/**
 * Finds the backbone of a colleague: the guide's backbone for a guide, the backbone of the scenario's tier, or the
 * backbone that the colleague's `walk` names. Returns undefined for a colleague who walks a context graph.
 */
export function backboneOf(
  { tier }: Pick<Scenario, 'tier'>,
  { walk }: Pick<Npc, 'walk'>,
  backbones: readonly Backbone[],
): Backbone | undefined {
  if (walk === 'tier') return backbones.find((each) => each.tier === tier)
  return backbones.find(({ id }) => id === walk)
}

/**
 * Makes the graph of a colleague's conversation from the context graph or the backbone that the colleague's `walk`
 * names, with the colleague's content.
 *
 * @param seed the session's seed, a whole number from 0; it picks among a backbone's wordings (`framings`)
 */
export function graphFor(scenario: Scenario, npc: Npc, library: GraphLibrary, seed = 0): Instantiated {
  const { walk } = npc
  const { backbones, documents } = library
  if (typeof walk === 'string') {
    const backbone = backboneOf(scenario, npc, backbones)
    return backbone
      ? instantiate(backbone, scenario, npc, seed)
      : { ok: false, findings: [noSuchGraph(npc, walk === 'tier' ? `the backbone of ${scenario.tier}` : walk)] }
  }

  const document = findDocument(documents, { id: walk.graph, version: walk.version })
  if (document) return link(document, { library: documents, scenario, npc })
  return { ok: false, findings: [noSuchGraph(npc, `${walk.graph}@${walk.version}`)] }
}

/**
 * Returns a number that is equal for two seeds with which `graphFor` makes the same graph. A scenario's colleague has
 * only a few of these graphs.
 */
export function variantOf(scenario: Scenario, npc: Npc, library: GraphLibrary, seed: number): number {
  const backbone = backboneOf(scenario, npc, library.backbones)
  return backbone ? framingOf(backbone, seed) : 0
}

function noSuchGraph({ name }: Npc, graph: string) {
  return {
    code: 'G002',
    severity: 'error',
    at: '',
    message: `${name} walks ${graph}, which is not there. Add it, or name another one.`,
  } as const
}
