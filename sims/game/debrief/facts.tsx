import type { DebriefView, DecidingFact, SimulationCard } from '../../../worker/wire/run.ts'
import { hrefOf } from '../route.ts'
import { late } from '../texts/texts.ts'
import type { Cast } from '../people.ts'
import { Chapter } from './chapter.tsx'
import { Mark } from './mark.tsx'
import { anchorOfTurn } from './transcript.ts'
import type { Follow } from './chapter.tsx'

const STATES = ['cited', 'ignored', 'missed'] as const

/**
 * Shows the deciding facts in three groups: cited, left out and never heard. Each fact names the colleague who knows
 * it. Of a fact whose text is withheld, the page shows only whose it is.
 */
export function Facts({
  debrief,
  card,
  cast,
  follow,
}: {
  debrief: DebriefView
  card: Pick<SimulationCard, 'people'>
  cast: Cast
  follow: Follow
}) {
  const words = late.debrief
  return (
    <Chapter id="facts" title={words.factsTitle}>
      {STATES.map((state) => {
        const facts = debrief.facts.filter((fact) => fact.state === state)
        if (facts.length === 0) return null
        return (
          <section key={state} class="facts" data-state={state}>
            <h3>
              <Mark shape={state} />
              {words[state]}
            </h3>
            <ul>
              {facts.map((fact) =>
                fact.text === null ? null : (
                  <Fact key={fact.id} fact={fact} debrief={debrief} cast={cast} follow={follow} />
                ),
              )}
              {card.people.map(({ id, owns }) => {
                const [fact, ...rest] = facts.filter(({ npc, text }) => npc === id && text === null)
                return (
                  fact && (
                    <li key={id} class="fact person" style={{ '--hue': String(cast.person(id).hue) }}>
                      <p class="told">
                        {words.withheld(cast.name(id), rest.length + 1)}{' '}
                        <span lang="en" dir="auto">
                          {owns}
                        </span>
                      </p>
                      <p class="small">
                        <Source fact={fact} debrief={debrief} cast={cast} follow={follow} />
                      </p>
                    </li>
                  )
                )
              })}
            </ul>
          </section>
        )
      })}
    </Chapter>
  )
}

interface FactProps {
  fact: DecidingFact
  debrief: DebriefView
  cast: Cast
  follow: Follow
}

function Fact({ fact, debrief, cast, follow }: FactProps) {
  return (
    <li id={`fact-${fact.id}`} class="fact person" tabIndex={-1} style={{ '--hue': String(cast.person(fact.npc).hue) }}>
      <p class="told" lang="en" dir="auto">
        {fact.text}
      </p>
      {fact.said !== null && (
        <blockquote class="quoted" lang="en" dir="auto">
          {fact.said}
        </blockquote>
      )}
      <p class="small">
        <Source fact={fact} debrief={debrief} cast={cast} follow={follow} />
      </p>
    </li>
  )
}

/**
 * Names the colleague who said the fact, and links to the message or document. For a fact that the learner never heard,
 * names the colleague who would have said it.
 */
function Source({ fact, debrief, cast, follow }: FactProps) {
  const words = late.debrief
  const name = cast.name(fact.npc)
  const talk = debrief.talks.find(({ npc }) => npc === fact.npc)
  if (fact.state === 'missed') return talk ? words.missedFrom(name) : words.missedUnmet(name)
  if (fact.turn === null)
    return (
      <a href={hrefOf({ screen: 'notebook', run: debrief.run.id, document: fact.npc })}>{words.inDocument(name)}</a>
    )
  const where = words.said(name, fact.turn)
  const anchor = talk ? anchorOfTurn(talk, fact.turn) : null
  if (anchor === null) return where
  return (
    <button
      class="link"
      type="button"
      aria-label={words.readIt(where)}
      onClick={() => follow.to(anchor, `fact-${fact.id}`)}
    >
      {where}
    </button>
  )
}
