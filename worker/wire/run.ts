import type { Credentials, DocumentView, PersonView, RelationshipLevel } from './messages.ts'

/**
 * What the game and the service say to each other over HTTP, types only (docs/reference/game.md). Whoever asks about a run holds its
 * key and sends it as `Authorization: Bearer`. Nothing in a `RunView` tells what the learner has not heard; a `DebriefView`
 * tells everything, and there is none before the decision.
 */

/** `/scenarios.json`, a file of the build: what anybody may know of a simulation before they play it. */
export interface SimulationCard {
  id: string
  version: number
  title: string
  tier: 'TECHNICAL' | 'ACADEMIC' | 'EXPERT'
  /** As it goes after "You are". */
  role: string
  where: string
  what: string
  minutes: number
  skills: string[]
  question: string
  options: { id: string; title: string }[]
  /** As it goes after "Decide": "by tonight". */
  deadline: string
  /** Who sets the scene. */
  guide: string
  people: (PersonView & { scene: string; owns: string })[]
  objectives: { id: string; title: string }[]
}

/** `POST /api/runs` answers with it, and `POST /api/run/again`. The key opens the run from any device. */
export interface RunStarted {
  run: { id: string; key: string }
}

/** `POST /api/run/talk {npc}`: the one conversation with this colleague in this run, begun if there was none. */
export type TalkOpened = { session: string; npc: string; key: string } & Credentials

/** `GET /api/run`, and the answer to a decision. */
export interface RunView {
  id: string
  scenario: string
  version: number
  /** Milliseconds since 1970, here and below. */
  startedAt: number
  nickname: string | null
  /** The class it is played in. */
  class: { id: string; title: string } | null
  /** Where it began, if not at the beginning: the pivot of another run. */
  again: { npc: string; pivot: string } | null
  /** In the order of the scenario; the guide is one of them. */
  people: PersonState[]
  objectives: { id: string; title: string; npc: string; state: 'open' | 'met' | 'missed' }[]
  /** In the order in which they were heard. */
  facts: HeardFact[]
  /** In the order in which they were handed over. */
  documents: (DocumentView & { npc: string; at: number })[]
  decision: DecisionView | null
}

export interface PersonState {
  npc: string
  /** `over`: the conversation has come to its end. */
  status: 'new' | 'talking' | 'over'
  level: RelationshipLevel
  completion: 'earned' | 'forced' | null
  /** Who they sent the learner to. */
  next: { npc: string; why: string } | null
}

/** Something a colleague told, in their own words: the page never sums it up. */
export interface HeardFact {
  id: string
  npc: string
  said: string
  /** The turn of their conversation; null: it stands in the document they handed over. */
  turn: number | null
  at: number
}

/** `POST /api/run/decision {option, reason, evidence}`. Once; asked again it answers with the first (`409 decided`). */
export interface DecisionView {
  option: string
  reason: string
  /** Ids of facts that were heard. */
  evidence: string[]
  at: number
}

/** `GET /api/run/debrief`; `409 undecided` before the decision. */
export interface DebriefView {
  run: RunView
  ending: EndingView
  /** How the other options would have ended. */
  others: EndingView[]
  /** The deciding facts, in the author's words. */
  facts: DecidingFact[]
  talks: TalkView[]
  /** A signed text that says how it went; `/#/result/<it>` shows it to whoever wants to check. */
  result: string
}

export interface EndingView {
  option: string
  title: string
  verdict: 'right' | 'defensible' | 'wrong'
  after: string[]
  /** Ids of the deciding facts that speak most about it. */
  facts: string[]
}

/** `cited`: heard, and attached to the decision. `ignored`: heard, and not attached. */
export interface DecidingFact {
  id: string
  npc: string
  text: string
  state: 'cited' | 'ignored' | 'missed'
  said: string | null
  turn: number | null
}

/** One conversation, as it went. Only those that were begun. */
export interface TalkView {
  npc: string
  completion: 'earned' | 'forced' | null
  /** After each turn and each choice, oldest first. */
  relationship: { turn: number; level: RelationshipLevel; by: 'turn' | 'choice' }[]
  /** Every node of the walk that was stood in, with the reason for each step out of it. */
  walk: WalkStep[]
  /** Of each turn that was answered whole: what it was found to be worth, and the learner's words. */
  engagement: { turn: number; score: number; said: string }[]
  /** The answer that this colleague would have accepted, in their own words. */
  accepts: string[]
  /** The option they thought right. */
  opinion: { rightCall: string; argument: string } | null
  pivots: PivotView[]
  transcript: { id: string; who: 'learner' | 'npc'; text: string; at: number }[]
}

export interface WalkStep {
  node: string
  kind: 'speak' | 'pivot' | 'silent'
  /** The first and the last turn that ended there. */
  from: number
  to: number
  /** Why it was left; null where it has not been. One of the walker's reasons, such as `satisfied` or `max-turns`. */
  reason: string | null
}

export interface PivotView {
  pivot: string
  turn: number
  question: string
  choices: { id: string; text: string }[]
  /** The picked choice, or null when the moment passed. */
  choice: { id: string; effect: string } | null
  /** A new run can begin here (`POST /api/run/again {npc, pivot, cid}`). */
  again: boolean
}

/** `POST /api/results {result}`: what a signed result says; `400 not-genuine` when it was not signed here. */
export interface ResultView {
  /** As in the table of its class. */
  run: string
  scenario: string
  title: string
  version: number
  nickname: string | null
  /** What it is called: anybody may begin a class, and call it whatever they like. */
  class: string | null
  /** The run began at a moment of another run. */
  again: boolean
  option: string
  optionTitle: string
  verdict: 'right' | 'defensible' | 'wrong'
  /** Of the deciding facts: how many there are, were heard by the decision, were cited. */
  facts: { deciding: number; heard: number; cited: number }
  /** How many were met by the decision. */
  objectives: { met: number; of: number }
  startedAt: number
  decidedAt: number
}

/** `POST /api/classes {title, scenario}` answers with it. The key is the teacher's secret; the code is for the learners. */
export interface ClassStarted {
  class: { id: string; code: string; key: string }
}

/** `GET /api/classes/<code>`: what a learner sees before they join by `POST /api/runs {scenario, class, nickname}`. */
export interface ClassInvitation {
  title: string
  scenario: string
}

/** `GET /api/class`, asked with the teacher's key. `GET /api/class/export.csv` is the same, a line a learner. */
export interface ClassView {
  id: string
  title: string
  code: string
  scenario: string
  startedAt: number
  learners: ClassLearner[]
  /** The deciding facts, those missed most first; of those who have decided, and none before somebody has. */
  missed: { fact: string; npc: string; text: string; missed: number; of: number }[]
  /** How many chose each option, in the order of the decision; none before somebody has decided. */
  options: { option: string; title: string; verdict: 'right' | 'defensible' | 'wrong'; n: number }[]
}

export interface ClassLearner {
  run: string
  nickname: string
  startedAt: number
  /** When something last happened. */
  activeAt: number
  people: { npc: string; status: PersonState['status'] }[]
  /** Of the deciding facts: how many there are, and were heard, by the decision if there is one. Null before somebody has decided. */
  facts: { deciding: number; heard: number } | null
  option: string | null
  verdict: 'right' | 'defensible' | 'wrong' | null
}
