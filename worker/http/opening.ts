import { hasMet } from '../chain/memories/has-met.ts'
import type { RunPlace } from '../chain/runs/run-data.ts'
import type { OpenedScenario } from '../chain/scenarios/scenario-versions.ts'
import type { Scope } from '../chain/scope.ts'
import type { Npc, Scenario } from '../core/scenario/scenario.ts'
import type { WalkEngine } from '../core/walk/engine.ts'
import type { Config } from '../env.ts'
import { canCount, type Opening } from '../session/begin.ts'
import type { Learner } from '../trust/learner.ts'
import type { RunHeld } from '../trust/game-credentials.ts'

/** Returns the data with which a conversation's object begins. */
export function openingFor({
  session,
  stored: { hash },
  npc,
  learner,
  run,
  person,
  engine,
}: {
  readonly session: string
  readonly stored: OpenedScenario
  readonly npc: Npc
  readonly learner: Learner
  readonly run: RunPlace | null
  readonly person: Opening['person']
  readonly engine: Config['engine']
}): Opening {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  return {
    session,
    epoch: crypto.randomUUID(),
    content: hash,
    npc: npc.id,
    engine: engineFor(npc, engine, seed),
    seed,
    person,
    learner,
    run,
  }
}

/**
 * Returns true if the learner has talked to the colleague before: a verified learner in any run, an anonymous learner
 * in this run.
 */
export async function recognises(
  chain: Scope | null,
  { learner, held, scenario, npc }: { learner: Learner; held: RunHeld | null; scenario: Scenario; npc: Npc },
): Promise<boolean> {
  const isKnown = learner.kind === 'verified'
  if (chain === null || (!isKnown && held === null)) return false
  return hasMet(chain, {
    userId: learner.id,
    scenario: scenario.id,
    npc: npc.id,
    run: isKnown ? null : (held?.id ?? null),
  })
}

/**
 * Chooses the engine of a new conversation: the walker (`graph`), or the older count-based engine (`legacy`). A
 * colleague whose graph is not a tier's backbone always gets the walker, because the older engine can run only
 * backbones. With `ab`, the random seed decides between the two engines.
 */
function engineFor(npc: Npc, chosen: Config['engine'], seed: number): WalkEngine {
  if (!canCount(npc) || chosen === 'graph') return 'graph'
  return chosen === 'legacy' || seed % 2 === 1 ? 'legacy' : 'graph'
}
