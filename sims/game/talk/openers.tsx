import type { Conversation } from '../../../widget/conversation.ts'
import { t } from '../texts/texts.ts'

/** What is said for a learner who picks an opener, in the language that the colleagues speak. */
const OPENING_LINES: readonly string[] = ["Hello. What's going on?", 'What should I know?']

/** Two first lines to pick from while nothing was said yet. */
export function Openers({ conversation }: { conversation: Conversation }) {
  const { stage, transcript } = conversation.store
  const { conversation: begun, items, outbox, ended } = transcript.value
  if (stage.value.name !== 'open' || begun === null || ended) return null
  if (items.length > 0 || outbox.length > 0) return null
  return (
    <div class="openers" role="group" aria-labelledby="openers">
      <p id="openers" class="status">
        {t.shell.openersTitle}
      </p>
      {OPENING_LINES.map((text, index) => (
        <button
          key={text}
          class="button"
          type="button"
          onClick={({ currentTarget }) => {
            conversation.send({ name: 'say', text })
            // The button goes; with the keyboard's place in the field, a phone would cover the answer with its own.
            if (!matchMedia('(pointer: fine)').matches) focusLog(currentTarget)
          }}
        >
          {t.shell.openers[index]}
        </button>
      ))}
    </div>
  )
}

function focusLog(button: HTMLElement): void {
  button.closest('.panel')?.querySelector<HTMLElement>('[role="log"]')?.focus()
}
