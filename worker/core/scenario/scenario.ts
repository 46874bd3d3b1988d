import type { AssistantSpec } from '../assistant/assistant-spec.ts'
import type { RehearsalLines } from './rehearsal-lines.ts'

/** The depth of a scenario's conversations. The tier decides which backbone the conversations use. */
export type Tier = 'TECHNICAL' | 'ACADEMIC' | 'EXPERT'

/**
 * The graph of a colleague's conversation: the backbone of the scenario's tier, the guide's backbone, the backbone with
 * this id, or a context graph.
 */
export type NpcWalk = 'tier' | 'guide' | (string & {}) | { readonly graph: string; readonly version: number }

/** One career simulation, as its author wrote it. `sims/authoring/scenario-schema.ts` parses it from YAML. */
export interface Scenario {
  readonly id: string
  readonly version: number
  readonly title: string
  readonly tier: Tier
  /** The learner's role, worded to follow "You are": "a machine learning engineer who has to decide by Thursday". */
  readonly role: string
  readonly situation: { readonly where: string; readonly what: string }
  readonly decision: { readonly question: string; readonly options: readonly DecisionOption[] }
  readonly objectives: readonly { readonly id: string; readonly title: string }[]
  readonly npcs: readonly Npc[]
  /** Words with the same meaning in this simulation, so that a question finds its answer: [customer, client]. */
  readonly synonyms: readonly (readonly string[])[]
  /**
   * The colleagues whose completed conversations complete a learner's run. Without this field nothing completes a run.
   */
  readonly run?: { readonly completes: 'all' | readonly string[] } | undefined
  /** The parts of a simulation that a learner plays to a decision. Without this field there are only conversations. */
  readonly simulation?: Simulation | undefined
  /** The language that colleagues speak, as BCP 47 names it. Without this field it is English. */
  readonly language?: string | undefined
  /** The id of the simulation that this one is a translation of. The game's library offers one of the two ([page-10]). */
  readonly translates?: string | undefined
  /** Present for an assistant, whose colleagues are agents that answer behind one chat. */
  readonly assistant?: AssistantSpec | undefined
}

export interface DecisionOption {
  readonly id: string
  readonly title: string
  /**
   * The ids of the facts that a learner must have heard before the option is shown and can be chosen. Without this field
   * the option is open from the start.
   */
  readonly needs?: readonly string[] | undefined
}

/**
 * The game around the conversations. An actor gets none of these fields except facts: those of its own colleague, and
 * those that the learner brings from other colleagues. Learners see the endings only after they decide.
 */
export interface Simulation {
  /** The playing time in minutes, shown where a learner chooses a simulation. */
  readonly minutes: number
  /** What the learner practises. A skill that is only a title is promised, but the debrief cannot show it. */
  readonly skills: readonly (string | Skill)[]
  /** A line of dialogue with which the library introduces the simulation, and the colleague who could say it. */
  readonly hook?: { readonly npc: string; readonly line: string } | undefined
  /** When the decision is due, worded to follow "Decide": "by tonight". */
  readonly deadline: string
  /** The colleague who sets the scene. */
  readonly guide: string
  readonly facts: readonly ScenarioFact[]
  /** The ending of each option of the decision, in order. */
  readonly endings: readonly OptionEnding[]
}

/** A skill, and the deciding facts that a learner with this skill hears and uses. */
export interface Skill {
  readonly title: string
  readonly facts: readonly string[]
}

/** A fact that a colleague can say, or that their document states. */
export interface ScenarioFact {
  readonly id: string
  /** The colleague who owns the fact. The fact counts as heard only from this colleague. */
  readonly npc: string
  /** The fact in the author's words. */
  readonly text: string
  /** Groups of terms. A spoken text or a document states the fact if it contains one term of each group. */
  readonly heard: readonly (readonly string[])[]
  /** The same for a learner's reason, which may state the fact in other terms. */
  readonly stated?: readonly (readonly string[])[] | undefined
  /** True if the right answer rests on this fact. */
  readonly deciding: boolean
}

export interface OptionEnding {
  readonly option: string
  readonly verdict: 'right' | 'defensible' | 'wrong'
  /** The consequences, one paragraph each. */
  readonly after: readonly EndingParagraph[]
  /** The facts that matter most for or against this option. */
  readonly facts: readonly string[]
}

/**
 * A paragraph of an ending: a text for every learner, or a text for a learner who did everything in `when`, or in one
 * item of `when` if it is a list. Other learners read `otherwise`, or nothing if it is missing.
 */
export type EndingParagraph =
  | string
  | { readonly when: Deeds | readonly Deeds[]; readonly text: string; readonly otherwise?: string | undefined }

/** What a learner did up to the decision, as ids of facts: all of `heard` were heard, and all of `cited` were cited. */
export interface Deeds {
  readonly heard?: readonly string[] | undefined
  readonly cited?: readonly string[] | undefined
}

/** A colleague: everything they know, want and would say. */
export interface Npc {
  readonly id: string
  readonly name: string
  readonly role: string
  /** The colleague's colour, as an OKLCH hue in degrees. */
  readonly hue: number
  /** One line that sets the scene for the learner, without a fact. */
  readonly scene: string
  readonly walk: NpcWalk
  readonly greeting: string
  /** Two first messages that the game offers a learner. Missing: a general hello and a general question. */
  readonly openers?: readonly string[] | undefined
  /** What the colleague wants to get across early (`beat1`) and at the end (`beat6`). Either list may be empty. */
  readonly beats: { readonly beat1: readonly string[]; readonly beat6: readonly string[] }
  readonly knowledge: readonly string[]
  /** How things work in detail, for scenarios of tier EXPERT. */
  readonly depth: readonly string[]
  /** Objections that test a learner's reasoning, for scenarios of tier EXPERT. */
  readonly challenges: readonly string[]
  readonly concerns: readonly string[]
  readonly goals: readonly string[]
  readonly opinion: { readonly rightCall: string; readonly argument: string } | null
  /** The colleague's document. Where the document and `knowledge` differ, the document wins. */
  readonly document: ScenarioDocument | null
  readonly decisionFacts: readonly string[]
  readonly pivots: readonly PivotContent[]
  readonly keyReveal: string | null
  readonly goal: { readonly objective: string; readonly endCondition: string }
  /** The next colleague for the learner to see, and why, in this colleague's words. */
  readonly next: { readonly npc: string; readonly why: string } | null
  /** The colleague's responsibility, in a phrase for others: "the contract, the client and the date". */
  readonly owns: string
  /** The colleague's responsibility in a learner's words, to recognise a question for this colleague. */
  readonly subjects: readonly string[]
  /** The lines for the rehearsal actor. Every list is empty if the author wrote none: a model needs no lines. */
  readonly rehearsal: RehearsalLines
}

export interface ScenarioDocument {
  readonly title: string
  /** The kind of paper: "test report", "contract clause". */
  readonly kind: string
  readonly lines: readonly string[]
}

/** A fork: a pointed question and two to four answers for the learner. */
export interface PivotContent {
  readonly id: string
  readonly question: string
  readonly choices: readonly PivotChoice[]
}

export interface PivotChoice {
  readonly id: string
  readonly text: string
  /** Other words in which learners give this answer, for the rehearsal actor. */
  readonly means?: readonly string[] | undefined
  readonly mood: number
  readonly reaction: string
  /** One line that tells the learner the effect: "Maya lowers her guard." */
  readonly effect: string
}

/** Returns true if the author wrote rehearsal lines for a colleague. Only a model can speak for any other colleague. */
export function hasLines({ rehearsal }: Pick<Npc, 'rehearsal'>): boolean {
  const { asides, ...others } = rehearsal
  const parts: readonly object[] = [...Object.values(others), ...Object.values(asides)]
  return parts.some((part) => Object.keys(part).length > 0)
}

/**
 * Returns true if only a model can play a scenario, because a colleague has no rehearsal lines. An assistant's agents
 * need none.
 */
export function needsModel({ npcs, assistant }: Pick<Scenario, 'npcs' | 'assistant'>): boolean {
  return !assistant && !npcs.every(hasLines)
}

/** Returns the base of a scenario's language tag: "es" for "es-MX"; English if the author named none. */
export function languageOf({ language = 'en' }: { readonly language?: string | undefined }): string {
  return language.split('-')[0] ?? language
}

/** Returns a colleague's first name: "Maya Patel" is "Maya". */
export function firstName(name: string): string {
  return name.split(' ')[0] ?? name
}
