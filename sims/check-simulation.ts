import type { Scenario, Simulation } from '../worker/core/scenario/scenario.ts'
import { checkFacts } from './check-facts.ts'
import type { Problem } from './problem.ts'

/**
 * Whether a simulation can be played to a decision that follows from what was heard: every option has its ending, one is
 * right, what it rests on is spread over colleagues, and every fact can be heard from whoever it belongs to.
 */
export function checkSimulation(scenario: Scenario): readonly Problem[] {
  const { simulation } = scenario
  if (simulation === undefined) return []
  return [
    ...checkGuide(simulation, scenario),
    ...checkFacts(simulation, scenario, [AT]),
    ...checkEndings(simulation, scenario),
    ...checkSpread(simulation),
  ]
}

const AT = 'simulation'

function checkGuide({ guide }: Simulation, { npcs }: Scenario): readonly Problem[] {
  const path = [AT, 'guide']
  const npc = npcs.find(({ id }) => id === guide)
  if (!npc) return [{ path, message: `nobody here is called "${guide}"` }]
  return npc.walk === 'guide' ? [] : [{ path, message: `${guide} does not walk as a guide` }]
}

function checkEndings({ endings, facts }: Simulation, { decision }: Scenario): readonly Problem[] {
  const at = [AT, 'endings']
  const options = decision.options.map(({ id }) => id)
  const same = endings.length === options.length && endings.every(({ option }, index) => option === options[index])
  const unknown = endings.flatMap(({ facts: named }, index) =>
    named.flatMap((id, place) =>
      facts.some((fact) => fact.id === id)
        ? []
        : [{ path: [...at, index, 'facts', place], message: `there is no fact "${id}"` }],
    ),
  )
  const right = endings.filter(({ verdict }) => verdict === 'right').length
  return [
    ...(same ? [] : [{ path: at, message: `has to have one ending for each of ${options.join(', ')}, in this order` }]),
    ...(right === 1 ? [] : [{ path: at, message: `has ${right} right answers where there has to be one` }]),
    ...unknown,
  ]
}

/** Nobody may hold the right answer alone (the game would be over with them). */
function checkSpread({ facts, endings }: Simulation): readonly Problem[] {
  const right = endings.find(({ verdict }) => verdict === 'right')
  const rests = facts.filter(({ id, deciding }) => deciding && right?.facts.includes(id))
  const holders = new Set(rests.map(({ npc }) => npc))
  const lost = facts.filter(({ id, deciding }) => deciding && !endings.some((ending) => ending.facts.includes(id)))
  return [
    ...(holders.size >= 2
      ? []
      : [
          {
            path: [AT, 'endings'],
            message: 'has a right answer that rests on deciding facts of fewer than two people',
          },
        ]),
    ...lost.map(({ id }) => ({ path: [AT, 'facts'], message: `"${id}" is deciding and speaks about no ending` })),
  ]
}
