import { useState } from 'preact/hooks'
import type { HeardFact, RunView } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import { DocumentList } from './document-list.tsx'
import { FactList } from './fact-list.tsx'
import { documentMark, factMark, keptNotebook, markSeen } from './kept-notebook.ts'
import { ObjectiveList } from './objective-list.tsx'
import { OpenDocument } from './open-document.tsx'
import { peopleOf } from '../people.ts'
import type { People } from '../people.ts'
import { useVisit } from './use-visit.ts'

/**
 * The notebook's panel. On the desk (`preview`) it shows a few entries. Beside a talk it shows the notebook, or an open
 * document instead.
 */
export function NotebookPanel({ game, preview = false }: { game: Game; preview?: boolean }) {
  const run = game.store.run.value
  if (!run) return null
  const people = peopleOf(game.store.card.value)
  return preview ? (
    <Preview key={run.id} game={game} run={run} people={people} />
  ) : (
    <Beside key={run.id} run={run} people={people} />
  )
}

function Beside({ run, people }: { run: RunView; people: People }) {
  const visit = useVisit(run.id)
  const [open, setOpen] = useState<string | null>(null)
  const paper = run.documents.find(({ npc }) => npc === open)
  const show = (npc: string) => {
    setOpen(npc)
    markSeen(run.id, [documentMark(npc)])
    focusSoon(() => document.getElementById(`paper-${npc}`))
  }
  const hide = () => {
    setOpen(null)
    focusSoon(() => document.querySelector(`[data-document="${CSS.escape(open ?? '')}"]`))
  }
  if (paper)
    return (
      <div
        class="notebook-panel"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          hide()
        }}
      >
        <OpenDocument run={run.id} paper={paper} people={people} heading="h2" onClose={hide} />
      </div>
    )
  return (
    <section class="notebook-panel" aria-labelledby="notebook-panel">
      <Head run={run} />
      <ObjectiveList objectives={run.objectives} people={people} />
      <h3>{t.notebook.heard}</h3>
      {run.facts.length > 0 ? (
        <FactList run={run.id} facts={run.facts.toReversed()} people={people} visit={visit} />
      ) : (
        <p class="aside">{t.notebook.nothingHeard}</p>
      )}
      <h3>{t.notebook.documents}</h3>
      {run.documents.length > 0 ? (
        <DocumentList
          run={run.id}
          documents={run.documents}
          people={people}
          isNew={(mark) => !keptNotebook(run.id).seen.has(mark)}
          open={null}
          onOpen={show}
        />
      ) : (
        <p class="aside">{t.notebook.noDocuments}</p>
      )}
    </section>
  )
}

const LATEST = 2

function Preview({ game, run, people }: { game: Game; run: RunView; people: People }) {
  const visit = useVisit(run.id)
  // What is new comes first, and what a document brought, many lines at once, comes after what its colleague said.
  const isNew = ({ id }: HeardFact) => visit.isNew(factMark(id))
  const latest = run.facts
    .toReversed()
    .toSorted((a, b) => Number(isNew(b)) - Number(isNew(a)) || Number(b.turn !== null) - Number(a.turn !== null))
    .slice(0, LATEST)
  const more = run.facts.length - latest.length
  return (
    <section class="notebook-panel preview" aria-labelledby="notebook-panel">
      <Head run={run} />
      {run.facts.length > 0 ? (
        <FactList run={run.id} facts={latest} people={people} visit={{ ...visit, watch: () => () => undefined }} />
      ) : (
        <p class="aside">{t.notebook.nothingHeard}</p>
      )}
      {more > 0 && (
        <p class="small">
          <a href={hrefOf({ screen: 'notebook', run: run.id })}>{t.notebook.earlier(more)}</a>
        </p>
      )}
      {run.documents.length > 0 && (
        <DocumentList
          run={run.id}
          documents={run.documents}
          people={people}
          isNew={(mark) => !keptNotebook(run.id).seen.has(mark)}
          open={null}
          onOpen={(npc) => game.go({ screen: 'notebook', run: run.id, document: npc })}
        />
      )}
    </section>
  )
}

function Head({ run }: { run: RunView }) {
  return (
    <div class="panel-head">
      <h2 id="notebook-panel">
        <a href={hrefOf({ screen: 'notebook', run: run.id })}>{t.notebook.title}</a>
      </h2>
    </div>
  )
}

/** Focuses an element in the next frame, because by then Preact has rendered the element. */
function focusSoon(find: () => Element | null): void {
  requestAnimationFrame(() => {
    const element = find()
    if (element instanceof HTMLElement) element.focus()
  })
}
