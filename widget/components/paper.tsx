import type { ComponentChildren } from 'preact'
import type { DocumentView } from '../../worker/wire/messages.ts'
import { typeset } from '../clean.ts'
import { boundLine, documentRowOf, lookOf } from '../paper.ts'
import type { DocumentLook, LinePart } from '../paper.ts'

/** A document in the style of its kind: a report with rows of figures, a clause, a log, a survey, minutes or a letter. */
export function PaperSheet({ paper, lang }: { paper: DocumentView; lang: string }) {
  const look = lookOf(paper.kind)
  return (
    <article class="doc" data-look={look} dir="auto" lang={lang}>
      <header>
        <p class="doc-kind">{typeset(paper.kind)}</p>
        <h3>{typeset(paper.title)}</h3>
      </header>
      <ol class="doc-lines">
        {paper.lines.map(boundLine).map((line, index) => (
          <PaperRow key={index} line={line} look={look} draw={({ from, to }) => line.slice(from, to)} />
        ))}
      </ol>
    </article>
  )
}

/** A line of a document. `draw` returns what is shown for each part of the line. */
export function PaperRow({
  line,
  look,
  draw,
}: {
  line: string
  look: DocumentLook
  draw: (part: LinePart) => ComponentChildren
}) {
  const { mark, label, value } = documentRowOf(line, look)
  return (
    <li dir="auto" data-row={value ? '' : null}>
      {mark && <span class="mark-of">{draw(mark)}</span>}
      <span class="row-name">{draw(label)}</span>
      {value && (
        <span class="row-value">
          <span class="leader">{': '}</span>
          <span>{draw(value)}</span>
        </span>
      )}
    </li>
  )
}
