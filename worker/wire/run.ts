import type { Credentials, DocumentView, PersonView, RelationshipLevel } from './messages.ts'

/**
 * The types of the HTTP messages between the game and the service (docs/reference/game.md). A request about a run sends
 * the run's key as `Authorization: Bearer`. A `RunView` contains nothing that the learner has not heard. A
 * `DebriefView` contains everything, and does not exist before the decision.
 */

/** `/scenarios.json`, a file of the build: the public data of a simulation before it is played. */
export interface SimulationCard {
  id: string
  version: number
  title: string
  tier: 'TECHNICAL' | 'ACADEMIC' | 'EXPERT'
  /** The learner's role, worded to follow "You are". */
  role: string
  where: string
  what: string
  minutes: number
  skills: string[]
  question: string
  options: { id: string; title: string }[]
  /** When the decision is due, worded to follow "Decide": "by tonight". */
  deadline: string
  /** The id of the colleague who sets the scene. */
  guide: string
  people: (PersonView & { scene: string; owns: string })[]
  objectives: { id: string; title: string }[]
}

/** The answer to `POST /api/runs` and to `POST /api/run/again`. The key opens the run on any device. */
export interface RunStarted {
  run: { id: string; key: string }
}

/**
 * The answer to `POST /api/run/talk {npc}`: this run's only conversation with this colleague, which the server starts
 * if it does not exist yet.
 */
export type TalkOpened = { session: string; npc: string; key: string } & Credentials

/** The answer to `GET /api/run`, and to a decision. */
export interface RunView {
  id: string
  scenario: string
  version: number
  /** When the run began, in milliseconds since 1970. All times below have the same unit. */
  startedAt: number
  nickname: string | null
  /** The class that the run is part of. */
  class: { id: string; title: string } | null
  /** The pivot of another run at which this run began; null if this run did not begin at a pivot. */
  again: { npc: string; pivot: string } | null
  /** The colleagues, including the guide, in the order of the scenario. */
  people: PersonState[]
  objectives: { id: string; title: string; npc: string; state: 'open' | 'met' | 'missed' }[]
  /** The facts in the order in which the learner heard them. */
  facts: HeardFact[]
  /** The documents in the order in which they were handed over. */
  documents: (DocumentView & { npc: string; at: number })[]
  decision: DecisionView | null
}

export interface PersonState {
  npc: string
  /** `over`: the conversation has ended. */
  status: 'new' | 'talking' | 'over'
  level: RelationshipLevel
  completion: 'earned' | 'forced' | null
  /** The colleague to whom this colleague sent the learner. */
  next: { npc: string; why: string } | null
}

/** A fact that a colleague told. `said` quotes the colleague, and the page shows it unchanged. */
export interface HeardFact {
  id: string
  npc: string
  said: string
  /**
   * The turn in which the colleague told the fact; null if the fact is in the document that the colleague handed over.
   */
  turn: number | null
  at: number
}

/**
 * The decision, made by `POST /api/run/decision {option, reason, evidence}`. A run has only one decision. A later
 * request gets that decision back: with `200` if it makes the same decision, otherwise with `409 decided`.
 */
export interface DecisionView {
  option: string
  reason: string
  /** The ids of facts that the learner has heard. */
  evidence: string[]
  at: number
}

/** The answer to `GET /api/run/debrief`; before the decision the answer is `409 undecided`. */
export interface DebriefView {
  run: RunView
  ending: EndingView
  /** The endings of the other options. */
  others: EndingView[]
  /** The deciding facts, in the author's words. */
  facts: DecidingFact[]
  talks: TalkView[]
  /**
   * The signed result as text. The page `/#/result/<it>`, with this text in place of `<it>`, shows the result to anyone
   * who wants to check it.
   */
  result: string
}

export interface EndingView {
  option: string
  title: string
  verdict: 'right' | 'defensible' | 'wrong'
  after: string[]
  /** The ids of the deciding facts that matter most for or against this option. */
  facts: string[]
}

/**
 * `cited`: heard and attached to the decision. `ignored`: heard and not attached. `missed`: not heard before the
 * decision.
 */
export interface DecidingFact {
  id: string
  npc: string
  text: string
  state: 'cited' | 'ignored' | 'missed'
  said: string | null
  turn: number | null
}

/** The debrief of one conversation. A conversation that was never begun has no `TalkView`. */
export interface TalkView {
  npc: string
  completion: 'earned' | 'forced' | null
  /** The colleague's level after each turn and each choice, oldest first. */
  relationship: { turn: number; level: RelationshipLevel; by: 'turn' | 'choice' }[]
  /** Every node that the walk visited, with the reason for each step out of it. */
  walk: WalkStep[]
  /** The engagement score of each turn that was answered in full, and the learner's words in that turn. */
  engagement: { turn: number; score: number; said: string }[]
  /** The answer that this colleague would have accepted, in their own words. */
  accepts: string[]
  /** The option that this colleague thought right, and why. */
  opinion: { rightCall: string; argument: string } | null
  pivots: PivotView[]
  transcript: { id: string; who: 'learner' | 'npc'; text: string; at: number }[]
}

export interface WalkStep {
  node: string
  kind: 'speak' | 'pivot' | 'silent'
  /**
   * `from` and `to` are the first and the last turn that was answered in this node; for a silent node, that passed it.
   */
  from: number
  to: number
  /**
   * Why the walk left the node: one of the walker's reasons, such as `satisfied` or `max-turns`. Null if the walk has
   * not left the node.
   */
  reason: string | null
}

export interface PivotView {
  pivot: string
  turn: number
  question: string
  choices: { id: string; text: string }[]
  /** The card that the learner picked, or that their own words came to; null if there is none. */
  choice: { id: string; effect: string } | null
  /** Present if the learner typed the answer: in words that come to `choice`, or in words of their own. */
  typed?: 'card' | 'own'
  /**
   * The message that answered the pivot, if the learner typed the answer. If they gave no answer, their first message
   * after the question. Null if they picked a card, or said nothing more.
   */
  said: { turn: number; text: string } | null
  /** True if a new run can begin at this pivot (`POST /api/run/again {npc, pivot, cid}`). */
  again: boolean
}

/**
 * The answer to `POST /api/results {result}`: the content of a signed result. For a result that this service did not
 * sign, the answer is `400 not-genuine`.
 */
export interface ResultView {
  /** The run's id, which the teacher of its class sees too. */
  run: string
  scenario: string
  title: string
  version: number
  nickname: string | null
  /** The title of the class. Anyone may start a class and give it any title. */
  class: string | null
  /** True if the run began at a pivot of another run. */
  again: boolean
  option: string
  optionTitle: string
  verdict: 'right' | 'defensible' | 'wrong'
  /**
   * The number of deciding facts, how many of them the learner had heard by the decision, and how many the decision
   * cites.
   */
  facts: { deciding: number; heard: number; cited: number }
  /** The number of objectives that were met by the time of the decision, and the number of all objectives. */
  objectives: { met: number; of: number }
  startedAt: number
  decidedAt: number
}

/** The answer to `POST /api/classes {title, scenario}`. The key is the teacher's secret; the learners get the code. */
export interface ClassStarted {
  class: { id: string; code: string; key: string }
}

/**
 * The answer to `GET /api/classes/<code>`: what a learner sees before they join by
 * `POST /api/runs {scenario, class, nickname}`.
 */
export interface ClassInvitation {
  title: string
  scenario: string
}

/**
 * The answer to `GET /api/class` with the teacher's key. `GET /api/class/export.csv` returns the same data as CSV, one
 * row for each learner.
 */
export interface ClassView {
  id: string
  title: string
  code: string
  scenario: string
  startedAt: number
  learners: ClassLearner[]
  /**
   * How many learners missed each deciding fact, most missed first. Only learners who have decided count. The list is
   * empty before the first learner has decided.
   */
  missed: { fact: string; npc: string; text: string; missed: number; of: number }[]
  /** How many learners chose each option, in the order of the decision. Empty before the first learner has decided. */
  options: { option: string; title: string; verdict: 'right' | 'defensible' | 'wrong'; n: number }[]
}

export interface ClassLearner {
  run: string
  nickname: string
  startedAt: number
  /** When something last happened in the run. */
  activeAt: number
  people: { npc: string; status: PersonState['status'] }[]
  /**
   * The number of deciding facts, and how many of them this learner has heard (by the time of their decision, if they
   * have decided). Null before the first learner of the class has decided.
   */
  facts: { deciding: number; heard: number } | null
  option: string | null
  verdict: 'right' | 'defensible' | 'wrong' | null
}
