import type { Npc, Scenario } from '../scenario/scenario.ts'
import { backboneOf } from './backbones/backbones.ts'
import type { GraphDocument } from './document/document.ts'
import { instantiate, type Instantiated } from './backbones/instantiate.ts'
import { link } from './document/link.ts'
import { findDocument } from './document/linked-set.ts'

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
