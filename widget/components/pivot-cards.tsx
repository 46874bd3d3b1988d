import { lastSaid, lastTurn, pendingSays } from '../apply.ts'
import type { OpenPivot, TranscriptState } from '../apply.ts'
import { lastSentence, typeset } from '../clean.ts'
import type { Conversation } from '../conversation.ts'

/**
 * The question of a pivot, with a card for each answer. No card hints at the effect of its answer. The cards stand under
 * the reply that asks. If this reply contains the question, the question is not shown again. When the learner writes
 * something else, the cards fold to one line, which unfolds them ([embed-42]).
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
  const state = conversation.store.transcript.value
  const sent = pick(state, pivot)
  const picked = sent?.state === 'failed' ? null : sent?.message.choice
  const reply = lastSaid(state)
  const pending = pendingSays(state).length
  const turn = lastTurn(state) + pending
  const isRead = !pending && reply?.kind === 'speech' && reply.text.includes(pivot.question)
  const isAsked = isRead || turn === pivot.turn
  const question = typeset(pivot.question)
  return (
    // With another key the cards unfold or fold again, whatever the learner has done with them.
    <details key={isAsked || turn} class="pivot" open={isAsked} aria-labelledby="question">
      <summary class="role">
        <span>{sent?.state === 'failed' ? texts.pivotFailed : texts.pivot(name)}</span>
        <bdi lang={lang}>{lastSentence(question)}</bdi>
      </summary>
      <h3 id="question" class={isRead ? 'hidden' : ''} dir="auto" lang={lang}>
        {question}
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
            “{typeset(choice.text)}”
          </span>
        </button>
      ))}
      <p class="role keys">{texts.pivotHint}</p>
    </details>
  )
}

/** Returns true if the panel shows the cards of a pivot, not only the line to which they fold. */
export function areCardsOpen(panel: Element): boolean {
  return panel.querySelector('.pivot[open]') !== null
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
