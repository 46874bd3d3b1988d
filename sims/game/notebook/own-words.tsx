import { t } from '../texts/texts.ts'
import { keepNote, keptNotebook } from './kept-notebook.ts'

/** What the learner writes in the notebook, with which the reason of their decision begins. */
export function OwnWords({ run, isDecided }: { run: string; isDecided: boolean }) {
  return (
    <section class="field own-words">
      <h2 id="own-words">{t.notebook.ownWords}</h2>
      <textarea
        aria-labelledby="own-words"
        rows={1}
        placeholder={t.notebook.ownWordsHint}
        dir="auto"
        value={keptNotebook(run).note}
        aria-describedby="own-words-help"
        onInput={(event) => keepNote(run, event.currentTarget.value)}
      />
      <p class="small" id="own-words-help">
        {isDecided ? t.notebook.ownWordsKept : t.notebook.ownWordsHelp}
      </p>
    </section>
  )
}
