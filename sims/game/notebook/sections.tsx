import type { HeardFact, RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { nextStepOf } from '../next-step.ts'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import { DocumentList } from './document-list.tsx'
import type { HandedOver } from './entries.ts'
import { FactsByColleague } from './fact-list.tsx'
import { keptNotebook } from './kept-notebook.ts'
import { calledName } from '../people.ts'
import type { People } from '../people.ts'
import type { NotebookVisit } from './use-visit.ts'

/**
 * The section of facts. If the learner has heard no fact yet, a text explains what the notebook is for. If a search
 * finds no facts, the section is hidden.
 */
export function HeardSection({
  run,
  card,
  facts,
  people,
  visit,
  words,
  npc,
  pointed,
}: {
  run: RunView
  card: SimulationCard | null
  facts: readonly HeardFact[]
  people: People
  visit: NotebookVisit
  words: readonly string[]
  npc: string | null
  pointed: string | null
}) {
  if (facts.length === 0 && words.length > 0) return null
  const isNotThere = pointed !== null && !run.facts.some(({ id }) => id === pointed)
  return (
    <section class="heard" aria-labelledby="notebook-heard">
      <h2 id="notebook-heard">{t.notebook.heard}</h2>
      {isNotThere && (
        <p class="aside" role="alert">
          {t.notebook.factNotHere}
        </p>
      )}
      {facts.length > 0 && (
        <FactsByColleague run={run.id} facts={facts} people={people} visit={visit} words={words} pointed={pointed} />
      )}
      {run.facts.length === 0 && <NothingHeard run={run} card={card} people={people} />}
      {run.facts.length > 0 && facts.length === 0 && npc !== null && (
        <p class="aside">{t.notebook.nothingFrom(calledName(people(npc)))}</p>
      )}
    </section>
  )
}

/** The section of documents. If a search finds no documents, the section is hidden. */
export function DocumentsSection({
  run,
  documents,
  people,
  visit,
  words,
  npc,
  open,
  onOpen,
}: {
  run: RunView
  documents: readonly HandedOver[]
  people: People
  visit: NotebookVisit
  words: readonly string[]
  npc: string | null
  open: string | null
  onOpen: (npc: string) => void
}) {
  if (documents.length === 0 && words.length > 0) return null
  return (
    <section class="papers" aria-labelledby="notebook-documents">
      <h2 id="notebook-documents">{t.notebook.documents}</h2>
      {documents.length > 0 && (
        <DocumentList
          run={run.id}
          documents={documents}
          people={people}
          isNew={(mark) => visit.isNew(mark) && !keptNotebook(run.id).seen.has(mark)}
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

/** Explains what the notebook is for, and which colleague to begin with. */
function NothingHeard({ run, card, people }: { run: RunView; card: SimulationCard | null; people: People }) {
  const step = nextStepOf(run, card?.guide ?? '')
  const npc = 'npc' in step ? step.npc : null
  return (
    <div class="aside">
      <p>{t.notebook.nothingHeard}</p>
      <p>
        <a href={hrefOf(npc === null ? { screen: 'desk', run: run.id } : { screen: 'talk', run: run.id, npc })}>
          {npc === null ? t.notebook.toPeople : t.notebook.talkTo(calledName(people(npc)))}
        </a>
      </p>
    </div>
  )
}
