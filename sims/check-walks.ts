import type { GraphDocument } from '../worker/core/graph/document/document.ts'
import { graphFor } from '../worker/core/graph/graph-for.ts'
import { verify } from '../worker/core/graph/proof/verify.ts'
import type { Npc, Scenario } from '../worker/core/scenario/scenario.ts'
import type { Problem } from './problem.ts'

/**
 * Binds every colleague to what they walk, a backbone or one of the context graphs, and walks the result in every way
 * there is. A graph with an error in it, or one that could trap a learner, is never built ([G6], [G8] of
 * `docs/walker.md`).
 */
export function checkWalks(scenario: Scenario, documents: readonly GraphDocument[] = []): readonly Problem[] {
  return scenario.npcs.flatMap((npc, index) =>
    errorsOf(scenario, npc, documents).map((message) => ({ path: ['npcs', index], message })),
  )
}

function errorsOf(scenario: Scenario, npc: Npc, documents: readonly GraphDocument[]): readonly string[] {
  const bound = graphFor(scenario, npc, { documents })
  const findings = bound.ok ? verify(bound.graph).findings : bound.findings
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, at, message }) => `cannot be walked: ${code} at ${at}. ${message}`)
}
