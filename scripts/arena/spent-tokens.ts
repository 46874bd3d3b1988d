import type { Actor, Usage } from '../../worker/actor/actor.ts'

/**
 * The tokens of a conversation's calls. `isEstimate` is true if the model's server reported no count for at least one
 * call.
 */
export interface SpentTokens {
  readonly input: number
  readonly output: number
  readonly isEstimate: boolean
}

export const NOTHING_SPENT: SpentTokens = { input: 0, output: 0, isEstimate: false }

/** English text has about four bytes for each token. */
const BYTES_A_TOKEN = 4

/**
 * Wraps an actor so that `spend` receives, for each call, a function that adds the call's tokens to a sum. The number
 * of tokens is the one that the model's server reports. If the server reports none, the number is estimated from the
 * bytes of the prompt and the reply. For the rehearsal actor, the estimate is what a model would have received and
 * written.
 */
export function meteredFor(actor: Actor, spend: (add: (sum: SpentTokens) => SpentTokens) => void): Actor {
  const take = (asked: { readonly system: string; readonly user: string }, said: number, usage: Usage | null) => {
    if (usage?.end === 'free') return
    const { counted } = usage ?? { counted: null }
    const input = counted?.input ?? tokensIn(asked.system.length + asked.user.length)
    const output = counted?.output ?? tokensIn(Math.max(said, usage?.heardBytes ?? 0))
    spend((sum) => ({
      input: sum.input + input,
      output: sum.output + output,
      isEstimate: sum.isEstimate || counted === null,
    }))
  }
  return {
    kind: actor.kind,
    label: actor.label,
    async *speak(briefing, signal) {
      let said = 0
      let usage: Usage | null = null
      try {
        for await (const piece of actor.speak(briefing, signal, (told) => (usage = told))) {
          said += piece.length
          yield piece
        }
      } finally {
        take(briefing, said, usage)
      }
    },
    async think(task, signal) {
      let usage: Usage | null = null
      const answer = await actor.think(task, signal, (told) => (usage = told))
      take(task, answer.length, usage)
      return answer
    },
  }
}

function tokensIn(bytes: number): number {
  return Math.ceil(bytes / BYTES_A_TOKEN)
}
