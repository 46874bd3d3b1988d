import type { Actor } from '../../worker/actor/actor.ts'
import { ActorError } from '../../worker/actor/actor.ts'
import type { Briefing, BriefingScene } from '../../worker/core/briefing/briefing.ts'
import { SEPARATOR } from '../../worker/core/reply/separator.ts'

/** Everything that an actor gave for one reply. */
export interface Hearing {
  readonly pieces: readonly string[]
  readonly text: string
  /** The error that ended the reply, or null if the reply ended without an error. */
  readonly error: ActorError | null
}

/** Reads one reply of an actor to its end. Keeps an `ActorError`, and rejects with any other error. */
export async function hear(
  actor: Actor,
  {
    briefing = briefingOf(),
    signal = new AbortController().signal,
  }: { briefing?: Briefing; signal?: AbortSignal } = {},
): Promise<Hearing> {
  const pieces: string[] = []
  try {
    for await (const piece of actor.speak(briefing, signal)) pieces.push(piece)
    return { pieces, text: pieces.join(''), error: null }
  } catch (error) {
    if (!(error instanceof ActorError)) throw error
    return { pieces, text: pieces.join(''), error }
  }
}

/**
 * Returns a briefing for an actor that is a language model. Such an actor may read only the two prompts: the briefing
 * throws an error when the actor reads the scene.
 */
export function briefingOf(system = 'You are Maya.', user = 'THE LEARNER SAYS: hello'): Briefing {
  return { system, user, separator: SEPARATOR, scene: new Proxy({}, { get: refuse }) as BriefingScene }
}

function refuse(): never {
  throw new Error('a model was to be told the two texts of the briefing only')
}
