import type { HeardFact } from '../../../worker/wire/run.ts'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import { factMark } from './kept-notebook.ts'
import { Marked, NewMark } from './marks.tsx'
import { calledName } from '../people.ts'
import type { People } from '../people.ts'
import type { NotebookVisit } from './use-visit.ts'

/**
 * The facts that the learner heard, by the colleague who said them, new ones first. The colleague's name links to the
 * conversation.
 */
export function FactsByColleague({ facts, ...props }: Omit<Parameters<typeof FactList>[0], 'isGrouped'>) {
  const { run, people, visit } = props
  return (
    <div class="heard-groups">
      {[...Map.groupBy(facts, ({ npc }) => npc)].map(([npc, theirs]) => {
        // Where all is new, one mark at the name says as much as one at each fact.
        const isAllNew = theirs.length > 1 && theirs.every(({ id }) => visit.isNew(factMark(id)))
        const newFirst = theirs.toSorted(
          (a, b) => Number(visit.isNew(factMark(b.id))) - Number(visit.isNew(factMark(a.id))),
        )
        return (
          <section key={npc} class="person" aria-labelledby={`heard-${npc}`} style={{ '--hue': people(npc).hue }}>
            <h3 id={`heard-${npc}`}>
              <a href={hrefOf({ screen: 'talk', run, npc })}>{people(npc).name}</a>{' '}
              <span class="small" lang="x-authored" dir="auto">
                {people(npc).role}
              </span>{' '}
              {isAllNew && <NewMark />}
            </h3>
            <FactsOf {...props} facts={newFirst} visit={isAllNew ? { ...visit, isNew: () => false } : visit} />
          </section>
        )
      })}
    </div>
  )
}

/** So many facts from a document stand with the others. */
const MOST_IN_WRITING = 3

/** One colleague's facts: those that they said, and folded those that only their document tells, unless one is searched. */
function FactsOf({ facts, ...props }: Omit<Parameters<typeof FactList>[0], 'isGrouped'>) {
  const { words = [], pointed = null } = props
  const written = facts.filter(({ turn }) => turn === null)
  const isFolded = words.length === 0 && written.length > MOST_IN_WRITING && written.length < facts.length
  if (!isFolded) return <FactList {...props} facts={facts} isGrouped />
  return (
    <>
      <FactList {...props} facts={facts.filter(({ turn }) => turn !== null)} isGrouped />
      <details open={written.some(({ id }) => id === pointed) || undefined}>
        <summary>{t.notebook.moreInWriting(written.length)}</summary>
        <FactList {...props} facts={written} isGrouped />
      </details>
    </>
  )
}

/**
 * The facts that the learner heard. Each fact is in the author's words, because a quotation often needs the question
 * before it, with a link to the conversation or document. Under a colleague's name a press on it shows their own words.
 */
export function FactList({
  run,
  facts,
  people,
  visit,
  words = [],
  pointed = null,
  isGrouped = false,
}: {
  run: string
  facts: readonly HeardFact[]
  people: People
  visit: NotebookVisit
  words?: readonly string[]
  /** The fact that a link leads to. */
  pointed?: string | null
  /** Whether a heading names the colleague already. Then only a fact from a document has a link of its own. */
  isGrouped?: boolean
}) {
  return (
    <ol class="heard-list">
      {facts.map((fact) => {
        const isSpoken = isGrouped && fact.turn !== null
        const mark = visit.isNew(factMark(fact.id)) && <NewMark />
        const text = (
          <span class="known" lang="x-authored" dir="auto">
            <Marked text={fact.text} words={words} />
          </span>
        )
        return (
          <li
            key={fact.id}
            id={`fact-${fact.id}`}
            class="person"
            style={{ '--hue': people(fact.npc).hue }}
            tabIndex={-1}
            data-pointed={fact.id === pointed || undefined}
            ref={visit.watch(factMark(fact.id))}
          >
            {isSpoken ? (
              <details open={words.length > 0 || undefined}>
                <summary>
                  {text} {mark}
                </summary>
                <blockquote lang="x-authored" dir="auto">
                  <Marked text={fact.said} words={words} />
                </blockquote>
              </details>
            ) : (
              <p>
                {text}{' '}
                <a class="small" href={placeOf(run, fact)}>
                  {isGrouped ? t.notebook.inWriting : sourceOf(fact, people)}
                </a>{' '}
                {mark}
              </p>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** Describes the source of a fact: "Maya", or "Maya, in writing" for a document that Maya handed over. */
export function sourceOf({ npc, turn }: HeardFact, people: People): string {
  const name = calledName(people(npc))
  return turn === null ? t.notebook.onPaper(name) : name
}

function placeOf(run: string, { npc, turn }: HeardFact): string {
  return hrefOf(turn === null ? { screen: 'notebook', run, document: npc } : { screen: 'talk', run, npc })
}
