import type { DebriefView, DecidingFact } from '../../../worker/wire/run.ts'
import { hrefOf } from '../route.ts'
import { late } from '../texts/texts.ts'
import type { Cast } from '../people.ts'
import { Chapter } from './chapter.tsx'
import type { Follow } from './chapter.tsx'
import { practiceOf, tallyOf } from './lesson.ts'
import { Mark } from './mark.tsx'
import { anchorOfTurn } from './transcript.ts'

interface FactsProps {
  debrief: DebriefView
  cast: Cast
  follow: Follow
}

/**
 * The skills that the simulation promised, each with its evidence: the deciding facts that the learner used, only heard,
 * or never heard. The facts that belong to no skill come last.
 */
export function Practised(props: FactsProps) {
  const words = late.debrief
  const groups = practiceOf(props.debrief)
  if (groups.length === 0) return null
  const hasSkills = groups.some(({ title }) => title !== null)
  return (
    <Chapter id="facts" title={hasSkills ? words.practisedTitle : words.factsTitle}>
      <p class="measure">{words.tally(tallyOf(props.debrief.facts))}</p>
      <div class="skills">
        {groups.map(({ title, facts, state }) => (
          <section key={title} class="skill" data-state={state}>
            {hasSkills && (
              <h3>
                <span lang={title === null ? undefined : 'en'} dir="auto">
                  {title ?? words.noSkill}
                </span>{' '}
                {title !== null && <span class="stand">{words.skillState[state]}</span>}
              </h3>
            )}
            <ul>
              {facts.map((fact) => (
                <Fact key={fact.id} fact={fact} {...props} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Chapter>
  )
}

/**
 * A deciding fact. A fact that the learner never heard names the colleague who knows it, and hides the fact itself: the
 * learner may want to hear it in another run.
 */
function Fact({ fact, ...props }: FactsProps & { fact: DecidingFact }) {
  const words = late.debrief
  const isMissed = fact.state === 'missed'
  const text = (
    <p class="told" lang="en" dir="auto">
      {fact.text}
    </p>
  )
  return (
    <li id={`fact-${fact.id}`} class="fact" tabIndex={-1} data-state={fact.state}>
      <Mark shape={fact.state} />
      <div>
        {!isMissed && text}
        <p class={isMissed ? undefined : 'small'}>
          <FactSource fact={fact} {...props} from={`fact-${fact.id}`} />
          {!isMissed && <span> · {words.factState[fact.state]}</span>}
        </p>
        {isMissed && (
          <details class="quiet">
            <summary>{words.showFact(props.cast.name(fact.npc))}</summary>
            {text}
          </details>
        )}
      </div>
    </li>
  )
}

/**
 * Names the colleague who said the fact, and links to the message or document. For a fact that the learner never heard,
 * names the colleague who would have said it.
 */
export function FactSource({
  fact,
  debrief,
  cast,
  follow,
  from,
}: FactsProps & {
  fact: DecidingFact
  /** The id of the element to which the link in the transcript leads back. */
  from: string
}) {
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
    <button class="link" type="button" aria-label={words.readIt(where)} onClick={() => follow.to(anchor, from)}>
      {where}
    </button>
  )
}

/** The learner's reason, and the evidence that is no deciding fact, which no skill shows. */
export function Reason({ debrief: { facts, run }, cast }: Pick<FactsProps, 'debrief' | 'cast'>) {
  const words = late.debrief
  const decision = run.decision
  const others = run.facts.filter(({ id }) => decision?.evidence.includes(id) && facts.every((fact) => fact.id !== id))
  return (
    <Chapter id="reason" title={words.yourReason}>
      {decision?.reason ? (
        <blockquote class="reason" dir="auto">
          {decision.reason}
        </blockquote>
      ) : (
        <p class="small">{words.noReason}</p>
      )}
      {others.length > 0 && (
        <div>
          <h3 class="label">{words.yourEvidence}</h3>
          <ul class="cited">
            {others.map(({ id, npc, said }) => (
              <li key={id} class="person voiced" style={{ '--hue': String(cast.person(npc).hue) }}>
                <span class="name">{cast.name(npc)}</span>
                <q lang="en" dir="auto">
                  {said}
                </q>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Chapter>
  )
}
