import type { Actor } from '../../worker/actor/actor.ts'
import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import { measure, type Measures } from './measure.ts'
import { type LearnerFault, learnerFault, modelLearner } from './model-learner.ts'
import { drawFrom, type Persona } from './persona.ts'
import { sentBy } from './phrases.ts'
import { type ArenaTalk, type NextAct, playTalk, type Side } from './play-talk.ts'
import { type Against, sidesOf } from './sides.ts'

/** What the arena plays. */
export interface ArenaPlan {
  readonly scenarios: readonly { readonly scenario: Scenario; readonly library: GraphLibrary }[]
  /** The id of the only colleague to play with; null for all colleagues. */
  readonly npc: string | null
  readonly personas: readonly Persona[]
  readonly seed: number
  readonly repeat: number
  readonly against: Against | null
  readonly actor: Actor
  /** The model that plays the learners; null if scripts play the learners. */
  readonly learner: Actor | null
}

/** One conversation of a learner with a colleague on one side. */
export interface ArenaRow {
  readonly scenario: string
  readonly npc: string
  readonly persona: string
  readonly side: string
  readonly run: number
  readonly talk: ArenaTalk
  readonly measures: Measures
  /**
   * The faults of the simulated learner in earlier attempts at this conversation. The earlier attempts do not count.
   */
  readonly thrownAway: readonly LearnerFault[]
  /**
   * The fault of the simulated learner in the last attempt; null if the attempt had no fault. A row with a fault does
   * not count.
   */
  readonly fault: LearnerFault | null
}

/** The most attempts at a conversation whose simulated learners depart from their persona. */
const MOST_ATTEMPTS = 3
/** How many conversations are played at the same time if a model takes part. */
const AT_ONCE = 4

/**
 * Plays every conversation of a plan, and measures each conversation. The same plan without a model gives the same
 * rows.
 *
 * @param played called after each conversation with the number of finished conversations and the number of all
 * conversations
 */
export async function runArena(
  plan: ArenaPlan,
  played: (done: number, all: number) => void = () => undefined,
): Promise<readonly ArenaRow[]> {
  const jobs = jobsOf(plan)
  const rows: ArenaRow[] = []
  let next = 0
  let done = 0
  const work = async () => {
    for (let at = next++; at < jobs.length; at = next++) {
      const job = jobs[at]
      if (job) rows[at] = await playRow(plan, job)
      played(++done, jobs.length)
    }
  }
  await Promise.all(Array.from({ length: hasModelIn(plan) ? AT_ONCE : 1 }, work))
  return rows
}

/** Returns true if a model speaks for the colleagues or plays the learners. */
export function hasModelIn({ actor, learner }: Pick<ArenaPlan, 'actor' | 'learner'>): boolean {
  return actor.kind === 'model' || learner !== null
}

interface Job {
  readonly scenario: Scenario
  readonly npc: Npc
  readonly persona: Persona
  readonly side: Side
  readonly run: number
}

/** Returns every conversation of a plan, except those with a colleague who has no graph on a side. */
export function jobsOf({ scenarios, npc: only, personas, repeat, against }: ArenaPlan): readonly Job[] {
  const runs = Array.from({ length: repeat }, (_, place) => place + 1)
  return scenarios.flatMap(({ scenario, library }) => {
    const sides = sidesOf(library, against)
    const npcs = scenario.npcs.filter(({ id }) => only === null || id === only)
    return npcs.flatMap((npc) =>
      personas.flatMap((persona) =>
        runs.flatMap((run) =>
          sides.flatMap((side) => {
            const own = side.npcOf(scenario, npc)
            return own ? [{ scenario, npc: own, persona, side, run }] : []
          }),
        ),
      ),
    )
  })
}

async function playRow(plan: ArenaPlan, { scenario, npc, persona, side, run }: Job): Promise<ArenaRow> {
  const thrownAway: LearnerFault[] = []
  for (;;) {
    const next = plan.learner ? modelLearner(plan.learner, persona) : scriptedLearner(persona, plan.seed, run)
    const talk = await playTalk(side, { scenario, npc }, plan.actor, next)
    const fault = plan.learner ? learnerFault(talk, persona, npc) : null
    if (fault !== null && thrownAway.length + 1 < MOST_ATTEMPTS) {
      thrownAway.push(fault)
      continue
    }
    return {
      scenario: scenario.id,
      npc: npc.id,
      persona: persona.name,
      side: side.name,
      run,
      talk,
      measures: measure(talk, npc),
      thrownAway,
      fault,
    }
  }
}

/**
 * Returns a learner without a model. Both sides get the same learner, because the numbers that the learner draws depend
 * only on the seed, the conversation and the message's number.
 */
function scriptedLearner(persona: Persona, seed: number, run: number): NextAct {
  return (sight) => {
    const draw = drawFrom(seed, run, sight.scenario.id, sight.npc.id, persona.name, sentBy(sight))
    return Promise.resolve(persona.act(sight, draw))
  }
}
