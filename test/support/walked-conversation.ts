import { rehearse } from './rehearse-with-table.ts'
import { brief } from '../../worker/core/briefing/brief.ts'
import type { HistoryLine } from '../../worker/core/briefing/briefing.ts'
import { graphFor } from '../../worker/core/graph/graph-for.ts'
import { BACKBONES } from './backbones.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import type { Report } from '../../worker/core/reply/report.ts'
import { factsIn } from '../../worker/core/run/facts-in.ts'
import { SEPARATOR } from '../../worker/core/reply/separator.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import type { Effect, Reason, WalkEvent } from '../../worker/core/walk/event.ts'
import { readHints } from '../../worker/core/text/hints.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'

/**
 * One exchange: the node, the message, the reply with its report and offers, and the reason why the walker stayed or moved (null after
 * the end).
 */
export interface Exchanged {
  readonly node: string
  readonly learner: string
  readonly speech: string
  readonly report: Report
  readonly offers: readonly string[]
  readonly reason: Reason | null
}

/** Returns the graph that a colleague walks in a scenario. @throws Error when the graph has errors */
export function walkedGraph(scenario: Scenario, npc: Npc, seed = 0, backbones = BACKBONES): Graph {
  const bound = graphFor(scenario, npc, { backbones, documents: [] }, seed)
  if (!bound.ok) throw new Error(bound.findings.map(({ code, at, message }) => `${code} ${at} ${message}`).join('\n'))
  return bound.graph
}

/**
 * A conversation with the rehearsal actor. Unlike in `rehearsal-conversation.ts`, the real walker decides where every
 * turn leads.
 */
export class WalkedConversation {
  readonly exchanges: Exchanged[] = []
  readonly effects: Effect[] = []
  readonly graph: Graph
  walk: Walk
  readonly #scenario: Scenario
  readonly #npc: Npc
  readonly #history: HistoryLine[] = []
  readonly #said: string[] = []

  /** @param backbones the backbones without a spoken opening, unless a test says otherwise */
  constructor(scenario: Scenario, npc: Npc, backbones = BACKBONES) {
    this.#scenario = scenario
    this.#npc = npc
    this.graph = walkedGraph(scenario, npc, 0, backbones)
    if (this.graph.opening) this.#history.push({ who: 'npc', text: this.graph.opening.text })
    this.walk = startWalk(this.graph)
  }

  get path(): readonly string[] {
    return this.exchanges.map(({ node }) => node)
  }

  get commands(): readonly string[] {
    return this.effects.flatMap((effect) => (effect.type === 'command' ? [effect.command.name] : []))
  }

  get isOver(): boolean {
    return this.commands.includes('AI_EndConversation')
  }

  /** Whether a fork's question is open. */
  get isAsked(): boolean {
    return this.graph.nodes[this.walk.node]?.kind === 'pivot' && this.path.at(-1) === this.walk.node
  }

  /** Returns the reply to a message, as if the learner had not sent it. */
  reply(learner: string): string {
    const { walk, effects } = this
    const before = effects.length
    const { speech } = this.#speak(learner)
    this.walk = walk
    effects.length = before
    return speech
  }

  say(learner: string): Exchanged {
    const { at, node, speech, report, offers } = this.#speak(learner)
    const { trace } = this.#step({ type: 'report', ...at, report, quality: 'clean' })
    this.#history.push({ who: 'learner', text: learner }, { who: 'npc', text: speech })
    this.#said.push(...report.information_revealed)
    const decided = trace.find((entry) => entry.type === 'decision')
    if (!decided && !this.walk.end) throw new Error(`nothing was decided in ${node}`)
    const exchange = { node, learner, speech, report, offers, reason: decided?.decision.reason ?? null }
    this.exchanges.push(exchange)
    return exchange
  }

  #speak(learner: string) {
    const at = { turnId: `t${this.walk.seq + 1}`, seq: this.walk.seq + 1 }
    const briefed = this.#step({
      type: 'learner',
      ...at,
      hints: readHints(learner),
      ...(this.walk.end && { isAfter: true }),
    }).effects.find((effect) => effect.type === 'brief')
    if (!briefed) throw new Error(`nothing to say in ${this.walk.node}`)
    const { scene } = brief({
      scenario: this.#scenario,
      npc: this.#npc,
      modules: this.graph.modules,
      node: briefed.node,
      history: this.#history,
      said: this.#said,
      relationship: this.walk.relationship,
      learner,
      separator: SEPARATOR,
    })
    return { at, node: briefed.node.id, ...rehearse(scene) }
  }

  choose(choice: string): void {
    const node = this.graph.nodes[this.walk.node]
    const picked = node?.kind === 'pivot' ? node.pivot.choices.find(({ id }) => id === choice) : undefined
    if (!picked) throw new Error(`no choice ${choice} in ${this.walk.node}`)
    this.#step({ type: 'pivot-choice', node: this.walk.node, choice })
    this.#history.push({ who: 'learner', text: picked.text }, { who: 'npc', text: picked.reaction })
  }

  /** Sends the lines one after the other. The line `#a` picks the card `a`. */
  play(lines: readonly string[]): this {
    for (const line of lines) {
      if (line.startsWith('#')) this.choose(line.slice(1))
      else this.say(line)
    }
    return this
  }

  /**
   * Plays the conversation to its end or up to a node. At every fork, the learner picks a card.
   *
   * @param lines the learner's messages by node; the learner repeats a node's last message while the conversation stays
   * there
   * @param nod the learner's message in a node without messages
   */
  playThrough(
    lines: Readonly<Record<string, readonly string[]>>,
    { card = 'a', until, nod = 'ok' }: { readonly card?: string; readonly until?: string; readonly nod?: string } = {},
  ): this {
    while (!this.isOver && this.walk.node !== until) {
      const { node } = this.walk
      const said = lines[node] ?? [nod]
      const before = this.path.filter((id) => id === node).length
      if (this.isAsked) this.choose(card)
      else this.say(said[Math.min(before, said.length - 1)] ?? nod)
    }
    return this
  }

  /** Returns the ids of the colleague's own facts that the colleague has said. */
  factsSaid(): readonly string[] {
    const own = (this.#scenario.simulation?.facts ?? []).filter(({ npc }) => npc === this.#npc.id)
    return [...new Set(this.exchanges.flatMap(({ speech }) => factsIn(own, speech).map(({ fact }) => fact)))]
  }

  #step(event: WalkEvent) {
    const stepped = step(this.graph, this.walk, event)
    if (stepped.trace.some(({ type }) => type === 'ignored')) throw new Error(`${event.type} was ignored`)
    this.walk = stepped.walk
    this.effects.push(...stepped.effects)
    return stepped
  }
}
