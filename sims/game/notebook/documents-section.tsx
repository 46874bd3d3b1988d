import type { RunView } from '../../../worker/wire/run.ts'
import { t } from '../texts/texts.ts'
import { DocumentList } from './document-list.tsx'
import type { HandedOver } from './entries.ts'
import { keptNotebook } from './kept-notebook.ts'
import { calledName } from './people.ts'
import type { People } from './people.ts'

/** What was handed over. A search that finds nothing here leaves nothing here. */
export function DocumentsSection({
  run,
  documents,
  people,
  words,
  npc,
  open,
  onOpen,
}: {
  run: RunView
  /** Those that are shown. */
  documents: readonly HandedOver[]
  people: People
  words: readonly string[]
  npc: string | null
  open: string | null
  onOpen: (npc: string) => void
}) {
  if (documents.length === 0 && words.length > 0) return null
  return (
    <section aria-labelledby="notebook-documents">
      <h2 id="notebook-documents">{t.notebook.documents}</h2>
      {documents.length > 0 && (
        <DocumentList
          run={run.id}
          documents={documents}
          people={people}
          seen={keptNotebook(run.id).seen}
          open={open}
          words={words}
          onOpen={onOpen}
        />
      )}
      {run.documents.length === 0 && <p class="aside">{t.notebook.noDocuments}</p>}
      {run.documents.length > 0 && documents.length === 0 && npc !== null && (
        <p class="aside">{t.notebook.nothingFrom(calledName(people(npc)))}</p>
      )}
    </section>
  )
}
