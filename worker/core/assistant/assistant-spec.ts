import type { AssistantPersona } from './conversation-state.ts'
import type { Need } from './projection.ts'
import type { ToolSpec } from './tools.ts'

/** What makes a scenario an assistant: several agents behind one chat, which knows the page that it is on. */
export interface AssistantSpec {
  readonly persona: AssistantPersona
  /** The agents, in the author's order. The first one answers if nothing else decides. */
  readonly agents: readonly AgentSpec[]
  /** The agent that answers every message with one of the words, whatever else would decide; missing for none. */
  readonly safety?: { readonly agent: string; readonly words: readonly string[] }
  /** What a person may say first, by one press. */
  readonly starters?: readonly string[]
}

export interface AgentSpec {
  /** The id of the scenario's colleague who is this agent, and the name by which a person mentions it. */
  readonly id: string
  /** What the agent answers, for the classifier and for people. */
  readonly does: string
  readonly needs: readonly Need[]
  /** Words of a message that is for this agent, for the classifier without a model. */
  readonly cues: readonly string[]
  /** How the agent works without a model. */
  readonly offline: 'answer' | 'research' | 'proofread'
  readonly tools: readonly ToolSpec[]
}
