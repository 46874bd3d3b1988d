import { clean } from '../../../widget/clean.ts'
import { t } from '../texts/texts.ts'
import { hitsIn, piecesOf } from './search.ts'
import type { TextPiece } from './search.ts'

/** A text in which the matches of a search are marked. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  const cleaned = clean(text)
  return <Pieces pieces={piecesOf(cleaned, hitsIn(words, cleaned))} />
}

export function Pieces({ pieces }: { pieces: readonly TextPiece[] }) {
  return <>{pieces.map(({ text, hit }, index) => (hit ? <mark key={index}>{text}</mark> : text))}</>
}

/** A mark on an entry that is new to the learner. */
export function NewMark() {
  return <span class="new">{t.notebook.isNew}</span>
}
