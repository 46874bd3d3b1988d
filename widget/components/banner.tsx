import type { Conversation } from '../conversation.ts'
import { troubleOf } from '../store.ts'
import * as texts from '../texts.ts'

/** The line to the service, once a person would wonder about it. The conversation announces the same words. */
export function Banner({ conversation }: { conversation: Conversation }) {
  const { store } = conversation
  const trouble = troubleOf(store)
  if (!trouble) return null
  return (
    <div class="banner moves">
      <span>{trouble}</span>
      {store.online.value && (
        <button class="button small" type="button" onClick={() => conversation.retry()}>
          {texts.reconnect}
        </button>
      )}
    </div>
  )
}
