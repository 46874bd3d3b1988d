import { readFileSync } from 'node:fs'
import type { Line, NodeBrief, Scene } from '../../worker/core/briefing/briefing.ts'
import { playerMood } from '../../worker/core/briefing/player-mood.ts'
import type { BoundContent } from '../../worker/core/graph/graph.ts'
import type { Report } from '../../worker/core/reply/report.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import type { RelationshipLevel } from '../../worker/wire/messages.ts'
import { rehearse } from '../../worker/actor/rehearsal/rehearse.ts'
import { readScenario } from '../../sims/read-scenario.ts'

/** The shipped scenario. */
export function launchDecision(): Scenario {
  const file = new URL('../../sims/launch-decision/scenario.yaml', import.meta.url)
  const reading = readScenario(readFileSync(file, 'utf8'), 'scenario.yaml')
  if (!reading.ok) throw new Error('the shipped scenario has findings')
  return reading.scenario
}

export function npcOf(scenario: Scenario, id: string): Npc {
  const npc = scenario.npcs.find((one) => one.id === id)
  if (!npc) throw new Error(`no colleague ${id}`)
  return npc
}

export interface Step {
  readonly node: string
  readonly learner: string
  readonly speech: string
  readonly report: Report
  readonly level: RelationshipLevel
}

/**
 * Nodes in the order of the TECHNICAL table, one after the other: enough of a walk to hold a conversation with the
 * actor alone, and nothing that the walker's own tests should rely on.
 */
export class Conversation {
  readonly steps: Step[] = []
  readonly history: Line[] = []
  readonly said: string[] = []
  readonly scenario: Scenario
  readonly npc: Npc
  score = 0
  ended = false
  #at = 0
  #turns = 0
  #stall = 0
  readonly #nodes: readonly SimpleNode[]

  constructor(scenario: Scenario, npcId: string) {
    this.scenario = scenario
    this.npc = npcOf(scenario, npcId)
    this.#nodes = nodesFor(this.npc)
  }

  get node(): string {
    return this.#node.id
  }

  get armed(): boolean {
    return this.#node.pivot !== null && this.#turns > 0
  }

  /** The scene as it stands for a message. */
  scene(learner: string): Scene {
    const level = levelFor(this.score)
    return {
      scenario: this.scenario,
      npc: this.npc,
      node: this.#brief(level),
      history: this.history.slice(-20),
      said: [...new Set(this.said)].slice(-16),
      relationship: { score: this.score, level },
      mood: playerMood(learner),
      learner,
    }
  }

  say(learner: string): Step {
    const scene = this.scene(learner)
    const { speech, report } = rehearse(scene)
    this.history.push({ who: 'learner', text: learner }, { who: 'npc', text: speech })
    this.said.push(...report.information_revealed)
    this.score += report.engagement_score
    const step = { node: this.node, learner, speech, report, level: levelFor(this.score) }
    this.steps.push(step)
    this.#advance(report)
    return step
  }

  choose(choiceId: string): void {
    const choice = this.#node.pivot?.choices.find(({ id }) => id === choiceId)
    if (!choice) throw new Error(`no choice ${choiceId} in ${this.node}`)
    this.score += choice.mood
    this.history.push({ who: 'learner', text: choice.text }, { who: 'npc', text: choice.reaction })
    this.#enterNext()
  }

  /** Leaves the node as if it had been satisfied. */
  skip(): void {
    this.#enterNext()
  }

  get #node(): SimpleNode {
    const node = this.#nodes[this.#at]
    if (!node) throw new Error('past the end')
    return node
  }

  #advance({ node_satisfied, detour_detected }: Report): void {
    const node = this.#node
    this.#stall += 1
    if (node.id === 'CLOSE') this.ended = true
    else if (node.pivot && this.#turns >= 2) this.#enterNext()
    else if (node.pivot) this.#turns += 1
    else if (node_satisfied) this.#enterNext()
    else if (this.#stall >= 6) this.#enter(this.#nodes.length - 1)
    else if (node.isGate) this.#turns += 1
    else if (this.#turns + 1 >= node.max + (detour_detected ? 1 : 0)) this.#enterNext()
    else this.#turns += 1
  }

  #enterNext(): void {
    this.#enter(this.#at + 1)
  }

  #enter(index: number): void {
    this.#at = index
    this.#turns = 0
    this.#stall = 0
  }

  #brief(level: RelationshipLevel): NodeBrief {
    const node = this.#node
    const opens =
      node.id === 'RESOLVE' && this.npc.keyReveal !== null && (level === 'cooperative' || level === 'trusting')
    return {
      id: node.id,
      kind: node.pivot ? 'pivot' : 'speak',
      intent: '',
      satisfyWhen: '',
      content: node.content,
      isGate: node.isGate,
      isTerminal: node.id === 'CLOSE',
      turns: this.#turns,
      escalated: node.isGate && this.#turns >= 2,
      pivot: node.pivot ? { content: node.pivot, armed: this.#turns > 0 } : null,
      overlay: opens ? { source: 'key_reveal', lines: [this.npc.keyReveal] } : null,
    }
  }
}

interface SimpleNode {
  readonly id: string
  readonly max: number
  readonly isGate: boolean
  readonly content: readonly BoundContent[]
  readonly pivot: Npc['pivots'][number] | null
}

function nodesFor(npc: Npc): readonly SimpleNode[] {
  const [p1, p2] = npc.pivots
  const speak = (id: string, max: number, content: readonly BoundContent[], isGate = false): SimpleNode => ({
    id,
    max,
    isGate,
    content,
    pivot: null,
  })
  const fork = (id: string, pivot: Npc['pivots'][number]): SimpleNode => ({
    id,
    max: 1,
    isGate: false,
    content: [{ source: `pivots[${pivot.id}]`, lines: [pivot.question] }],
    pivot,
  })
  const beat1 = { source: 'beat1', lines: npc.beats.beat1 }
  return [
    speak('GROUND', 1, [beat1, { source: 'greeting', lines: [npc.greeting] }]),
    speak('SURFACE', 2, [beat1]),
    speak('DEEPEN', 2, [{ source: 'what_they_know', lines: npc.knowledge }]),
    ...(p1 ? [fork('PIVOT_1', p1)] : []),
    ...(npc.decisionFacts.length > 0
      ? [speak('DECISIVE', 2, [{ source: 'decision_facts', lines: npc.decisionFacts }], true)]
      : []),
    ...(p2 ? [fork('PIVOT_2', p2)] : []),
    speak('RESOLVE', 2, [{ source: 'beat6', lines: npc.beats.beat6 }]),
    speak('CLOSE', 1, [{ source: 'goal.end_condition', lines: [npc.goal.endCondition] }]),
  ]
}

function levelFor(score: number): RelationshipLevel {
  if (score <= -10) return 'hostile'
  if (score <= -4) return 'guarded'
  if (score <= 7) return 'neutral'
  return score <= 17 ? 'cooperative' : 'trusting'
}
