import { openOptions } from '../../worker/core/run/options.ts'
import { needsModel, type Scenario } from '../../worker/core/scenario/scenario.ts'
import type { SimulationCard } from '../../worker/wire/run.ts'

/**
 * Makes the card of a simulation: what the game's library shows, to anybody ([game-15]). The function copies each
 * public field by name, so that a new field of a scenario stays private. The card has only the options that are open
 * from the start ([game-17]). Returns null for a scenario without a `simulation`, which has only conversations.
 */
export function simulationCard(scenario: Scenario): SimulationCard | null {
  const { id, version, language = 'en', translates = null, title, tier, role } = scenario
  const { situation, decision, objectives, npcs, simulation } = scenario
  if (simulation === undefined) return null
  return {
    id,
    version,
    language,
    translates,
    title,
    tier,
    role,
    where: situation.where,
    what: situation.what,
    minutes: simulation.minutes,
    skills: simulation.skills.map((skill) => (typeof skill === 'string' ? skill : skill.title)),
    hook: simulation.hook ? { ...simulation.hook } : null,
    question: decision.question,
    options: openOptions(decision, []),
    deadline: simulation.deadline,
    guide: simulation.guide,
    people: npcs.map((npc) => ({
      id: npc.id,
      name: npc.name,
      role: npc.role,
      hue: npc.hue,
      scene: npc.scene,
      owns: npc.owns,
      ...(npc.openers && { openers: [...npc.openers] }),
    })),
    objectives: objectives.map((objective) => ({ id: objective.id, title: objective.title })),
    ...(needsModel(scenario) && { needsModel: true as const }),
  }
}
