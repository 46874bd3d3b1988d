import { lastSaid } from '../apply.ts'
import { typeset } from '../clean.ts'
import type { Conversation } from '../conversation.ts'

/**
 * Ready-made messages that the learner sends by one press, at the end of the transcript: two openers, or an assistant's
 * starters, until the learner has sent the first message, and later what the last reply offers. They are gone as soon as the learner has sent
 * something, and while a fork's cards are shown ([embed-41]).
 */
export function Chips({ conversation }: { conversation: Conversation }) {
  const { store, params } = conversation
  const { texts, lang, openers = texts.openers } = params
  const { conversation: begun, items, outbox, pivot, ended } = store.transcript.value
  if (store.stage.value.name !== 'open' || !begun || pivot || outbox.length) return null
  const last = lastSaid(store.transcript.value)
  const offers = last?.kind === 'speech' && last.offers
  const own = offers || begun.assistant?.starters
  if (!offers && (ended || items.some(({ kind }) => kind !== 'speech'))) return null
  return (
    <div class="chips moves" role="group" aria-labelledby="chips">
      <p id="chips" class={offers ? 'hidden' : 'status'}>
        {offers ? texts.offersTitle : texts.openersTitle}
      </p>
      {(own || openers).map((text, index) => (
        <button
          class="button"
          type="button"
          dir="auto"
          lang={own ? lang : undefined}
          onClick={({ currentTarget }) => {
            // The button disappears, so the focus moves first. With a mouse the composer then gets the focus. On a phone
            // it would open the keyboard over the reply.
            if (!matchMedia('(pointer: fine)').matches) currentTarget.closest<HTMLElement>('.room')?.focus()
            conversation.send({ name: 'say', text })
          }}
        >
          {typeset(own ? text : (texts.openers[index] ?? ''))}
        </button>
      ))}
    </div>
  )
}
