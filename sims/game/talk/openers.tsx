import type { Conversation } from '../../../widget/conversation.ts'
import { locale, t } from '../texts/texts.ts'

/** The messages that the openers' buttons send, in the language of the colleagues. */
const OPENING_LINES: Readonly<Record<string, readonly string[]>> = {
  en: ["Hello. What's going on?", 'What should I know?'],
  es: ['Hola. ¿Qué está pasando?', '¿Qué debería saber?'],
}

/** Offers two ready-made messages until the learner has sent the first message. */
export function Openers({ conversation }: { conversation: Conversation }) {
  const { lang } = conversation.params
  const { stage, transcript } = conversation.store
  const { conversation: begun, items, outbox, ended } = transcript.value
  if (stage.value.name !== 'open' || begun === null || ended) return null
  // The colleague's opening line may be there already.
  if (items.some(({ kind }) => kind !== 'speech') || outbox.length > 0) return null
  return (
    <div class="openers" role="group" aria-labelledby="openers">
      <p id="openers" class="status">
        {t.shell.openersTitle}
        {locale !== 'en' && lang === 'en' && `, ${t.shell.inEnglish}`}
      </p>
      {(OPENING_LINES[lang] ?? []).map((text, index) => (
        <button
          key={text}
          class="button"
          type="button"
          onClick={({ currentTarget }) => {
            conversation.send({ name: 'say', text })
            // The button disappears, so the focus moves to the transcript. If the composer got the focus, a phone's
            // keyboard would cover the reply.
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
