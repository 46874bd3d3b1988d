import { streamed } from './completion-stream.ts'
import type { ModelRequest } from './model-server.ts'
import { type Step, wait } from './model-steps.ts'

/** What an assistant's model is asked: who should answer, whether a tool is needed, or for a reply. */
type AskedFor = 'classified' | 'tool' | 'reply'

/** A request to an assistant's model, parsed. */
export interface AgentAsked {
  readonly for: AskedFor
  /** The agent that is asked; '' for the classifier. */
  readonly agent: string
  readonly system: string
  readonly user: string
}

type Answers = { readonly [K in AskedFor]: (asked: AgentAsked) => string }

/** A model for assistants. By default nobody in particular should answer, no tool is needed, and the reply is short. */
export class AgentsModel {
  readonly asked: AgentAsked[] = []
  answers: Answers = DEFAULTS
  /** Before it answers, the model waits for this. */
  until: Promise<unknown> = Promise.resolve()
  /** How a faulty model answers; null for an answer as usual. */
  misbehave: (asked: AgentAsked) => Iterable<Step> | null = () => null

  readonly answer = (request: ModelRequest): Iterable<Step> => {
    const asked = readAsked(request)
    this.asked.push(asked)
    return this.misbehave(asked) ?? [wait(this.until), ...streamed([this.answers[asked.for](asked)])]
  }

  /** Answers as usual again, and forgets what it was asked. */
  reset(answers: Partial<Answers> = {}): void {
    this.asked.length = 0
    this.answers = { ...DEFAULTS, ...answers }
    this.until = Promise.resolve()
    this.misbehave = () => null
  }
}

const DEFAULTS: Answers = {
  classified: () => '{"agent": null}',
  tool: () => '{"tool": null, "input": null}',
  reply: () => spoken('Here is what I know.', { topics: ['the page'] }),
}

/** Returns a reply with its report, as a model writes it. */
export function spoken(speech: string, report: object = {}): string {
  const all = { information_revealed: [], node_satisfied: false, topics: [], hand_over: null, edits: [], ...report }
  return `${speech}\n---END---\n${JSON.stringify(all)}`
}

interface Completion {
  readonly messages: readonly { readonly content: string }[]
  readonly response_format?: { readonly json_schema: { readonly name: AskedFor } }
}

function readAsked({ body }: ModelRequest): AgentAsked {
  const { messages, response_format } = body as Completion
  const [system = '', user = ''] = messages.map(({ content }) => content)
  const [, agent = ''] = /(?:speak as its agent|You decide for) ([\w-]+)/.exec(system) ?? []
  return { for: response_format?.json_schema.name ?? 'reply', agent, system, user }
}
