import { BACKBONES } from '../core/graph/backbones.ts'
import { instantiate } from '../core/graph/instantiate.ts'
import type { Scenario } from '../core/scenario/scenario.ts'
import { startWalk } from '../core/walk/walk.ts'
import type { SessionStore } from './session-store.ts'

/** What a conversation is begun with. */
export interface Opening {
  readonly session: string
  readonly epoch: string
  readonly scenario: Scenario
  readonly npc: string
}

/**
 * Begins a conversation: binds the tier's backbone to the colleague and puts the walk at its entry. Scenario and
 * graph are stored whole: they are what this conversation is pinned to.
 *
 * @throws when the scenario has no such colleague or its graph has errors, both of which the build rules out.
 */
export function begin(store: SessionStore, opening: Opening, at: number): void {
  const { scenario, session, epoch } = opening
  const npc = scenario.npcs.find(({ id }) => id === opening.npc)
  if (!npc) throw new Error(`scenario ${scenario.id} has no such colleague`)
  const bound = instantiate(BACKBONES[scenario.tier], scenario, npc)
  if (!bound.ok) throw new Error(`scenario ${scenario.id} cannot be walked: ${bound.findings[0]?.code ?? ''}`)
  const info = { session, epoch, scenario, npc: npc.id, graph: bound.graph, createdAt: at }
  store.create(info, startWalk(bound.graph))
}
