import type { RehearsalLines } from './rehearsal-lines.ts'

/** How far a scenario's conversations go, and so which generic backbone they walk. */
export type Tier = 'TECHNICAL' | 'ACADEMIC' | 'EXPERT'

/** What walks a colleague's conversation: the backbone of the scenario's tier, the guide's, or a context graph. */
export type NpcWalk = 'tier' | 'guide' | { readonly graph: string; readonly version: number }

/** One career simulation, as its author wrote it. `sims/authoring/scenario-schema.ts` reads it from YAML. */
export interface Scenario {
  readonly id: string
  readonly version: number
  readonly title: string
  readonly tier: Tier
  /** Who the learner is, as it goes after "You are": "a machine learning engineer who has to decide by Thursday". */
  readonly role: string
  readonly situation: { readonly where: string; readonly what: string }
  readonly decision: { readonly question: string; readonly options: readonly { id: string; title: string }[] }
  readonly objectives: readonly { readonly id: string; readonly title: string }[]
  readonly npcs: readonly Npc[]
  /** Words that mean the same in this simulation, so that a question finds its answer: [customer, client]. */
  readonly synonyms: readonly (readonly string[])[]
  /** Whose conversations complete a learner's run once all of them are completed; unsaid, nothing does. */
  readonly run?: { readonly completes: 'all' | readonly string[] } | undefined
  /** What makes it a simulation to be played to a decision; without it there are conversations only. */
  readonly simulation?: Simulation | undefined
}

/** What the game around the conversations needs to know. No colleague is told any of it, and no learner before they decide. */
export interface Simulation {
  /** How long it takes, for the library. */
  readonly minutes: number
  /** What is practised, each in a few words. */
  readonly skills: readonly string[]
  /** By when the decision is due, as it goes after "Decide": "by tonight". */
  readonly deadline: string
  /** The colleague who sets the scene. */
  readonly guide: string
  readonly facts: readonly ScenarioFact[]
  /** How it ends, for every option of the decision, in its order. */
  readonly endings: readonly OptionEnding[]
}

/** Something that a colleague can be heard to say, or that stands in their document. */
export interface ScenarioFact {
  readonly id: string
  /** Whose it is: it counts as heard from nobody else. */
  readonly npc: string
  /** In the author's words, for the debrief. */
  readonly text: string
  /** How it is recognised in what was said or handed over: of each group one has to be in it. */
  readonly heard: readonly (readonly string[])[]
  /** Whether the right answer rests on it. */
  readonly deciding: boolean
}

export interface OptionEnding {
  readonly option: string
  readonly verdict: 'right' | 'defensible' | 'wrong'
  /** What happened next, a paragraph each. */
  readonly after: readonly string[]
  /** The facts that speak most about this option, for it or against it. */
  readonly facts: readonly string[]
}

/** A colleague: everything they know, want and would say. */
export interface Npc {
  readonly id: string
  readonly name: string
  readonly role: string
  /** OKLCH hue in degrees. */
  readonly hue: number
  /** One line that sets the scene for the learner. Gives no fact away. */
  readonly scene: string
  readonly walk: NpcWalk
  readonly greeting: string
  /** What they want to get across early (`beat1`) and at the end (`beat6`). Either may be empty. */
  readonly beats: { readonly beat1: readonly string[]; readonly beat6: readonly string[] }
  readonly knowledge: readonly string[]
  /** How it works underneath, for those who can follow (EXPERT). */
  readonly depth: readonly string[]
  /** What they would put to a learner's reasoning to see whether it holds (EXPERT). */
  readonly challenges: readonly string[]
  readonly concerns: readonly string[]
  readonly goals: readonly string[]
  readonly opinion: { readonly rightCall: string; readonly argument: string } | null
  /** The source of record. Where it and `knowledge` differ, the document wins. */
  readonly document: ScenarioDocument | null
  readonly decisionFacts: readonly string[]
  readonly pivots: readonly PivotContent[]
  readonly keyReveal: string | null
  readonly goal: { readonly objective: string; readonly endCondition: string }
  /** Who to see next and why, in this colleague's words. */
  readonly next: { readonly npc: string; readonly why: string } | null
  /** What is theirs to answer for, in a phrase that others can be told: "the contract, the client and the date". */
  readonly owns: string
  /** The same as the words a learner would use, by which a question is recognised as theirs. */
  readonly subjects: readonly string[]
  /** What the rehearsal actor says for them, node by node. */
  readonly rehearsal: RehearsalLines
}

export interface ScenarioDocument {
  readonly title: string
  /** What kind of paper it is: "test report", "contract clause". */
  readonly kind: string
  readonly lines: readonly string[]
}

/** A fork: a pointed question and two to four things the learner could say to it. */
export interface PivotContent {
  readonly id: string
  readonly question: string
  readonly choices: readonly PivotChoice[]
}

export interface PivotChoice {
  readonly id: string
  /** What the learner would say, in their words. */
  readonly text: string
  /** Added to the relationship score. */
  readonly mood: number
  /** What the colleague says back at once. */
  readonly reaction: string
  /** One line that tells the learner what it did: "Maya lowers her guard." */
  readonly effect: string
}

/** What a colleague is called across a desk: "Maya Patel" is "Maya". */
export function firstName(name: string): string {
  return name.split(' ')[0] ?? name
}
