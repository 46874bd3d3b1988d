import type { GraphDocument } from '../core/graph/document/document.ts'
import type { Graph } from '../core/graph/graph.ts'
import { graphFor } from '../core/graph/graph-for.ts'
import type { Npc, Scenario } from '../core/scenario/scenario.ts'
import type { Engine } from '../core/walk/engine.ts'
import { legacyGraphFor } from '../core/walk/legacy-graph.ts'

/** The graph a conversation with this colleague walks, or null when it has an error in it: such a graph is never served. */
export function chooseGraph(
  scenario: Scenario,
  npc: Npc,
  chosen: { engine: Engine; seed: number; documents: readonly GraphDocument[] },
): Graph | null {
  if (chosen.engine === 'legacy') return legacyGraphFor(scenario, npc)
  const made = graphFor(scenario, npc, chosen)
  return made.ok ? made.graph : null
}
