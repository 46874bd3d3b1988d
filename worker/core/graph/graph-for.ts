import type { Npc, Scenario, Tier } from '../scenario/scenario.ts'
import type { GraphDocument } from './document/document.ts'
import { instantiate, type Instantiated } from './backbones/instantiate.ts'
import { link } from './document/link.ts'
import { findDocument } from './document/linked-set.ts'
import { ACADEMIC } from './backbones/academic.ts'
import type { Backbone } from './backbones/backbone.ts'
import { EXPERT } from './backbones/expert.ts'
import { GUIDE } from './backbones/guide.ts'
import { TECHNICAL } from './backbones/technical.ts'

/** The backbone of each tier. */
export const BACKBONES: Readonly<Record<Tier, Backbone>> = { TECHNICAL, ACADEMIC, EXPERT }

/**
 * Returns the backbone of a colleague: the guide's backbone for a guide, otherwise the backbone of the scenario's tier.
 *
 * @throws Error for a colleague who walks a context graph
 */
export function backboneOf(scenario: Scenario, npc: Npc): Backbone {
  if (npc.walk === 'guide') return GUIDE
  if (npc.walk === 'tier') return BACKBONES[scenario.tier]
  throw new Error(`${npc.id} walks the context graph ${npc.walk.graph}, not a backbone`)
}

/**
 * Makes the graph of a colleague's conversation: the context graph that the scenario names, bound to the colleague, or
 * else the backbone of the tier or of a guide.
 *
 * @param documents all context graphs
 * @param seed the session's seed, a whole number from 0; it picks among a backbone's wordings (`framings`)
 */
export function graphFor(
  scenario: Scenario,
  npc: Npc,
  { documents, seed = 0 }: { documents: readonly GraphDocument[]; seed?: number },
): Instantiated {
  const { walk } = npc
  if (typeof walk === 'string') return instantiate(backboneOf(scenario, npc), scenario, npc, seed)

  const document = findDocument(documents, { id: walk.graph, version: walk.version })
  if (document) return link(document, { library: documents, scenario, npc })
  return { ok: false, findings: [noSuchGraph(npc, `${walk.graph}@${walk.version}`)] }
}

function noSuchGraph({ name }: Npc, graph: string) {
  return {
    code: 'G002',
    severity: 'error',
    at: '',
    message: `${name} walks ${graph}, which is not there. Add the graph, or name another one and its version.`,
  } as const
}
