import { PaperRow } from '../../../widget/components/paper.tsx'
import { boundLine, lookOf } from '../../../widget/paper.ts'
import type { DocumentLook, LinePart } from '../../../widget/paper.ts'
import { t } from '../texts/texts.ts'
import type { HandedOver } from './entries.ts'
import { stretchesOf } from './paper.ts'
import { figureMark, keptNotebook, toggleRing } from './kept-notebook.ts'
import { Marked, Pieces } from './marks.tsx'
import type { People } from '../people.ts'

/**
 * A document in the style of its kind. Each figure is a button that draws a pencil ring around the figure, or removes
 * it.
 */
export function DocumentPaper({
  run,
  paper,
  people,
  words = [],
  heading: Heading,
}: {
  run: string
  paper: HandedOver
  people: People
  words?: readonly string[]
  heading: 'h2' | 'h3'
}) {
  const look = lookOf(paper.kind)
  const { circled } = keptNotebook(run)
  const { name, role } = people(paper.npc)
  return (
    <article class="doc" data-look={look} aria-labelledby={`paper-${paper.npc}`}>
      <header>
        <p class="doc-kind" lang="x-authored" dir="auto">
          <Marked text={paper.kind} words={words} />
        </p>
        <Heading id={`paper-${paper.npc}`} tabIndex={-1} lang="x-authored" dir="auto">
          <Marked text={paper.title} words={words} />
        </Heading>
      </header>
      <ol class="doc-lines" lang="x-authored">
        {paper.lines.map((line, index) => (
          <Line
            key={index}
            line={boundLine(line)}
            look={look}
            words={words}
            nameOf={(figure) => figureMark(paper.npc, index, figure)}
            circled={circled}
            onPress={(figure) => toggleRing(run, figure)}
          />
        ))}
      </ol>
      <p class="small doc-by">{t.notebook.handedOver(name, role)}</p>
    </article>
  )
}

function Line({
  line,
  look,
  words,
  nameOf,
  circled,
  onPress,
}: {
  line: string
  look: DocumentLook
  words: readonly string[]
  nameOf: (figure: number) => string
  circled: ReadonlySet<string>
  onPress: (figure: string) => void
}) {
  const draw = (part: LinePart) =>
    stretchesOf(line, words, part.from, part.to).map(({ figure, pieces, closing }, key) => {
      if (figure === null) return <Pieces key={key} pieces={pieces} />
      const name = nameOf(figure)
      return (
        <span key={key} class="whole">
          <button class="figure" type="button" aria-pressed={circled.has(name)} onClick={() => onPress(name)}>
            <Pieces pieces={pieces} />
          </button>
          {closing}
        </span>
      )
    })
  return <PaperRow line={line} look={look} draw={draw} />
}
