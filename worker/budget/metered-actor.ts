import { type Actor, ActorError, type Usage } from '../actor/actor.ts'
import type { Standing } from './breaker.ts'
import { chargeFor, mostOf, type Tokens } from './tokens.ts'

/**
 * Wraps an actor so that every call to the model counts in the budget. Before a call, the wrapper reserves the most
 * tokens that the call can use; if that fails, the call is not made. After the call, even a failed one, the wrapper
 * replaces the reservation by the tokens that the call used.
 *
 * @param maxOutputTokens the output limit that every request sets
 */
export function createMeteredActor(actor: Actor, purse: Purse, maxOutputTokens: number): Actor {
  return {
    kind: actor.kind,
    label: actor.label,
    speak: (briefing, signal) =>
      metered([briefing.system, briefing.user], signal, (tell) => actor.speak(briefing, signal, tell)),
    async think(task, signal) {
      const texts = [task.system, task.user, JSON.stringify(task.answer)]
      const answers = metered(texts, signal, (tell) => once(actor.think(task, signal, tell)))
      let text = ''
      for await (const answer of answers) text += answer
      return text
    },
  }

  async function* metered(
    texts: readonly string[],
    signal: AbortSignal,
    call: (tell: (usage: Usage) => void) => AsyncIterable<string>,
  ): AsyncGenerator<string, void, undefined> {
    const most = mostOf(texts, maxOutputTokens)
    const held = await purse.reserve(most, signal)
    const told: { usage: Usage | null; error: unknown } = { usage: null, error: null }
    try {
      yield* call((usage) => (told.usage = usage))
    } catch (error) {
      told.error = error
      throw error
    } finally {
      held.settle(chargeFor(most, told.usage), standingAfter(told))
    }
  }
}

async function* once(text: Promise<string>): AsyncGenerator<string, void, undefined> {
  yield await text
}

/** The HTTP statuses with which a provider refuses calls. 429 can mean a rate limit or a used-up quota ([model-9]). */
const TURNED_AWAY = [401, 402, 403, 429]

function standingAfter({ usage, error }: { usage: Usage | null; error: unknown }): Standing {
  if (usage?.end === 'whole') return { type: 'answered' }
  if (!(error instanceof ActorError) || error.status === null) return { type: 'unknown' }
  if (!TURNED_AWAY.includes(error.status)) return { type: 'unknown' }
  return { type: 'turned-away', retryAfterMs: error.retryAfterMs }
}

/** The budget from which calls to a model are paid. */
export interface Purse {
  /**
   * Reserves the most tokens that a call can use.
   *
   * @throws ActorError `spent`, `paused`, `unaccounted` or `aborted`, without reserving anything
   */
  reserve(
    most: Tokens,
    signal: AbortSignal,
  ): Promise<{
    /**
     * Replaces the reservation by the tokens that the call used. `standing` is what the call showed about the provider.
     * A second `settle` is ignored.
     */
    settle(charge: Tokens, standing: Standing): void
  }>
}
