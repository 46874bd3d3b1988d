import { useState } from 'preact/hooks'
import type { RunView } from '../../../worker/wire/run.ts'
import { keepDraft, keptDraft } from '../decide/draft.ts'
import { t } from '../texts/texts.ts'

/** What the learner writes in the notebook: the reason of their decision. After the decision, it stays as they gave it. */
export function OwnWords({ run }: { run: Pick<RunView, 'id' | 'decision'> }) {
  const [reason, setReason] = useState(() => keptDraft(run.id).reason)
  if (run.decision !== null)
    return run.decision.reason === '' ? null : (
      <section class="field own-words">
        <h2>{t.notebook.ownWords}</h2>
        <blockquote dir="auto">{run.decision.reason}</blockquote>
      </section>
    )
  const write = (text: string) => {
    setReason(text)
    keepDraft(run.id, { ...keptDraft(run.id), reason: text })
  }
  return (
    <section class="field own-words">
      <h2 id="own-words">{t.notebook.ownWords}</h2>
      <textarea
        aria-labelledby="own-words"
        rows={3}
        dir="auto"
        value={reason}
        aria-describedby="own-words-help"
        onInput={(event) => write(event.currentTarget.value)}
      />
      <p class="small" id="own-words-help">
        {t.notebook.ownWordsHelp}
      </p>
    </section>
  )
}
