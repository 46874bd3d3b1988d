import { shortName } from '../clean.ts'
import type { ConversationTexts } from '../texts/en.ts'
import { Icon } from './icon.tsx'

/** What the panel shows before the learner has agreed: one sentence and a button. Nothing is stored or sent yet. */
export function ConsentPanel({
  texts,
  name,
  onAgree,
  onClose,
}: {
  texts: ConversationTexts
  /** The colleague's id. */
  name: string
  onAgree: () => void
  onClose: (() => void) | undefined
}) {
  return (
    <div class="stage person">
      <header class="head">
        <h2 id="name" class="wide">
          {name ? texts.talkTo(shortName(name.charAt(0).toUpperCase() + name.slice(1))) : texts.panel}
        </h2>
        <div class="tools">
          {onClose && (
            <button class="bare" type="button" aria-label={texts.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </div>
      </header>
      <div class="refused">
        <p id="consent">{texts.consent}</p>
        <button class="button main" type="button" data-first aria-describedby="consent" onClick={onAgree}>
          {texts.agree}
        </button>
      </div>
    </div>
  )
}
