import type { Conversation } from '../conversation.ts'
import { troubleOf } from '../store.ts'

/** The line to the service, once a person would wonder about it. The conversation announces the same words. */
export function Banner({ conversation }: { conversation: Conversation }) {
  const { store, params } = conversation
  const trouble = troubleOf(store, params.texts)
  if (!trouble) return null
  return (
    <div class="banner moves">
      <span>{trouble}</span>
      {store.online.value && (
        <button class="button small" type="button" onClick={() => conversation.retry()}>
          {params.texts.reconnect}
        </button>
      )}
    </div>
  )
}
