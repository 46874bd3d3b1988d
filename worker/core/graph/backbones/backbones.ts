import type { Npc, Scenario, Tier } from '../../scenario/scenario.ts'
import { ACADEMIC } from './academic.ts'
import type { Backbone } from './backbone.ts'
import { EXPERT } from './expert.ts'
import { GUIDE } from './guide.ts'
import { TECHNICAL } from './technical.ts'

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
