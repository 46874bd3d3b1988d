import { type Actor, ActorError, type Usage } from '../actor/actor.ts'
import type { Standing } from './breaker.ts'
import { chargeFor, mostOf, type Tokens } from './tokens.ts'

/**
 * The same actor, paid for: before each call the most it can take is set aside, and after it what it took is charged,
 * however it ended. A call that cannot be paid for is not made.
 *
 * @param maxOutputTokens what the server is asked to keep a reply to
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

/** 429 is both a pace and a quota, which only the provider's words tell apart, and those are never read ([model-9]). */
const TURNED_AWAY = [401, 402, 403, 429]

function standingAfter({ usage, error }: { usage: Usage | null; error: unknown }): Standing {
  if (usage?.end === 'whole') return { type: 'answered' }
  if (!(error instanceof ActorError) || error.status === null) return { type: 'unknown' }
  if (!TURNED_AWAY.includes(error.status)) return { type: 'unknown' }
  return { type: 'turned-away', retryAfterMs: error.retryAfterMs }
}

/** Pays for calls to a model. */
export interface Purse {
  /**
   * Sets aside the most that a call can take.
   *
   * @throws ActorError `spent`, `paused`, `unaccounted` or `aborted`, with nothing set aside
   */
  reserve(
    most: Tokens,
    signal: AbortSignal,
  ): Promise<{
    /** Ends it: what it took, and how we stand with the provider. Once; whatever comes later is ignored. */
    settle(charge: Tokens, standing: Standing): void
  }>
}
