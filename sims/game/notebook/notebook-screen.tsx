import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RunView } from '../../../worker/wire/run.ts'
import { useEscape, useStepBack, useTold } from '../components/hooks.ts'
import type { Game } from '../game.ts'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import { entriesOf, sourcesOf } from './entries.ts'
import { documentMark, factMark, markSeen } from './kept-notebook.ts'
import { ObjectiveList } from './objective-list.tsx'
import { OpenDocument } from './open-document.tsx'
import { OwnWords } from './own-words.tsx'
import { calledName, peopleOf } from '../people.ts'
import { SearchField, SourceFilter } from './search-field.tsx'
import { wordsOf } from './search.ts'
import { DocumentsSection, HeardSection } from './sections.tsx'
import { useVisit } from './use-visit.ts'

/** From so many entries on, the notebook can be searched. */
const MANY = 12

/** The notebook of a run: objectives, facts and documents. One document may be open. */
export function NotebookScreen({ game }: { game: Game }) {
  const run = game.store.run.value
  return run && <Notebook key={run.id} game={game} run={run} />
}

function Notebook({ game, run }: { game: Game; run: RunView }) {
  const route = game.store.route.value
  const card = game.store.card.value
  const { document: open = null, fact: pointed = null } = route.screen === 'notebook' ? route : {}
  const people = peopleOf(card)
  const visited = useVisit(run.id)
  // If everything that was heard is new, a mark on every entry would tell nothing.
  const heard = run.facts.map(({ id }) => factMark(id))
  const visit = heard.some((mark) => !visited.isNew(mark)) ? visited : { ...visited, isNew: () => false }
  const [question, setQuestion] = useState('')
  const [npc, setNpc] = useState<string | null>(null)
  const words = useMemo(() => wordsOf(question), [question])
  const { objectives, facts, documents } = entriesOf(run, { words, npc }, (id) => people(id).name)
  const sources = sourcesOf(run)
  const found = words.length > 0 ? t.notebook.found(facts.length, documents.length) : ''
  const told = useTold(found)
  const paper = run.documents.find((document) => document.npc === open) ?? null
  const showAll = () => {
    setQuestion('')
    setNpc(null)
  }

  // A link to a fact resets the filter, because the filter might hide the fact.
  useEffect(() => {
    if (pointed !== null) showAll()
  }, [pointed])
  useEffect(() => {
    if (paper) markSeen(run.id, [documentMark(paper.npc)])
  }, [run.id, paper?.npc])
  // Who has looked at the notebook has seen it, also what they did not scroll to.
  useEffect(
    () => () =>
      markSeen(
        run.id,
        run.facts.map(({ id }) => factMark(id)),
      ),
    [run.id, run.facts],
  )
  useLanding({ open, pointed, isShown: facts.some(({ id }) => id === pointed) })

  const close = useStepBack(game, { screen: 'notebook', run: run.id }, open !== null)
  const openDocument = (whose: string) =>
    game.go({ screen: 'notebook', run: run.id, document: whose }, open === null ? 'push' : 'replace')
  useEscape(open === null ? null : close)

  return (
    <div class="notebook" data-open={open !== null || undefined}>
      <div class="pages">
        <h1 tabIndex={-1}>{t.notebook.title}</h1>
        {run.facts.length + run.documents.length >= MANY && (
          <div class="narrow">
            <SearchField value={question} onInput={setQuestion} />
            {sources.length > 1 && <SourceFilter sources={sources} people={people} chosen={npc} onChoose={setNpc} />}
          </div>
        )}
        <p class="small count" aria-hidden="true">
          {found}
        </p>
        <p class="hidden" role="status">
          {told || null}
        </p>
        {words.length > 0 && facts.length + documents.length === 0 && (
          <div class="aside">
            <p>{t.notebook.nothingFound}</p>
            <p class="ways-there">
              {run.people.map((person) => (
                <a key={person.npc} href={hrefOf({ screen: 'talk', run: run.id, npc: person.npc })}>
                  {calledName(people(person.npc))}
                </a>
              ))}
            </p>
            <button class="button" type="button" onClick={showAll}>
              {t.notebook.showAll}
            </button>
          </div>
        )}
        <div class="columns">
          <HeardSection
            run={run}
            card={card}
            facts={facts}
            people={people}
            visit={visit}
            words={words}
            npc={npc}
            pointed={pointed}
          />
          <DocumentsSection
            run={run}
            documents={documents}
            people={people}
            visit={visit}
            words={words}
            npc={npc}
            open={open}
            onOpen={openDocument}
          />
          <OwnWords run={run.id} isDecided={run.decision !== null} />
          {objectives.length > 0 && (
            <section class="objectives" aria-labelledby="notebook-objectives">
              <h2 id="notebook-objectives">{t.notebook.objectives}</h2>
              <ObjectiveList objectives={objectives} people={people} />
            </section>
          )}
        </div>
      </div>
      {open !== null && (
        <OpenDocument
          run={run.id}
          paper={paper}
          people={people}
          words={words}
          heading="h2"
          closeHref={hrefOf({ screen: 'notebook', run: run.id })}
          onClose={close}
        />
      )}
    </div>
  )
}

/**
 * Moves the focus when the address changes within the notebook: to the heading of a document that opens, to the slip of
 * a document that closes, and to the fact that a link leads to.
 */
function useLanding({
  open,
  pointed,
  isShown,
}: {
  open: string | null
  pointed: string | null
  /** Whether the list shows the fact that a link leads to. */
  isShown: boolean
}): void {
  const before = useRef(open)
  const scrolled = useRef(0)
  if (before.current === null && open !== null) scrolled.current = scrollY
  useEffect(() => {
    const [was, now] = [before.current, open]
    before.current = now
    if (now !== null) {
      const heading = document.getElementById(`paper-${now}`)
      // On a phone the document replaces the scrolled list, so the page scrolls to the top. On a wide screen the
      // document is already visible.
      if (!document.querySelector('.notebook .columns')?.checkVisibility()) scrollTo({ top: 0, behavior: 'instant' })
      heading?.focus({ preventScroll: true })
    } else if (was !== null) {
      document.querySelector<HTMLElement>(`[data-document="${CSS.escape(was)}"]`)?.focus({ preventScroll: true })
      scrollTo({ top: scrolled.current, behavior: 'instant' })
    }
  }, [open])
  const landed = useRef<string | null>(null)
  useEffect(() => {
    if (pointed === null) landed.current = null
    if (!isShown || landed.current === pointed) return
    landed.current = pointed
    const fact = document.getElementById(`fact-${pointed}`)
    fact?.scrollIntoView({ block: 'center' })
    fact?.focus({ preventScroll: true })
  }, [pointed, isShown])
}
