import { BACKBONES } from '../worker/core/graph/backbones.ts'
import { instantiate } from '../worker/core/graph/instantiate.ts'
import { verify } from '../worker/core/graph/verify.ts'
import type { Npc, Scenario } from '../worker/core/scenario/scenario.ts'
import type { Problem } from './problem.ts'

/**
 * Binds every colleague to the tier's backbone and walks the result in every way there is. A graph with an error in
 * it, or one that could trap a learner, is never built ([G6], [G8] of `docs/walker.md`).
 */
export function checkWalks(scenario: Scenario): readonly Problem[] {
  return scenario.npcs.flatMap((npc, index) =>
    errorsOf(scenario, npc).map((message) => ({ path: ['npcs', index], message })),
  )
}

function errorsOf(scenario: Scenario, npc: Npc): readonly string[] {
  const bound = instantiate(BACKBONES[scenario.tier], scenario, npc)
  const findings = bound.ok ? verify(bound.graph).findings : bound.findings
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, at, message }) => `cannot be walked: ${code} at ${at}. ${message}`)
}
