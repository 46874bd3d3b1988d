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

/** The backbone each tier's conversations walk. */
export const BACKBONES: Readonly<Record<Tier, Backbone>> = { TECHNICAL, ACADEMIC, EXPERT }

/**
 * The backbone a colleague's conversation walks: the guide's for whoever is one, else that of the scenario's tier.
 *
 * @throws for a colleague who walks a context graph: there is no backbone in that.
 */
export function backboneOf(scenario: Scenario, npc: Npc): Backbone {
  if (npc.walk === 'guide') return GUIDE
  if (npc.walk === 'tier') return BACKBONES[scenario.tier]
  throw new Error(`${npc.id} walks the context graph ${npc.walk.graph}, not a backbone`)
}

/**
 * The graph that a colleague's conversation walks, whichever kind it is: a context graph when the scenario says so,
 * bound to the colleague, otherwise the backbone of the tier or of a guide.
 *
 * @param documents every context graph there is to choose and to refer to
 * @param seed the session's, a whole number from 0; it picks among a backbone's framings
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
