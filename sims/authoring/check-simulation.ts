import type { Finding } from '../../worker/core/graph/finding.ts'
import { amountOf, formError, type DataPath } from './finding.ts'
import { speech } from '../../worker/actor/rehearsal/spoken.ts'
import { factsIn } from '../../worker/core/run/facts-in.ts'
import { deedsIn } from '../../worker/core/run/options.ts'
import {
  hasLines,
  type Npc,
  type Scenario,
  type ScenarioFact,
  type Simulation,
} from '../../worker/core/scenario/scenario.ts'
import { type ScenarioText, linesSpoken, textsUnder } from './texts.ts'

/**
 * Checks that a learner can find the right option by listening. Every option must have an ending, and exactly one
 * ending must be right. The deciding facts of the right ending must come from at least two colleagues. Every learner
 * must be able to earn every option. Every fact must have an owner: the colleague in the fact's `npc`, who says the fact.
 */
export function checkSimulation(scenario: Scenario): readonly Finding[] {
  const { simulation } = scenario
  if (simulation === undefined) return []
  return [
    ...checkGuide(simulation, scenario),
    ...checkSkills(simulation),
    ...checkHook(simulation, scenario),
    ...checkFacts(simulation, scenario, [AT]),
    ...checkEndings(simulation, scenario),
    ...checkSpread(simulation),
    ...checkNeeds(simulation, scenario),
  ]
}

const AT = 'simulation'

function checkGuide({ guide }: Simulation, { npcs }: Scenario): readonly Finding[] {
  const path = [AT, 'guide']
  const npc = npcs.find(({ id }) => id === guide)
  if (!npc) return [formError(path, `nobody here is called "${guide}"`)]
  return npc.walk === 'guide' ? [] : [formError(path, `${guide} does not walk as a guide`)]
}

/** Checks that the library's line of dialogue is a colleague's, and tells no fact. */
function checkHook({ hook, facts }: Simulation, { npcs }: Scenario): readonly Finding[] {
  if (hook === undefined) return []
  if (!npcs.some(({ id }) => id === hook.npc))
    return [formError([AT, 'hook', 'npc'], `nobody here is called "${hook.npc}"`)]
  return factsIn(facts, hook.line).map(({ fact }) =>
    formError([AT, 'hook', 'line'], `tells "${fact}" before anybody plays: take another line`),
  )
}

/** Checks that each skill names facts of this simulation, and that no fact shows two skills. */
function checkSkills({ skills, facts }: Simulation): readonly Finding[] {
  const named = skills.flatMap((skill, index) =>
    typeof skill === 'string'
      ? []
      : skill.facts.map((id, place) => ({ id, path: [AT, 'skills', index, 'facts', place] })),
  )
  return named.flatMap(({ id, path }, place) => {
    const unknown = unknownFact(id, facts, path)
    if (unknown.length > 0) return unknown
    const isTaken = named.findIndex((each) => each.id === id) < place
    return isTaken ? [formError(path, `"${id}" shows another skill already: leave it under one of them`)] : []
  })
}

function checkEndings({ endings, facts }: Simulation, { decision }: Scenario): readonly Finding[] {
  const at = [AT, 'endings']
  const options = decision.options.map(({ id }) => id)
  const same = endings.length === options.length && endings.every(({ option }, index) => option === options[index])
  const unknown = endings.flatMap(({ facts: named }, index) =>
    named.flatMap((id, place) => unknownFact(id, facts, [...at, index, 'facts', place])),
  )
  const deeds = endings.flatMap(({ after }, index) =>
    after.flatMap((paragraph, place) =>
      typeof paragraph === 'string'
        ? []
        : deedsIn(paragraph.when)
            .flatMap(({ heard = [], cited = [] }) => [...heard, ...cited])
            .flatMap((id) => unknownFact(id, facts, [...at, index, 'after', place, 'when'])),
    ),
  )
  const mute = endings.flatMap(({ after }, index) =>
    after.some((paragraph) => typeof paragraph === 'string' || paragraph.otherwise !== undefined)
      ? []
      : [formError([...at, index, 'after'], 'may tell nothing, because every paragraph has a condition')],
  )
  const right = endings.filter(({ verdict }) => verdict === 'right').length
  return [
    ...(same ? [] : [formError(at, `has to have one ending for each of ${options.join(', ')}, in this order`)]),
    ...(right === 1 ? [] : [formError(at, `has ${right} right answers where there has to be one`)]),
    ...unknown,
    ...deeds,
    ...mute,
  ]
}

/** Returns a finding if no fact has this id. */
function unknownFact(id: string, facts: readonly ScenarioFact[], path: DataPath): readonly Finding[] {
  return facts.some((fact) => fact.id === id) ? [] : [formError(path, `there is no fact "${id}"`)]
}

/**
 * Checks the options that a learner has to earn: every learner who stays to the end of all conversations must be able to
 * choose them, and at least two options must be open from the start.
 */
function checkNeeds({ facts }: Simulation, { decision: { options }, npcs }: Scenario): readonly Finding[] {
  const at = ['decision', 'options']
  const hard = options.flatMap(({ needs = [] }, index) =>
    needs.flatMap((id, place): readonly Finding[] => {
      const path = [...at, index, 'needs', place]
      const fact = facts.find((each) => each.id === id)
      if (!fact) return unknownFact(id, facts, path)
      const npc = npcs.find((each) => each.id === fact.npc)
      return !npc || isToldToAll(fact, npc)
        ? []
        : [formError(path, `"${id}" opens an option and is not told to everybody who stays to the end`)]
    }),
  )
  const open = options.filter(({ needs }) => needs === undefined).length
  return [
    ...hard,
    ...(open >= 2
      ? []
      : [formError(at, `has ${amountOf(open, 'option that is', 'options that are')} open from the start`)]),
  ]
}

/**
 * Checks that the right ending rests on deciding facts of at least two colleagues. Otherwise one conversation would be
 * enough to know the right option.
 */
function checkSpread({ facts, endings }: Simulation): readonly Finding[] {
  const right = endings.find(({ verdict }) => verdict === 'right')
  const rests = facts.filter(({ id, deciding }) => deciding && right?.facts.includes(id))
  const holders = new Set(rests.map(({ npc }) => npc))
  const lost = facts.filter(({ id, deciding }) => deciding && !endings.some((ending) => ending.facts.includes(id)))
  return [
    ...(holders.size >= 2
      ? []
      : [formError([AT, 'endings'], 'has a right answer that rests on deciding facts of fewer than two people')]),
    ...lost.map(({ id }) => formError([AT, 'facts'], `"${id}" is deciding and speaks about no ending`)),
  ]
}

/**
 * Checks that each fact's owner says the fact, that every learner who stays to the end hears the deciding facts, and
 * that no colleague says a fact that another colleague owns.
 *
 * @param path the path of the simulation in the file's data
 */
function checkFacts({ facts }: Simulation, { npcs }: Scenario, path: DataPath): readonly Finding[] {
  const told = npcs.map((npc, index) => ({ npc, lines: tellings(linesSpoken(npc, ['npcs', index]), facts) }))
  const spoken = new Set(told.flatMap(({ npc, lines }) => factsSpoken(facts, npc, lines)))
  return [
    ...facts.flatMap((fact, index) => checkFact(fact, index, facts, { npcs, spoken }, [...path, 'facts', index])),
    ...told.flatMap(({ npc, lines }, index) => checkStrays(npc, ['npcs', index], lines, facts, npcs)),
  ]
}

/** A text, and the ids of the facts in it. */
interface Telling extends ScenarioText {
  readonly told: readonly string[]
}

function tellings(texts: readonly ScenarioText[], facts: readonly ScenarioFact[]): readonly Telling[] {
  return texts.map((each) => ({ ...each, told: factsIn(facts, each.text).map(({ fact }) => fact) }))
}

function checkFact(
  fact: ScenarioFact,
  index: number,
  facts: readonly ScenarioFact[],
  { npcs, spoken }: { readonly npcs: readonly Npc[]; readonly spoken: ReadonlySet<string> },
  path: DataPath,
): readonly Finding[] {
  const twin = facts.findIndex(({ id }) => id === fact.id) < index
  const npc = npcs.find(({ id }) => id === fact.npc)
  if (!npc) return [formError([...path, 'npc'], `nobody here is called "${fact.npc}"`)]
  return [
    ...(twin ? [formError([...path, 'id'], `there is another fact "${fact.id}"`)] : []),
    ...checkTelling(fact, npc, spoken.has(fact.id), [...path, 'heard']),
  ]
}

function checkTelling(fact: ScenarioFact, npc: Npc, isSpoken: boolean, path: DataPath): readonly Finding[] {
  if (!isSpoken) return [formError(path, `is in nothing that ${npc.id} says`)]
  if (!fact.deciding || isToldToAll(fact, npc)) return []
  return [formError(path, 'is deciding and not told to everybody who stays to the end')]
}

/**
 * Returns the ids of the colleague's facts that are in one of the colleague's lines. A fact in the colleague's document
 * alone is not enough: a learner may leave before the colleague hands the document over. For a colleague without
 * rehearsal lines, what they know counts as well, because a model tells it in its own words.
 */
function factsSpoken(facts: readonly ScenarioFact[], npc: Npc, lines: readonly Telling[]): readonly string[] {
  const own = facts.filter((fact) => fact.npc === npc.id)
  const { knowledge, depth, decisionFacts, beats, document } = npc
  const known = hasLines(npc) ? [] : textsUnder({ knowledge, depth, decisionFacts, beats, document })
  const told = [...lines, ...tellings(known, own)].flatMap((text) => text.told)
  return told.filter((id) => own.some((fact) => fact.id === id))
}

/**
 * Nodes that some walks don't enter: `CONFIDE` if the relationship stays below `cooperative`, and `PIVOT_2` and
 * `RESOLVE` if the learner never acknowledges the gate's content, because the walk then goes straight to `CLOSE`.
 */
const PASSED_BY = ['CONFIDE', 'PIVOT_2', 'RESOLVE']

/**
 * Returns true if every learner who stays to the end gets the fact: from the colleague's document, or from the opening
 * line of a node that every walk visits. A colleague without rehearsal lines has no such line, so only the document is
 * certain.
 */
function isToldToAll(fact: ScenarioFact, { document, rehearsal }: Npc): boolean {
  const opens = Object.entries(rehearsal.nodes).some(([id, { open, escalated }]) => {
    // For a learner who never stated the decision fact in their own words, CLOSE opens with its `escalated` lines.
    const first = id === 'CLOSE' ? [...open, ...escalated] : open
    return !PASSED_BY.includes(id) && first.length > 0 && first.every((line) => tells(speech(line).say, fact))
  })
  return opens || (document?.lines ?? []).some((line) => tells(line, fact))
}

/**
 * Finds facts that a colleague tells although another colleague owns them. A fact counts as heard only if its owner
 * tells it.
 */
function checkStrays(
  npc: Npc,
  path: DataPath,
  lines: readonly Telling[],
  facts: readonly ScenarioFact[],
  npcs: readonly Npc[],
): readonly Finding[] {
  const others = facts.filter((fact) => fact.npc !== npc.id && npcs.some(({ id }) => id === fact.npc))
  const written = [
    ...textsUnder(npc.knowledge, [...path, 'knowledge']),
    ...textsUnder(npc.document?.lines ?? [], [...path, 'document', 'lines']),
  ]
  return [...lines, ...tellings(written, others)].flatMap(({ told, path: at }) =>
    others
      .filter(({ id }) => told.includes(id))
      .map((fact) => formError(at, `tells "${fact.id}", which counts only from ${fact.npc}`)),
  )
}

function tells(text: string, fact: ScenarioFact): boolean {
  return factsIn([fact], text).length > 0
}
