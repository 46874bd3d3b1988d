import { type Actor, ActorError, type ActorFailure } from '../../../worker/actor/actor.ts'
import { EMPTY_REPORT } from '../../../worker/core/reply/report.ts'
import type { SessionStore } from '../../../worker/session/session-store.ts'
import type { Draws } from './draws.ts'

/** What a scripted actor needs from the world around it. */
export interface ActorWorld {
  readonly draws: Draws
  /** Returns true when the world causes no more faults. */
  readonly isCalm: () => boolean
  /**
   * Resolves when everything that was written earlier is durable. The platform sends no request to a model before that.
   */
  outbound(): Promise<void>
  /**
   * Waits until the world lets the actor go on. Rejects when the signal aborts. With `deaf`, the actor does not react
   * to the signal, and so may wait for ever.
   */
  wait(signal: AbortSignal, how: 'brief' | 'deaf'): Promise<void>
  after(ms: number, task: () => void): () => void
  asked(turn: number, attempt: number): void
}

const OVERALL_MS = 50_000
const FAILURES: readonly ActorFailure[] = ['provider-error', 'cut-off', 'idle', 'rate-limited', 'not-a-model']
const PIECES = [
  'Well',
  ', I would',
  ' say\n',
  'yes 👋',
  ' – “no”',
  ' \ud83d',
  '\udc4b',
  ' très',
  '.',
  ' ',
  '\n\nSo:',
  ' 7.5 %',
] as const
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  selection: [
    '{"action": 0, "exit": null}',
    '{"exit": 0}',
    '{"action": 0}',
    '{"exit": 1}',
    '{"action": null, "exit": 0}',
    'hm',
  ],
  behavior: ['{"behavior": null}'],
  queries: ['{"queries": ["figures"]}', '{"quer'],
  reflection: ['{"reflection": "They know."}', ''],
}

/** Returns an actor for which the world draws replies and failures. */
export function scriptedActor(world: ActorWorld, store: SessionStore): Actor {
  const { draws } = world

  async function* speak(signal: AbortSignal): AsyncGenerator<string> {
    // If the signal has already aborted, the actor sends no request.
    if (signal.aborted) throw new ActorError('aborted')
    const turn = store.lastTurn()
    await world.outbound()
    if (signal.aborted) throw new ActorError('aborted')
    if (turn) world.asked(turn.id, turn.attempt)
    yield* limited(signal, async function* (ends: AbortSignal) {
      const length = draws.below(6)
      const fault = world.isCalm() ? 0 : draws.below(11)
      if (fault === 10) throw new ActorError('empty')
      for (let i = 0; i <= length; i++) {
        await world.wait(ends, fault === 9 && i === length ? 'deaf' : 'brief')
        yield draws.pick(PIECES)
      }
      if (fault >= 7 && fault < 9) throw new ActorError(draws.pick(FAILURES))
      await world.wait(ends, 'brief')
      if (fault === 6) return
      yield '\n---END'
      await world.wait(ends, 'brief')
      yield `---\n${JSON.stringify({ ...EMPTY_REPORT, node_satisfied: draws.below(4) !== 0, engagement_score: 1 })}`
    })
  }

  /** Yields the pieces of a reply. Like a real actor, gives up after a time limit of its own. */
  async function* limited<T>(signal: AbortSignal, of: (ends: AbortSignal) => AsyncGenerator<T>): AsyncGenerator<T> {
    const limit = new AbortController()
    const callOff = world.after(OVERALL_MS, () => limit.abort())
    try {
      yield* of(AbortSignal.any([signal, limit.signal]))
    } catch (error) {
      if (error instanceof ActorError) throw error
      throw new ActorError(signal.aborted ? 'aborted' : 'timeout')
    } finally {
      callOff()
    }
  }

  return {
    kind: 'model',
    label: 'scripted',
    speak: (_, signal) => speak(signal),
    async think(task, signal) {
      if (signal.aborted) throw new ActorError('aborted')
      await world.outbound()
      let text = ''
      const answers = limited(signal, async function* (ends) {
        await world.wait(ends, 'brief')
        if (!world.isCalm() && draws.oneIn(8)) throw new ActorError(draws.pick(FAILURES))
        yield draws.pick(ANSWERS[task.answer.name] ?? [''])
      })
      for await (const answer of answers) text += answer
      return text
    },
  }
}
