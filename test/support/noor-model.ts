import { streamed } from './completion-stream.ts'
import type { ModelRequest } from './model-server.ts'
import type { Step } from './model-steps.ts'

/**
 * What the server asks of a model: a reply, or some inner work. Inner work has the name of the schema of its answer.
 */
export type AskedFor = 'reply' | 'selection' | 'behavior' | 'queries' | 'reflection' | 'remembered'

/** A request to the model, parsed. */
export interface Asked {
  readonly for: AskedFor
  readonly system: string
  readonly user: string
  /** The schema for the model's answer, with its name. Null if the request is for a reply. */
  readonly format: { readonly name: string; readonly strict: boolean; readonly schema: AnswerShape } | null
  /** The exits that the request offers, by index. `actions` has the offered actions. */
  readonly exits: readonly string[]
  readonly actions: readonly string[]
}

/** The part of a schema for structured output that the tests check. */
interface AnswerShape {
  readonly type: string
  readonly required: readonly string[]
  readonly additionalProperties: boolean
  readonly properties: Readonly<Record<string, unknown>>
}

interface Completion {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly response_format?: { readonly json_schema: NonNullable<Asked['format']> }
}

function readAsked(request: ModelRequest): Asked {
  const { messages, response_format } = request.body as Completion
  const [system = '', user = ''] = messages.map(({ content }) => content)
  const format = response_format?.json_schema ?? null
  return {
    for: (format?.name ?? 'reply') as AskedFor,
    system,
    user,
    format,
    exits: numbered(user, 'EXITS'),
    actions: numbered(user, 'ACTIONS'),
  }
}

/**
 * Returns the steps of a faulty response to a request. Returns null if the model must respond to this request as usual.
 */
export type Misbehaviour = (asked: Asked) => Iterable<Step> | null

/**
 * A model that speaks for Noor. As soon as a request offers an exit whose description contains `wish`, the model takes
 * this exit. Until then, it takes the first action if one is offered. What the model thinks carries a mark, so that a
 * test can find out where the thoughts appear.
 */
export class NoorModel {
  /**
   * A part of the description of the exit that the model must take. With an empty text, the model takes an exit only if
   * no action is offered.
   */
  wish = ''
  misbehave: Misbehaviour = () => null
  readonly asked: Asked[] = []

  readonly answer = (request: ModelRequest): Iterable<Step> => {
    const asked = readAsked(request)
    this.asked.push(asked)
    return this.misbehave(asked) ?? streamed([this.#text(asked)])
  }

  #text(asked: Asked): string {
    switch (asked.for) {
      case 'reply':
        return `I hear you, and we go on.\n---END---\n{"node_satisfied": false, "internal_thought": "canary-thought"}`
      case 'behavior':
        return '{"behavior": null}'
      case 'queries':
        return '{"queries": ["canary-query about being stuck"]}'
      case 'reflection':
        return '{"reflection": "canary-conclusion: they have nobody."}'
      case 'remembered':
        return '{"said": [], "facts": []}'
      case 'selection':
        return this.#select(asked)
    }
  }

  #select({ exits, actions }: Asked): string {
    const exit = this.wish === '' ? -1 : exits.findIndex((text) => text.includes(this.wish))
    if (exit >= 0) return picked({ exit, both: actions.length > 0 })
    return actions.length > 0 ? picked({ action: 0, both: exits.length > 0 }) : picked({ exit: 0, both: false })
  }
}

function picked(pick: { exit: number; both: boolean } | { action: number; both: boolean }): string {
  if ('exit' in pick) return JSON.stringify(pick.both ? { action: null, exit: pick.exit } : { exit: pick.exit })
  return JSON.stringify(pick.both ? { action: pick.action, exit: null } : { action: pick.action })
}

/**
 * Returns the lines of a numbered list in the prompt, in the order of their numbers. The returned lines have no
 * numbers.
 */
function numbered(user: string, heading: string): readonly string[] {
  const from = user.split('\n').indexOf(`${heading}:`)
  if (from < 0) return []
  const lines = user.split('\n').slice(from + 1)
  const end = lines.findIndex((line) => !/^\d+\. /.test(line))
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.replace(/^\d+\. /, ''))
}
