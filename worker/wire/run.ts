import type { Credentials, DocumentView, PersonView, RelationshipLevel } from './messages.ts'

/**
 * The types of the HTTP requests of the game's page and of their answers (docs/reference/game.md). A request about a
 * run sends the run's key as `Authorization: Bearer`. Before the decision, no answer to a learner contains a fact that
 * the learner has not heard.
 */

/** What everybody may know of a simulation before playing it. `/scenarios.json` lists these. */
export interface SimulationCard {
  id: string
  version: number
  /** The language of the simulation, as BCP 47 names it. */
  language: string
  /** The id of the simulation that this one is a translation of; null for an original. */
  translates: string | null
  title: string
  tier: 'TECHNICAL' | 'ACADEMIC' | 'EXPERT'
  /** The learner's role, worded to follow "You are". */
  role: string
  where: string
  what: string
  minutes: number
  skills: string[]
  /** A line of dialogue that introduces the simulation; null if the author wrote none. */
  hook: { npc: string; line: string } | null
  question: string
  /** The options that are open from the start. */
  options: { id: string; title: string }[]
  /** When the decision is due, worded to follow "Decide": "by tonight". */
  deadline: string
  /** The id of the colleague who sets the scene. */
  guide: string
  people: (PersonView & { scene: string; owns: string; openers?: string[] })[]
  objectives: { id: string; title: string }[]
  /** Present if only a language model can speak for the colleagues, because a colleague has no rehearsal lines. */
  needsModel?: true
  /** Present if this server has no language model, so that the colleagues speak lines that the author wrote. */
  isWritten?: true
}

/** The answer to `POST /api/runs` and to `POST /api/run/again`. Anyone with the key can open the run, on any device. */
export interface RunStarted {
  run: { id: string; key: string }
}

/**
 * The answer to `POST /api/run/talk {npc}`: the run's conversation with this colleague, which the request begins if
 * there is none yet.
 */
export type TalkOpened = { session: string; npc: string; key: string } & Credentials

/** The answer to `GET /api/run` and to `POST /api/run/decision`: everything that the page shows of a run. */
export interface RunView {
  id: string
  scenario: string
  version: number
  /** When the run began. All times in this file are milliseconds since 1970. */
  startedAt: number
  /** The name that the learner gave for this run; null if they gave no name. */
  nickname: string | null
  /** The class that the run is part of; null if the run belongs to no class. */
  class: { id: string; title: string } | null
  /**
   * The pivot (fork) at which this run began as a copy of another run, both null if it began at that run's decision; null
   * for any other run.
   */
  again: { npc: string | null; pivot: string | null } | null
  /** The colleagues, including the guide, in the order of the scenario. */
  people: PersonState[]
  objectives: { id: string; title: string; npc: string; state: 'open' | 'met' | 'missed' }[]
  /** The facts in the order in which the learner heard them. */
  facts: HeardFact[]
  /** The documents in the order in which they were handed over. */
  documents: (DocumentView & { npc: string; at: number })[]
  decision: DecisionView | null
  /**
   * The options that the learner can choose now. Present only if the decision has options that must be earned; otherwise
   * the options are those of the `SimulationCard`. `opened`: the heard facts that opened an option that had to be earned.
   */
  options?: { id: string; title: string; opened?: string[] }[]
  /** Present if the decision has an option that the learner has not earned yet. */
  more?: true
}

export interface PersonState {
  npc: string
  /** `over`: the conversation has ended. */
  status: 'new' | 'talking' | 'over'
  /** Present if the learner has said something. The page opens the guide's conversation by itself. */
  hasSpoken?: true
  level: RelationshipLevel
  /** How the conversation ended, as in `TalkView`; null if it has never ended. */
  completion: 'earned' | 'forced' | null
  /** The colleague to whom this colleague sent the learner on; null if this colleague sent the learner to nobody. */
  next: { npc: string; why: string } | null
}

/** A fact that a colleague told. `said` quotes the colleague; the page changes only straight apostrophes and quotation marks. */
export interface HeardFact {
  id: string
  npc: string
  /** The fact in the author's words. */
  text: string
  /** The colleague's own words for it, or the line of a document. */
  said: string
  /** The turn in which the colleague told the fact; null if the fact is in a document that was handed over. */
  turn: number | null
  at: number
}

/**
 * The run's only decision, made by `POST /api/run/decision {option, reason, evidence, unticked?}`. A later request gets the run
 * back with this decision: with `200` if it makes the same decision, otherwise with `409 decided`.
 */
export interface DecisionView {
  option: string
  reason: string
  /** The ids of facts that the learner has heard. */
  evidence: string[]
  /** The ids of facts that the learner unticked: they don't count as used, although the reason seems to name them. */
  unticked?: string[] | undefined
  at: number
}

/** The answer to `POST /api/run/named {reason}`: the ids of the facts that the learner has heard and the reason names. */
export interface NamedFacts {
  facts: string[]
}

/** The answer to `GET /api/run/debrief`; before the decision the answer is `409 undecided`. */
export interface DebriefView {
  run: RunView
  ending: EndingView
  /** The endings of the other options that the learner has earned. */
  others: EndingView[]
  facts: DecidingFact[]
  /** What the simulation promised to practise. Each skill has the ids of the deciding facts that show it. */
  skills: { title: string; facts: string[] }[]
  talks: TalkView[]
  /**
   * The signed result as text. The page `/#/result/`, followed by this text, shows the result to anyone who wants to
   * check it.
   */
  result: string
}

export interface EndingView {
  option: string
  title: string
  verdict: 'right' | 'defensible' | 'wrong'
  after: string[]
  /** The ids of the deciding facts that speak most for or against this option. */
  facts: string[]
  /**
   * The colleague who has what would have made the ending better, the fact itself if the learner had heard it, and the
   * sentence of the ending that tells what went wrong for want of it. Absent if nothing went wrong.
   */
  wanting?: { npc: string; heard: string | null; text: string }
}

/**
 * A fact on which the decision should rest. `cited`: the learner heard it and uses it in the decision, as evidence or in
 * the words of the reason. `ignored`: the learner heard it and does not use it. `missed`: the learner had not heard it by
 * the decision.
 */
export interface DecidingFact {
  id: string
  npc: string
  /** The fact in the author's words; null if the learner can still find the fact out from the colleague. */
  text: string | null
  state: 'cited' | 'ignored' | 'missed'
  /** The colleague's words; null if the fact is `missed`. */
  said: string | null
  /** The turn in which the colleague told the fact; null if the fact is `missed` or in a document handed over. */
  turn: number | null
}

/** The debrief of one conversation. A conversation that was never begun has no `TalkView`. */
export interface TalkView {
  npc: string
  /**
   * `earned`: every gate was satisfied and nothing cut the conversation short. `forced`: any other end. Null: the
   * conversation has not ended.
   */
  completion: 'earned' | 'forced' | null
  /** The colleague's level after each turn and each choice, oldest first. */
  relationship: { turn: number; level: RelationshipLevel; by: 'turn' | 'choice' }[]
  /** Every node that the walk visited, with the reason why the walk left it. */
  walk: WalkStep[]
  /** The engagement score of each turn that was answered in full, and the learner's words in that turn. */
  engagement: { turn: number; score: number; said: string }[]
  /** The answer that this colleague would have accepted, in their own words. */
  accepts: string[]
  /**
   * The option that this colleague thought right, and why; null if the author gave the colleague no opinion, or if the
   * learner has not earned the option.
   */
  opinion: { rightCall: string; argument: string } | null
  pivots: PivotView[]
  transcript: { id: string; who: 'learner' | 'npc'; text: string; at: number }[]
}

export interface WalkStep {
  node: string
  kind: 'speak' | 'pivot' | 'silent'
  /**
   * The first and the last turn of this visit (`from` and `to`). The visit of a silent node contains no turn of its
   * own; `from` and `to` are then the turns in which the walk passed the node.
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
  /**
   * The card that the learner picked, or the card that their typed answer means; null if the learner neither picked nor
   * meant a card.
   */
  choice: { id: string; effect: string } | null
  /**
   * Present if the learner typed the answer. `card`: the answer means the card in `choice`. `own`: the answer means no
   * card.
   */
  typed?: 'card' | 'own'
  /** The answer that the learner typed. Null if they picked a card, or gave no answer. */
  said: { turn: number; text: string } | null
  /** True if a new run can begin at this pivot (`POST /api/run/again {npc, pivot, cid}`). At the decision it always can. */
  again: boolean
}

/**
 * The answer to `POST /api/results {result}`: the content of a signed result. If this deployment did not sign the
 * result, the answer is `400 not-genuine`.
 */
export interface ResultView {
  /** The run's id, by which the teacher of the run's class can find the run. */
  run: string
  scenario: string
  title: string
  version: number
  /** The name that the learner gave for this run; null if they gave no name. */
  nickname: string | null
  /**
   * The title of the class; null if the run belongs to no class. The title proves nothing, because anyone may begin a
   * class with any title.
   */
  class: string | null
  /** True if the run began at a pivot of another run, as a copy. */
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

/**
 * The answer to `POST /api/classes {title, scenario}`. With the code learners join the class; the key is for the
 * teacher alone.
 */
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
  /** Whether the teacher has closed the class, so that nobody can join. */
  closed: boolean
}

/** The answer to `GET /api/class` with the teacher's key: the class, with the progress of each learner. */
export interface ClassView {
  id: string
  title: string
  code: string
  scenario: string
  startedAt: number
  /** Whether the teacher has closed the class, so that nobody can join. */
  closed: boolean
  learners: ClassLearner[]
  /** The deciding facts, the most missed fact first. Empty before the first learner has decided. */
  missed: MissedFact[]
  /** The decision's options. Empty before the first learner has decided. */
  options: ClassOption[]
}

/** How many learners decided without having heard a deciding fact, and what would have brought the fact. */
export interface MissedFact {
  fact: string
  npc: string
  text: string
  missed: number
  /** How many learners have decided. */
  of: number
  /** A question that the colleague answers with the fact; null if the author foresaw no such question. */
  question: string | null
  /** The title of the colleague's document, if it states the fact; otherwise null. */
  paper: string | null
}

export interface ClassOption {
  option: string
  title: string
  verdict: 'right' | 'defensible' | 'wrong'
  /** How many learners chose the option. */
  n: number
  /** The reasons that learners gave, without their learners, in alphabetical order; in threes, so that none is alone. */
  reasons: string[]
}

export interface ClassLearner {
  run: string
  nickname: string
  startedAt: number
  /** When something last happened in the run. */
  activeAt: number
  people: { npc: string; status: PersonState['status'] }[]
  /**
   * The number of deciding facts, and how many of them this learner has heard; facts heard after the learner's decision
   * do not count. Null before the first learner of the class has decided.
   */
  facts: { deciding: number; heard: number } | null
  /** The option that the learner chose, and its verdict; both are null before the learner has decided. */
  option: string | null
  verdict: 'right' | 'defensible' | 'wrong' | null
}
