import { speech } from '../worker/actor/rehearsal/spoken.ts'
import { factsIn } from '../worker/core/run/facts-in.ts'
import type { Fact, Npc, Scenario, Simulation } from '../worker/core/scenario/scenario.ts'
import type { Problem } from './problem.ts'
import { type PlacedText, spokenTexts, textsUnder } from './spoken-texts.ts'

/**
 * Whether every fact of a simulation can be heard from whoever it belongs to, what decides by everybody who stays to the
 * end, and nothing of it from anybody else.
 *
 * @param path where the simulation stands
 */
export function checkFacts({ facts }: Simulation, { npcs }: Scenario, path: Problem['path']): readonly Problem[] {
  return [
    ...facts.flatMap((fact, index) => checkFact(fact, index, facts, npcs, [...path, 'facts', index])),
    ...npcs.flatMap((npc, index) => checkStrays(npc, ['npcs', index], facts, npcs)),
  ]
}

function checkFact(
  fact: Fact,
  index: number,
  facts: readonly Fact[],
  npcs: readonly Npc[],
  path: Problem['path'],
): readonly Problem[] {
  const twin = facts.findIndex(({ id }) => id === fact.id) < index
  const npc = npcs.find(({ id }) => id === fact.npc)
  if (!npc) return [{ path: [...path, 'npc'], message: `nobody here is called "${fact.npc}"` }]
  return [
    ...(twin ? [{ path: [...path, 'id'], message: `there is another fact "${fact.id}"` }] : []),
    ...checkTelling(fact, npc, [...path, 'heard']),
  ]
}

function checkTelling(fact: Fact, npc: Npc, path: Problem['path']): readonly Problem[] {
  if (!canBeHeard(fact, npc)) return [{ path, message: `is in nothing that ${npc.id} says` }]
  if (!fact.deciding || isToldToAll(fact, npc)) return []
  return [{ path, message: 'is deciding and not told to everybody who stays to the end' }]
}

/** In a line of theirs, not only in their document: a learner may leave before that is handed over. */
function canBeHeard(fact: Fact, npc: Npc): boolean {
  return spokenTexts(npc, []).some(({ text }) => tells(text, fact))
}

/** Whoever is never confided in passes the first by, and whom the gate lets through unsatisfied the others. */
const PASSED_BY = ['CONFIDE', 'PIVOT_2', 'RESOLVE']

/** On the page that is handed over at the end, or in whatever a node that everybody comes to opens with. */
function isToldToAll(fact: Fact, { document, rehearsal }: Npc): boolean {
  const opens = Object.entries(rehearsal.nodes).some(([id, { open, escalated }]) => {
    // A goodbye to whoever registered nothing has other words.
    const first = id === 'CLOSE' ? [...open, ...escalated] : open
    return !PASSED_BY.includes(id) && first.length > 0 && first.every((line) => tells(speech(line).say, fact))
  })
  return opens || (document?.lines ?? []).some((line) => tells(line, fact))
}

/** What is somebody else's would reach the learner from here, and count for nothing. */
function checkStrays(npc: Npc, path: Problem['path'], facts: readonly Fact[], npcs: readonly Npc[]) {
  const others = facts.filter((fact) => fact.npc !== npc.id && npcs.some(({ id }) => id === fact.npc))
  return textsOf(npc, path).flatMap(({ text, path: at }) =>
    others
      .filter((fact) => tells(text, fact))
      .map((fact): Problem => ({ path: at, message: `tells "${fact.id}", which counts only from ${fact.npc}` })),
  )
}

/** All that a learner may get from a colleague. */
function textsOf(npc: Npc, path: Problem['path']): readonly PlacedText[] {
  return [
    ...spokenTexts(npc, path),
    ...textsUnder(npc.knowledge, [...path, 'knowledge']),
    ...textsUnder(npc.document?.lines ?? [], [...path, 'document', 'lines']),
  ]
}

function tells(text: string, fact: Fact): boolean {
  return factsIn([fact], text).length > 0
}
