import type { Conversation } from '../conversation.ts'
import * as texts from '../texts.ts'

/** The line to the service, once a person would wonder about it. */
export function Banner({ conversation }: { conversation: Conversation }) {
  const line = conversation.store.line.value
  const online = conversation.store.online.value
  if (online && line !== 'down' && line !== 'long') return null
  const text = !online ? texts.offline : line === 'down' ? texts.reconnecting : texts.stillReconnecting
  return (
    <div class="banner moves">
      <span role="status">{text}</span>
      {online && (
        <button class="button small" type="button" onClick={() => conversation.retry()}>
          {texts.reconnect}
        </button>
      )}
    </div>
  )
}
