/** What routing knows of an agent. */
export interface RoutedAgent {
  /** The name by which a person mentions the agent: `@research`. */
  readonly id: string
}

export interface RoutingInput {
  readonly message: string
  /** The agents of this assistant. The first one answers if nothing else decides. */
  readonly agents: readonly RoutedAgent[]
  /** The agent to which the person has locked the conversation; null if it is not locked. */
  readonly locked: string | null
  /** The agent that the host page requests for this message; null if it requests none. */
  readonly requested: string | null
  /** The agent for emergencies, if the message needs one; null for every other message. */
  readonly safety: string | null
}

/** What decided which agent answers, the strongest first. */
export type RoutedBy = 'safety' | 'mention' | 'lock' | 'request' | 'classifier' | 'default'

export interface RoutingTrace {
  readonly type: 'unknown-mention' | 'ambiguous-mention' | 'unknown-lock' | 'unknown-request' | 'unknown-safety'
  /** The name that names no agent of this assistant, or more than one. */
  readonly name: string
}

export type Routing =
  | {
      readonly type: 'routed'
      readonly agent: string
      readonly by: Exclude<RoutedBy, 'classifier' | 'default'>
      readonly query: string
      readonly locked: string | null
      readonly trace: readonly RoutingTrace[]
    }
  /** Nothing decides yet: a classifier has to. */
  | {
      readonly type: 'undecided'
      readonly query: string
      readonly locked: string | null
      readonly trace: readonly RoutingTrace[]
    }
  /** The mention means more than one agent, or none. The person has to say which; nobody answers. */
  | {
      readonly type: 'ambiguous'
      readonly among: readonly string[]
      readonly locked: string | null
      readonly trace: readonly RoutingTrace[]
    }

/** A mention at the beginning of a message: `@research what is …`. */
const MENTION = /^\s*@([\p{L}\p{N}][\p{L}\p{N}_-]*)(?=$|[\s,:;.!?])[\s,:;]*/u

/** Returns a message without the mention at its beginning. */
export function withoutMention(message: string): string {
  return message.replace(MENTION, '').trim()
}

/** The mention that takes a lock back and lets the classifier decide. */
const AUTO = 'auto'

/**
 * Decides which agent answers a message, as far as that needs no classifier ([assistant-1]). In this order: safety, the
 * person's mention, the lock, the host page's request. A lock, a request or a safety that names no agent is left out and
 * traced; such a lock is cleared. `@auto` clears the lock. A mention may be the beginning of one agent's name. Total, and
 * the same for the same input.
 */
export function route({ message, agents, locked: lock, requested, safety }: RoutingInput): Routing {
  const isKnown = (name: string) => agents.some(({ id }) => id === name)
  const found = MENTION.exec(message)
  const name = found?.[1]?.toLowerCase() ?? null
  const meant = name === null || name === AUTO ? [] : agentsMeant(name, agents)
  const isTaken = name === AUTO || meant.length > 0
  const query = isTaken ? message.slice(found?.[0].length).trim() : message
  const locked = name === AUTO || (lock !== null && !isKnown(lock)) ? null : lock
  const trace: readonly RoutingTrace[] = [
    ...traced('unknown-safety', safety, isKnown),
    ...(isTaken || name === null ? [] : [{ type: 'unknown-mention', name } as const]),
    ...(meant.length > 1 ? [{ type: 'ambiguous-mention', name: name ?? '' } as const] : []),
    ...traced('unknown-lock', lock, isKnown),
    ...traced('unknown-request', requested, isKnown),
  ]
  const routed = (agent: string, by: Extract<Routing, { type: 'routed' }>['by']): Routing => ({
    type: 'routed',
    agent,
    by,
    query,
    locked,
    trace,
  })
  if (safety !== null && isKnown(safety)) return routed(safety, 'safety')
  const [first, ...others] = meant
  if (name !== null && !isTaken) return { type: 'ambiguous', among: agents.map(({ id }) => id), locked, trace }
  if (first !== undefined && others.length > 0) return { type: 'ambiguous', among: meant, locked, trace }
  if (first !== undefined) return routed(first, 'mention')
  if (locked !== null) return routed(locked, 'lock')
  if (requested !== null && isKnown(requested)) return routed(requested, 'request')
  return { type: 'undecided', query, locked, trace }
}

function agentsMeant(name: string, agents: readonly RoutedAgent[]): readonly string[] {
  const ids = agents.map(({ id }) => id)
  const exact = ids.filter((id) => id.toLowerCase() === name)
  return exact.length > 0 ? exact.slice(0, 1) : ids.filter((id) => id.toLowerCase().startsWith(name))
}

function traced(
  type: RoutingTrace['type'],
  name: string | null,
  isKnown: (name: string) => boolean,
): readonly RoutingTrace[] {
  return name === null || isKnown(name) ? [] : [{ type, name }]
}
