import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import type { SimulationCard } from '../../worker/wire/run.ts'

/**
 * What anybody may know of a simulation before they play it ([game-15]). Named part by part, so that what is added to a scenario
 * stays where it is; null for a scenario that is conversations only.
 */
export function simulationCard(scenario: Scenario): SimulationCard | null {
  const { id, version, title, tier, role, situation, decision, objectives, npcs, simulation } = scenario
  if (simulation === undefined) return null
  return {
    id,
    version,
    title,
    tier,
    role,
    where: situation.where,
    what: situation.what,
    minutes: simulation.minutes,
    skills: [...simulation.skills],
    question: decision.question,
    options: decision.options.map((option) => ({ id: option.id, title: option.title })),
    deadline: simulation.deadline,
    guide: simulation.guide,
    people: npcs.map((npc) => ({
      id: npc.id,
      name: npc.name,
      role: npc.role,
      hue: npc.hue,
      scene: npc.scene,
      owns: npc.owns,
    })),
    objectives: objectives.map((objective) => ({ id: objective.id, title: objective.title })),
  }
}
