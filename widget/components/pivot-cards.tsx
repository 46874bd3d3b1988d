import { lastSaid } from '../apply.ts'
import type { OpenPivot, TranscriptState } from '../apply.ts'
import { clean } from '../clean.ts'
import type { Conversation } from '../conversation.ts'

/**
 * The question of a pivot, with a card for each answer. No card hints at the effect of its answer. If the reply above
 * contains the question, the question is not shown again; instead the reply stays undimmed ([embed-42]).
 */
export function PivotCards({
  pivot,
  name,
  conversation,
}: {
  pivot: OpenPivot
  name: string
  conversation: Conversation
}) {
  const { texts, lang } = conversation.params
  const sent = pick(conversation.store.transcript.value, pivot)
  const picked = sent?.state === 'failed' ? null : sent?.message.choice
  const reply = lastSaid(conversation.store.transcript.value)
  const isAsked = reply?.kind === 'speech' && reply.text.includes(pivot.question)
  return (
    <section class="pivot moves" aria-labelledby="question">
      <p class="role">{sent?.state === 'failed' ? texts.pivotFailed : texts.pivot(name)}</p>
      <h3 id="question" class={isAsked ? 'hidden' : ''} dir="auto" lang={lang}>
        {clean(pivot.question)}
      </h3>
      {pivot.choices.map((choice, index) => (
        <button
          key={choice.id}
          class="card"
          type="button"
          aria-keyshortcuts={String(index + 1)}
          aria-pressed={picked === choice.id}
          aria-disabled={picked != null}
          onClick={() => answerPivot(conversation, pivot, index)}
        >
          <span class="key" aria-hidden="true">
            {index + 1}
          </span>
          <span dir="auto" lang={lang}>
            “{clean(choice.text)}”
          </span>
        </button>
      ))}
      <p class="role keys">{texts.pivotHint}</p>
    </section>
  )
}

/**
 * Sends the learner's answer to a pivot, unless an answer was sent before. After a refusal the learner may answer
 * again.
 */
export function answerPivot(conversation: Conversation, pivot: OpenPivot, index: number): void {
  const choice = pivot.choices[index]
  const sent = pick(conversation.store.transcript.value, pivot)
  if (!choice || (sent && sent.state !== 'failed')) return
  if (sent) conversation.takeBack(sent)
  conversation.send({ name: 'choose', pivot: pivot.pivot, choice: choice.id })
}

function pick(state: TranscriptState, { pivot }: OpenPivot) {
  for (const entry of state.outbox) {
    const { message } = entry
    if (message.name === 'choose' && message.pivot === pivot) return { ...entry, message }
  }
  return null
}
