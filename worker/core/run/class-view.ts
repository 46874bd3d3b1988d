import type { ClassLearner, ClassView, DecisionView } from '../../wire/run.ts'
import type { ScenarioFact, Scenario, Simulation } from '../scenario/scenario.ts'
import { shortened } from '../reply/characters.ts'
import { broughtBy } from './brought-by.ts'
import { isHeardBy } from './debrief.ts'

/** A class as the database stores it. */
export interface ClassRecord {
  readonly id: string
  readonly code: string
  readonly title: string
  readonly scenario: string
  /** When the class began, in milliseconds since 1970. All times below have the same unit. */
  readonly startedAt: number
  /** Whether the teacher has closed the class, so that nobody can join. */
  readonly closed: boolean
  /** The learners in the order in which they joined. */
  readonly learners: readonly LearnerRecord[]
  /** The reasons of decisions, earliest decision first, without their learners. */
  readonly reasons: readonly { readonly option: string; readonly reason: string }[]
}

/** A learner in a class: a run, and the nickname used in the class. */
export interface LearnerRecord {
  readonly run: string
  readonly nickname: string
  readonly startedAt: number
  readonly activeAt: number
  /** The learner's decision without its reason, or null. */
  readonly decision: Omit<DecisionView, 'reason'> | null
  readonly plays: readonly {
    readonly npc: string
    readonly isOver: boolean
    readonly heard: readonly { readonly id: string; readonly at: number }[]
  }[]
}

/**
 * Returns the view of a class for its teacher: where each learner is, and which facts the learners who have decided had
 * not heard. Until one learner has decided, the view leaves out which facts are deciding, how many of them each learner
 * has heard, and how options are judged. The person who began the class may also play. If their number of deciding
 * facts rose when they heard a fact, they would know that this fact is deciding.
 */
export function classView(standing: ClassRecord, scenario: Scenario & { readonly simulation: Simulation }): ClassView {
  const { id, code, title, startedAt, closed, learners } = standing
  const { simulation } = scenario
  const deciding = simulation.facts.filter((fact) => fact.deciding)
  const decided = learners.filter(({ decision }) => decision !== null)
  const isTold = decided.length > 0
  return {
    id,
    title,
    code,
    scenario: scenario.id,
    startedAt,
    closed,
    learners: learners.map((each) => learnerView(each, scenario, isTold ? deciding : null)),
    missed: (isTold ? deciding : [])
      .map((fact) => ({
        fact: fact.id,
        npc: fact.npc,
        text: fact.text,
        missed: decided.filter((each) => !hasHeard(each, fact)).length,
        of: decided.length,
        ...broughtBy(fact, scenario),
      }))
      // Facts that are missed equally often stay in the author's order.
      .toSorted((a, b) => b.missed - a.missed),
    options: (isTold ? scenario.decision.options : []).map((option) => ({
      option: option.id,
      title: option.title,
      verdict: verdictOf(simulation, option.id) ?? 'wrong',
      n: decided.filter(({ decision }) => decision?.option === option.id).length,
      reasons: reasonsFor(standing, option.id),
    })),
  }
}

/** How many reasons of one option the view shows together at least, and by how many more it grows. */
const TOGETHER = 3

/** The most reasons of one option in the view: a multiple of `TOGETHER`. */
export const MOST_REASONS = 30

/** The longest reason in the view, in characters. */
export const LONGEST_SHOWN_REASON = 600

/**
 * Returns the reasons that learners gave for an option, in alphabetical order. The teacher also sees who chose the
 * option, and when. A reason that appeared alone would therefore show who wrote it. So the list shows the earliest
 * reasons in groups of three, and leaves out the one or two that are left ([class-13]).
 */
function reasonsFor({ reasons }: ClassRecord, option: string): string[] {
  const given = reasons.filter((each) => each.option === option).map(({ reason }) => reason.trim())
  const shown = given.filter((reason) => reason !== '')
  return shown
    .slice(0, shown.length - (shown.length % TOGETHER))
    .map((reason) => shortened(reason, LONGEST_SHOWN_REASON))
    .toSorted((a, b) => (a < b ? -1 : 1))
}

/** @param deciding the deciding facts; null if the view must not show which facts are deciding */
function learnerView(
  learner: LearnerRecord,
  { npcs, simulation }: Scenario & { readonly simulation: Simulation },
  deciding: readonly ScenarioFact[] | null,
): ClassLearner {
  const { run, nickname, startedAt, activeAt, decision, plays } = learner
  const option = decision?.option ?? null
  return {
    run,
    nickname,
    startedAt,
    activeAt,
    people: npcs.map(({ id }) => {
      const play = plays.find(({ npc }) => npc === id)
      return { npc: id, status: play === undefined ? 'new' : play.isOver ? 'over' : 'talking' }
    }),
    facts: deciding && {
      deciding: deciding.length,
      heard: deciding.filter((fact) => hasHeard(learner, fact)).length,
    },
    option,
    verdict: option === null ? null : verdictOf(simulation, option),
  }
}

/** Tells whether a learner heard a fact. A fact heard after the learner's decision counts as missed ([debrief-7]). */
function hasHeard({ plays, decision }: LearnerRecord, { id }: ScenarioFact): boolean {
  return plays.some(({ heard }) =>
    heard.some((fact) => fact.id === id && (decision === null || isHeardBy(decision, fact))),
  )
}

/** Returns the verdict on an option, or null if this version of the simulation does not have the option. */
function verdictOf({ endings }: Simulation, option: string): ClassLearner['verdict'] {
  return endings.find((ending) => ending.option === option)?.verdict ?? null
}
