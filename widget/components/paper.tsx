import type { DocumentView } from '../../worker/wire/messages.ts'
import { clean } from '../clean.ts'

/**
 * A document in the style of its kind: a log in a fixed-width font, a clause with numbered lines and a serif font,
 * figures in rows.
 */
export function PaperSheet({ paper, lang }: { paper: DocumentView; lang: string }) {
  const look = /log|trace|output/i.test(paper.kind)
    ? 'log'
    : /clause|contract|policy|terms/i.test(paper.kind)
      ? 'clause'
      : 'rows'
  return (
    <article class="paper" data-look={look} dir="auto" lang={lang}>
      <header>
        <p class="kind">{clean(paper.kind)}</p>
        <h3>{clean(paper.title)}</h3>
      </header>
      <ol>
        {paper.lines.map((line, index) => (
          <Row key={index} line={clean(line)} splits={look === 'rows'} />
        ))}
      </ol>
    </article>
  )
}

/** Shows a line such as "Error rate: 8.1 %" as a label and a figure, and any other line as a sentence. */
function Row({ line, splits }: { line: string; splits: boolean }) {
  const [, label, figure] = (splits && /^([^:]{2,48}):\s+(.{1,40})$/.exec(line)) || []
  if (!label) return <li>{line}</li>
  return (
    <li>
      <span>{label}</span> <b>{figure}</b>
    </li>
  )
}
