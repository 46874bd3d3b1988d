import type { Briefing } from '../core/briefing/briefing.ts'
import type { PickTask, Task } from '../core/briefing/task.ts'
import type { ClassifyTask } from '../core/assistant/classify.ts'
import type { ToolTask } from '../core/assistant/tools.ts'
import { speakAsAgent } from './assistant/speak.ts'
import type { Actor } from './actor.ts'
import { ActorError } from './actor.ts'
import { hasLines } from '../core/scenario/scenario.ts'
import { rehearseTask } from './rehearsal/tasks.ts'
import { rehearse, type Rehearsed } from './rehearsal/rehearse.ts'
import type { WordTable } from './rehearsal/word-table.ts'

/** Waits as long as `piece` takes to say. May reject when `signal` aborts. */
export type Pace = (piece: string, signal: AbortSignal) => Promise<void>

export interface RehearsalOptions {
  readonly pace: Pace
  /** Returns the table by which messages are compared by meaning; null if it cannot be had. Without it, words decide. */
  readonly table?: () => Promise<WordTable | null>
}

/**
 * Makes an actor without a model. The actor speaks the lines of a scenario's author and answers from the colleague's
 * own document. Its stream has the same form as a model's stream. The briefing's `scene` decides every word, and `pace`
 * only decides the timing. For a colleague without lines, `speak` throws `not-a-model`. That happens only if a deployment
 * has lost its model, because without a model no such conversation begins.
 */
export function createRehearsalActor({ pace, table }: RehearsalOptions): Actor {
  const offered = new WeakMap<Briefing, readonly string[]>()
  const offers = (briefing: Briefing) => offered.get(briefing) ?? []
  return { kind: 'rehearsal', label: 'rehearsal actor', speak, think, offers }

  async function* speak(briefing: Briefing, signal: AbortSignal): AsyncGenerator<string> {
    const { scenario, npc } = briefing.scene
    if (!scenario.assistant && !hasLines(npc)) throw new ActorError('not-a-model')
    const words = (await table?.()) ?? null
    const reply = scenario.assistant
      ? { ...speakAsAgent(briefing.scene, words), offers: [] }
      : rehearse(briefing.scene, words)
    offered.set(briefing, reply.offers)
    for (const piece of pieces(reply, briefing.separator)) {
      await paced(piece, signal)
      yield piece
    }
  }

  /** Does a task without waiting, because no learner watches it. */
  async function think(task: Task | PickTask | ClassifyTask | ToolTask, signal: AbortSignal): Promise<string> {
    const words = task.request.type === 'tool-request' ? ((await table?.()) ?? null) : null
    if (signal.aborted) throw new ActorError('aborted')
    return rehearseTask(task, words)
  }

  async function paced(piece: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new ActorError('aborted')
    const stop = Promise.withResolvers<never>()
    const abort = () => stop.reject(new ActorError('aborted'))
    signal.addEventListener('abort', abort, { once: true })
    try {
      await Promise.race([pace(piece, signal), stop.promise])
    } catch (error) {
      throw signal.aborted ? new ActorError('aborted') : error
    } finally {
      signal.removeEventListener('abort', abort)
    }
    if (signal.aborted) throw new ActorError('aborted')
  }
}

/**
 * Splits a reply into pieces: each word of the speech with the space after the word, then the separator and the report,
 * each on its own line.
 */
function pieces(
  { speech, report }: Pick<Rehearsed, 'speech'> & { readonly report: object },
  separator: string,
): readonly string[] {
  return [...(speech.match(/\S+\s*/g) ?? []), `\n${separator}\n`, JSON.stringify(report)]
}
