import { t } from '../texts/texts.ts'

/** Says that somebody has not seen this before. */
export function NewMark() {
  return <span class="new">{t.notebook.isNew}</span>
}
