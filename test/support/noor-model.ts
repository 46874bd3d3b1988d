import { streamed } from './completion-stream.ts'
import type { ModelRequest } from './model-server.ts'
import type { Step } from './model-steps.ts'

/** What the server requests of a model: a reply, or a kind of inner work by the name of its schema. */
export type AskedFor = 'reply' | 'selection' | 'behavior' | 'queries' | 'reflection' | 'remembered'

/** A request to the model, parsed. */
export interface Asked {
  readonly for: AskedFor
  readonly system: string
  readonly user: string
  /** The schema of the answer and the schema's name, or null for a reply. */
  readonly format: { readonly name: string; readonly strict: boolean; readonly schema: AnswerShape } | null
  /** The exits that the request offers, by index. `actions` are the actions that the request offers. */
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

/** Returns the steps of a faulty response, or null for the normal response. */
export type Misbehaviour = (asked: Asked) => Iterable<Step> | null

/**
 * A model that speaks for Noor. The model takes the exit whose description contains `wish` as soon as a request offers
 * that exit. Otherwise the model performs the first action. The model's thoughts are marked, so that a test can check
 * that a text contains none of them.
 */
export class NoorModel {
  /** A part of the description of the exit to take. If `wish` is empty, the model stays in the state. */
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

/** Returns the numbered lines of a section in the order of their numbers, without the numbers. */
function numbered(user: string, heading: string): readonly string[] {
  const from = user.split('\n').indexOf(`${heading}:`)
  if (from < 0) return []
  const lines = user.split('\n').slice(from + 1)
  const end = lines.findIndex((line) => !/^\d+\. /.test(line))
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.replace(/^\d+\. /, ''))
}
