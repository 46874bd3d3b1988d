import { clean } from '../../../widget/clean.ts'
import { followLink, hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import type { HandedOver } from './entries.ts'
import { documentMark } from './kept-notebook.ts'
import { Marked, NewMark } from './marks.tsx'
import { calledName } from '../people.ts'
import type { People } from '../people.ts'
import { holdsAll } from './search.ts'

/**
 * Shows the documents as slips, each of which is a link to the document. During a search, each slip lists the
 * document's lines that match.
 */
export function DocumentList({
  run,
  documents,
  people,
  isNew,
  open,
  words = [],
  onOpen,
}: {
  run: string
  documents: readonly HandedOver[]
  people: People
  /** Tells whether a document, given by its mark (`documentMark`), carries the mark "New". */
  isNew: (mark: string) => boolean
  /** The colleague whose document is open. */
  open: string | null
  words?: readonly string[]
  onOpen: (npc: string) => void
}) {
  return (
    <ul class="slips">
      {documents.map((paper) => (
        <li key={paper.npc} class="slip person" style={{ '--hue': people(paper.npc).hue }}>
          <p class="small doc-kind">
            <span lang="x-authored" dir="auto">
              <Marked text={paper.kind} words={words} />
            </span>{' '}
            · {t.notebook.fromWhom(calledName(people(paper.npc)))}
            {isNew(documentMark(paper.npc)) && (
              <>
                {' '}
                <NewMark />
              </>
            )}
          </p>
          <a
            href={hrefOf({ screen: 'notebook', run, document: paper.npc })}
            aria-current={paper.npc === open ? 'true' : undefined}
            data-document={paper.npc}
            lang="x-authored"
            dir="auto"
            onClick={followLink(() => onOpen(paper.npc))}
          >
            <Marked text={paper.title} words={words} />
          </a>
          <FoundLines lines={paper.lines} words={words} />
        </li>
      ))}
    </ul>
  )
}

const MOST_LINES = 3

function FoundLines({ lines, words }: { lines: readonly string[]; words: readonly string[] }) {
  if (words.length === 0) return null
  const found = lines.map(clean).filter((line) => words.some((word) => holdsAll([word], [line])))
  if (found.length === 0) return null
  return (
    <ul class="found-lines" lang="x-authored">
      {found.slice(0, MOST_LINES).map((line) => (
        <li key={line} dir="auto">
          <Marked text={line} words={words} />
        </li>
      ))}
    </ul>
  )
}
