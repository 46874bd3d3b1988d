import { clean } from '../../../widget/clean.ts'
import { followLink } from '../route.ts'
import { Glyph } from '../components/glyph.tsx'
import { t } from '../texts/texts.ts'
import { DocumentPaper } from './document-paper.tsx'
import type { HandedOver } from './entries.ts'
import type { People } from '../people.ts'

/** An open document, and the button that closes the document. */
export function OpenDocument({
  run,
  paper,
  people,
  words = [],
  heading,
  closeHref,
  onClose,
}: {
  run: string
  /** Null if the address names a document that was not handed over. */
  paper: HandedOver | null
  people: People
  words?: readonly string[]
  heading: 'h2' | 'h3'
  /** The address of the link that closes the document. If it is missing, a button takes the link's place. */
  closeHref?: string
  onClose: () => void
}) {
  return (
    <section class="opened" aria-label={paper ? clean(paper.title) : t.notebook.documents}>
      <p class="doc-tools">
        {closeHref === undefined ? (
          <button class="button" type="button" onClick={onClose}>
            {t.notebook.close}
          </button>
        ) : (
          <a class="button way-back" href={closeHref} onClick={followLink(onClose)}>
            <span class="to-notebook">
              <Glyph name="back" />
              {t.notebook.back}
            </span>
            <span class="to-close">{t.notebook.close}</span>
          </a>
        )}
        {paper && (
          <button class="button" type="button" onClick={() => print()}>
            {t.notebook.print}
          </button>
        )}
      </p>
      {paper ? (
        <>
          <DocumentPaper run={run} paper={paper} people={people} words={words} heading={heading} />
          <p class="small hint">{t.notebook.ringHint}</p>
        </>
      ) : (
        <p class="aside" role="alert">
          {t.notebook.notHere}
        </p>
      )}
    </section>
  )
}
