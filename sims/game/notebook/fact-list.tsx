import type { HeardFact } from '../../../worker/wire/run.ts'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import { factMark } from './kept-notebook.ts'
import { Marked, NewMark } from './marks.tsx'
import { calledName } from '../people.ts'
import type { People } from '../people.ts'
import type { NotebookVisit } from './use-visit.ts'

/**
 * The facts that the learner heard. Each fact is in the words of the colleague who said it, with a link to the
 * conversation or document.
 */
export function FactList({
  run,
  facts,
  people,
  visit,
  words = [],
  pointed = null,
}: {
  run: string
  facts: readonly HeardFact[]
  people: People
  visit: NotebookVisit
  words?: readonly string[]
  /** The fact that a link leads to. */
  pointed?: string | null
}) {
  return (
    <ol class="heard-list">
      {facts.map((fact) => (
        <li
          key={fact.id}
          id={`fact-${fact.id}`}
          class="person"
          style={{ '--hue': people(fact.npc).hue }}
          tabIndex={-1}
          data-pointed={fact.id === pointed || undefined}
          ref={visit.watch(factMark(fact.id))}
        >
          <blockquote lang="x-authored" dir="auto">
            <Marked text={fact.said} words={words} />
          </blockquote>
          <p class="small">
            <a href={placeOf(run, fact)}>{sourceOf(fact, people)}</a>
            {visit.isNew(factMark(fact.id)) && <NewMark />}
          </p>
        </li>
      ))}
    </ol>
  )
}

/** Describes the source of a fact: "Maya, turn 4", or the document that Maya handed over. */
export function sourceOf({ npc, turn }: HeardFact, people: People): string {
  const name = calledName(people(npc))
  return turn === null ? t.notebook.onPaper(name) : t.notebook.inTurn(name, turn)
}

function placeOf(run: string, { npc, turn }: HeardFact): string {
  return hrefOf(turn === null ? { screen: 'notebook', run, document: npc } : { screen: 'talk', run, npc })
}
