import type { GraphDocument } from '../worker/core/graph/document/document.ts'
import type { Graph } from '../worker/core/graph/graph.ts'
import { graphFor } from '../worker/core/graph/graph-for.ts'
import { verify } from '../worker/core/graph/proof/verify.ts'
import type { Npc, Scenario } from '../worker/core/scenario/scenario.ts'
import type { Problem } from './problem.ts'

/**
 * Binds every colleague to what they walk, a backbone or one of the context graphs, and walks the result in every way
 * there is. A graph with an error in it, or one that could trap a learner, is never built ([graph-6], [graph-8] of
 * `docs/reference/walker.md`), and neither is one that leaves out a fork: it would never be asked.
 */
export function checkWalks(scenario: Scenario, documents: readonly GraphDocument[] = []): readonly Problem[] {
  return scenario.npcs.flatMap((npc, index) => {
    const path = ['npcs', index]
    const bound = graphFor(scenario, npc, { documents })
    const errors = (bound.ok ? verify(bound.graph).findings : bound.findings)
      .filter(({ severity }) => severity === 'error')
      .map(({ code, at, message }) => ({ path, message: `cannot be walked: ${code} at ${at}. ${message}` }))
    return bound.ok ? [...errors, ...unaskedForks(bound.graph, npc, path)] : errors
  })
}

function unaskedForks({ nodes }: Graph, { pivots }: Npc, path: Problem['path']): readonly Problem[] {
  const asked = new Set(Object.values(nodes).map((node) => (node.kind === 'pivot' ? node.pivot.id : null)))
  return pivots.flatMap(({ id }, index) =>
    asked.has(id)
      ? []
      : [{ path: [...path, 'pivots', index, 'id'], message: 'is asked in no node that this colleague walks' }],
  )
}
