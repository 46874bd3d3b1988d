import type { Finding } from '../../worker/core/graph/finding.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { graphFor } from '../../worker/core/graph/graph-for.ts'
import type { Instantiated } from '../../worker/core/graph/backbones/instantiate.ts'
import { link } from '../../worker/core/graph/document/link.ts'
import { pointerTo } from '../../worker/core/graph/document/pointer.ts'
import { verify, type Verified } from '../../worker/core/graph/proof/verify.ts'
import type { GraphSource, ScenarioSource } from './open-source.ts'
import { isSound, place, type PlacedFinding } from './report.ts'

/** One graph of a file, with everything that is found of it. */
export interface Proved {
  readonly name: string
  /** Null when it has an error that keeps it from being walked at all. */
  readonly graph: Graph | null
  /** Null when it has any error. */
  readonly proof: Verified | null
  readonly findings: readonly PlacedFinding[]
}

/** Links or binds every graph that a file makes, and walks each in every way there is. */
export function prove(source: GraphSource | ScenarioSource): readonly Proved[] {
  if (source.kind === 'graph') {
    const { document, library, file, placeOf } = source
    const linked = link(document, { library, scenario: null, npc: null })
    return [proved(`${document.id}@${document.version}`, linked, (some) => place(some, file, placeOf))]
  }
  const { scenario, library, file, placeOf } = source
  return scenario.npcs.map((npc, index) => {
    // What is found stands in the bound graph, which has no lines; the colleague has.
    const at = placeOf(pointerTo('npcs', index))
    return proved(npc.id, graphFor(scenario, npc, { documents: library }), (some) => place(some, file, () => at))
  })
}

function proved(
  name: string,
  bound: Instantiated,
  placed: (findings: readonly Finding[]) => readonly PlacedFinding[],
): Proved {
  if (!bound.ok) return { name, graph: null, proof: null, findings: placed(bound.findings) }
  const proof = verify(bound.graph)
  const findings = placed([...bound.findings, ...proof.findings])
  return { name, graph: bound.graph, proof: isSound(findings) ? proof : null, findings }
}
