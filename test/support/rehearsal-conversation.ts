import type { HistoryLine, NodeBrief, BriefingScene } from '../../worker/core/briefing/briefing.ts'
import { playerMood } from '../../worker/core/briefing/user-prompt.ts'
import { graphFor } from '../../worker/core/graph/graph-for.ts'
import { BACKBONES } from './backbones.ts'
import { simulationFile } from './play-run.ts'
import { nodeOf, speaks, type SpeakingNode } from '../../worker/core/graph/graph.ts'
import type { Report } from '../../worker/core/reply/report.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import type { RelationshipLevel } from '../../worker/wire/messages.ts'
import { rehearse } from './rehearse-with-table.ts'

/** Returns the shipped scenario of the launch decision. */
export function launchDecision(): Scenario {
  return simulationFile('launch-decision')
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
 * A conversation with the rehearsal actor but without the walker: the nodes of the colleague's backbone simply follow
 * each other. So a test of the walker must not use this class.
 */
export class Conversation {
  readonly steps: Step[] = []
  readonly history: HistoryLine[] = []
  readonly said: string[] = []
  readonly scenario: Scenario
  readonly npc: Npc
  score = 0
  ended = false
  #at = 0
  #turns = 0
  #stall = 0
  readonly #nodes: readonly SpeakingNode[]

  constructor(scenario: Scenario, npcId: string) {
    this.scenario = scenario
    this.npc = npcOf(scenario, npcId)
    this.#nodes = nodesFor(scenario, this.npc)
  }

  get node(): string {
    return this.#node.id
  }

  get armed(): boolean {
    return this.#node.kind === 'pivot' && this.#turns > 0
  }

  /** Returns the scene that the actor gets for a learner's message in the current node. */
  scene(learner: string): BriefingScene {
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
    const node = this.#node
    const choice = node.kind === 'pivot' ? node.pivot.choices.find(({ id }) => id === choiceId) : undefined
    if (!choice) throw new Error(`no choice ${choiceId} in ${this.node}`)
    this.score += choice.mood
    this.history.push({ who: 'learner', text: choice.text }, { who: 'npc', text: choice.reaction })
    this.#enterNext()
  }

  /** Leaves the node as if the node were satisfied. */
  skip(): void {
    this.#enterNext()
  }

  get #node(): SpeakingNode {
    const node = this.#nodes[this.#at]
    if (!node) throw new Error('past the end')
    return node
  }

  #advance({ node_satisfied, detour_detected }: Report): void {
    const node = this.#node
    this.#stall += 1
    if (node.id === 'CLOSE') this.ended = true
    else if (node.kind === 'pivot' && this.#turns >= 2) this.#enterNext()
    else if (node.kind === 'pivot') this.#turns += 1
    else if (node_satisfied && this.#turns + 1 >= node.minTurns) this.#enterNext()
    else if (this.#stall >= 6) this.#enter(this.#nodes.length - 1)
    else if (node.isGate) this.#turns += 1
    else if (this.#turns + 1 >= (node.maxTurns ?? 0) + (detour_detected ? 1 : 0)) this.#enterNext()
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
    const opens = node.overlay !== null && (level === 'cooperative' || level === 'trusting')
    return {
      id: node.id,
      kind: node.kind,
      intent: '',
      satisfyWhen: '',
      content: node.content,
      isGate: node.isGate,
      isHeard: false,
      isTerminal: node.id === 'CLOSE',
      turns: this.#turns,
      minTurns: node.minTurns,
      escalated: node.isGate && this.#turns >= 2,
      pivot:
        node.kind === 'pivot' ? { content: node.pivot, armed: this.#turns > 0, asked: Math.min(this.#turns, 1) } : null,
      overlay: opens ? (node.overlay?.content ?? null) : null,
      landsOn: null,
      stay: [],
      ahead: null,
      leaving: null,
      document: null,
      lateFork: null,
      state: null,
    }
  }
}

/** Returns a conversation that has just arrived in `node`. */
export function inside(npc: string, node: string, of = launchDecision()): Conversation {
  const conversation = new Conversation(of, npc)
  while (conversation.node !== node) {
    if (conversation.armed) conversation.choose('a')
    else if (conversation.node === 'DECISIVE') conversation.skip()
    else conversation.say('ok')
  }
  return conversation
}

function nodesFor(scenario: Scenario, npc: Npc): readonly SpeakingNode[] {
  const bound = graphFor(scenario, npc, { backbones: BACKBONES, documents: [] })
  if (!bound.ok) throw new Error(bound.findings.map(({ code, at }) => `${code} at ${at}`).join(', '))
  return bound.graph.order.map((id) => nodeOf(bound.graph, id)).filter(speaks)
}

function levelFor(score: number): RelationshipLevel {
  if (score <= -10) return 'hostile'
  if (score <= -4) return 'guarded'
  if (score <= 7) return 'neutral'
  return score <= 17 ? 'cooperative' : 'trusting'
}
