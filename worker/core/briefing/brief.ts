import type { RelationshipLevel } from '../../wire/messages.ts'
import type { Told } from '../assistant/projection.ts'
import type { ToolCall } from '../assistant/tools.ts'
import type { Graph } from '../graph/graph.ts'
import { SEPARATOR } from '../reply/separator.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'
import type { Briefing, HistoryLine, NodeBrief } from './briefing.ts'
import { agentSystemPrompt, agentUserPrompt } from './agent-prompt.ts'
import type { Brought } from './brought.ts'
import { latestLines, latestPoints } from './latest.ts'
import { playerMood, userPrompt } from './user-prompt.ts'
import { systemPrompt } from './system-prompt.ts'
import { withoutSaid } from './said-lines.ts'

/** Returns a point of a report in words. If the point is the id of a fact, returns the fact's text. */
function pointMade({ simulation }: Scenario, point: string): string {
  return simulation?.facts.find(({ id }) => id === point)?.text ?? point
}

/** The rehearsal actor is told more of the transcript than a prompt: it must know what it has said, and pays nothing for it. */
const SCENE_LINES = 80

/** Builds the briefing of one turn. The function is pure: the same arguments give the same bytes. */
export function brief(input: {
  scenario: Scenario
  npc: Npc
  modules: Graph['modules']
  node: NodeBrief
  history: readonly HistoryLine[]
  said: readonly string[]
  relationship: { score: number; level: RelationshipLevel }
  learner: string
  /** True if the report of the turn before said that the learner's message was about something else. */
  strayed?: boolean
  page?: string | null
  brought?: Brought | null
  told?: Told | null
  used?: readonly ToolCall[]
  separator: string
}): Briefing {
  const { separator, modules, strayed = false, ...rest } = input
  // A separator with a nonce changes with each reply, so it goes into the user prompt. The system prompt must stay the
  // same for a whole session.
  const nonced = separator === SEPARATOR ? null : separator
  const scene = {
    ...rest,
    node: withoutSaid(input.node, input.history),
    history: input.history.slice(-SCENE_LINES),
    said: latestPoints(input.said.map((point) => pointMade(input.scenario, point))),
    mood: playerMood(input.learner, strayed),
  }
  const shown = { ...scene, history: latestLines(input.history) }
  return {
    system: input.scenario.assistant
      ? agentSystemPrompt(input.scenario, input.npc, nonced ? null : separator)
      : systemPrompt(input.scenario, input.npc, nonced ? null : separator, modules),
    user: input.scenario.assistant ? agentUserPrompt(shown, nonced) : userPrompt(shown, nonced),
    separator,
    scene,
  }
}
