import type { Actor } from '../../worker/actor/actor.ts'
import { brief } from '../../worker/core/briefing/brief.ts'
import type { Briefing, Line } from '../../worker/core/briefing/briefing.ts'
import { BACKBONES } from '../../worker/core/graph/backbones.ts'
import { instantiate } from '../../worker/core/graph/instantiate.ts'
import { SEPARATOR } from '../../worker/core/reply/separator.ts'
import { firstName } from '../../worker/core/scenario/first-name.ts'
import type { Npc, PivotChoice, Scenario } from '../../worker/core/scenario/scenario.ts'
import type { Step } from '../../worker/core/walk/event.ts'
import { pickedBy } from '../../worker/core/walk/match-choice.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { type Heard, hear } from '../../worker/session/hear.ts'
import { pivotLines } from '../../worker/session/history.ts'

/** What came of one line typed: a turn, a choice, or a turn that could not be had. */
export interface Talked {
  readonly before: Walk
  readonly after: Walk
  readonly step: Step | null
  readonly heard: Heard | null
  readonly choice: PivotChoice | null
  readonly ended: boolean
}

export interface Talk {
  /** Says a line, or picks a card by its number. The reply is written while it is spoken. */
  say(text: string): Promise<Talked>
  /** What the actor was told last. */
  lastBriefing(): string
}

/**
 * A conversation in memory.
 *
 * @throws when the scenario cannot be walked; the message lists every finding.
 */
export function createTalk(options: {
  scenario: Scenario
  npc: Npc
  actor: Actor
  after: (ms: number, task: () => void) => () => void
  write: (text: string) => void
}): Talk {
  const { scenario, npc, actor, write } = options
  const bound = instantiate(BACKBONES[scenario.tier], scenario, npc)
  if (!bound.ok) throw new Error(bound.findings.map(({ code, at, message }) => `${code} ${at}: ${message}`).join('\n'))
  const graph = bound.graph
  const name = firstName(npc.name)
  const history: Line[] = []
  const said: string[] = []
  let walk = startWalk(graph)
  let briefing: Briefing | null = null

  const choose = (id: string): Talked => {
    const before = walk
    const taken = step(graph, walk, { type: 'pivot-choice', node: walk.node, choice: id })
    const node = graph.nodes[before.node]
    const choice = node?.kind === 'pivot' ? (node.pivot.choices.find((each) => each.id === id) ?? null) : null
    walk = taken.walk
    if (choice) {
      history.push(...pivotLines({ pivot: before.node, choice: { cid: '', ...choice } }, npc))
      write(`\n${name}  ${choice.reaction}\n     (${choice.effect})\n`)
    }
    return { before, after: walk, step: taken, heard: null, choice, ended: walk.end !== null }
  }

  const speak = async (text: string): Promise<Talked> => {
    const before = walk
    const seq = walk.seq + 1
    const turnId = String(seq)
    const opened = step(graph, walk, { type: 'learner', turnId, seq })
    const effect = opened.effects.find(({ type }) => type === 'brief')
    if (effect?.type !== 'brief') return { before, after: walk, step: opened, heard: null, choice: null, ended: true }
    briefing = brief({
      scenario,
      npc,
      node: effect.node,
      history,
      said,
      relationship: before.relationship,
      learner: text,
      separator: SEPARATOR,
    })
    write(`\n${name}  `)
    const listening = {
      actor,
      npc,
      separator: SEPARATOR,
      after: options.after,
      sendDelta: (delta: { text: string }) => write(delta.text),
      setLive: () => undefined,
    }
    const heard = await hear(listening, { id: seq, attempt: 1 }, briefing, new AbortController().signal)
    write('\n')
    if (!heard.ok) return { before, after: before, step: null, heard, choice: null, ended: false }
    const { report, quality } = heard
    const taken = step(graph, opened.walk, { type: 'report', turnId, seq, report, quality })
    walk = taken.walk
    history.push({ who: 'learner', text }, { who: 'npc', text: heard.speech })
    said.push(...report.information_revealed)
    return { before, after: walk, step: taken, heard, choice: null, ended: walk.end !== null }
  }

  return {
    say: async (text) => {
      const picked = pickedBy(text, graph, walk)
      return picked === null ? speak(text) : choose(picked.choice)
    },
    lastBriefing: () =>
      briefing ? `${briefing.system}\n\n══════════\n\n${briefing.user}` : 'Nothing has been said yet.',
  }
}
