import { addressOf, onLinkClick, SESSION_ID } from '../address.ts'
import type { Desk } from '../desk.ts'
import type { ContextConversation } from '../store.ts'
import * as texts from '../texts.ts'
import type { Known } from '../workflow/history.ts'
import { MomentTime } from './marks.tsx'
import { Trouble, LoadingBars } from './trouble.tsx'

/** The conversation of a context. The page loads what people said only on request. */
export function ConversationPart({ desk, context }: { desk: Desk; context: Known }) {
  const { conversationRef } = context
  const read = desk.store.reading.value
  const reading = read?.of === context.id ? read : null
  if (!conversationRef) return null
  const messages = conversationRef.messageIds.length
  const sent = { screen: 'told', session: conversationRef.conversationId, turn: null } as const
  return (
    <section aria-labelledby="conversation">
      <h3 id="conversation">Conversation</h3>
      <p class="small id">{conversationRef.conversationId}</p>
      {messages > 0 && <p class="small">Caused by {texts.counted(messages, 'message')} of it.</p>}
      {SESSION_ID.test(sent.session) && (
        <p class="small">
          <a href={addressOf(sent)} onClick={onLinkClick(() => desk.go(sent))}>
            What was sent to its agents
          </a>
        </p>
      )}
      {reading === null && (
        <button class="button" type="button" onClick={() => desk.readConversation(context.id)}>
          Read what was said
        </button>
      )}
      {reading?.state === 'loading' && <LoadingBars what="Loading what was said" lines={3} />}
      {typeof reading?.state === 'object' && (
        <Trouble desk={desk} problem={reading.state} onAgain={() => desk.readConversation(context.id)} />
      )}
      {reading?.state === 'ready' && <Said conversation={reading.conversation} begun={context.createdAt} />}
    </section>
  )
}

function Said({
  conversation: { conversation, triggerMessages },
  begun,
}: {
  conversation: ContextConversation
  begun: number
}) {
  const trigger = new Set(triggerMessages.map(({ id }) => id))
  if (!conversation) return <p class="note">The conversation isn’t there. It may have been erased.</p>
  if (conversation.messages.length === 0) return <p class="note">Nothing was said yet.</p>
  return (
    <ol class="said">
      {conversation.messages.map(({ id, who, text, at }) => (
        <li key={id} data-who={who}>
          <p class="small">
            <strong>{who === 'learner' ? 'Learner' : 'Colleague'}</strong> <MomentTime time={at} nearby={begun} />
            {trigger.has(id) && <span class="tag">brought this about</span>}
          </p>
          <p class="text" dir="auto">
            {text}
          </p>
        </li>
      ))}
    </ol>
  )
}
