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
      <div class="skills">
        {groups.map(({ title, facts, state }) => (
          <section key={title} class="skill" data-state={state}>
            {hasSkills && (
              <h3>
                <span lang={title === null ? undefined : 'x-authored'} dir="auto">
                  {title ?? words.noSkill}
                </span>{' '}
                {title !== null && <span class="stand">{words.used(tallyOf(facts))}</span>}
              </h3>
            )}
            <ul>
              {facts
                .filter((fact) => fact.state !== 'missed')
                .map((fact) => (
                  <Fact key={fact.id} fact={fact} {...props} />
                ))}
              {[...Map.groupBy(facts.filter(isMissed), ({ npc }) => npc)].map(([npc, missed]) => (
                <Missed key={npc} npc={npc} missed={missed} {...props} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Chapter>
  )
}

function isMissed({ state }: DecidingFact): boolean {
  return state === 'missed'
}

/** A deciding fact that the learner heard. */
function Fact({ fact, ...props }: FactsProps & { fact: DecidingFact }) {
  return (
    <li id={`fact-${fact.id}`} class="fact" tabIndex={-1} data-state={fact.state}>
      <Mark shape={fact.state} />
      <div>
        <p lang="x-authored" dir="auto">
          {fact.text}
        </p>
        <p class="small">
          <FactSource fact={fact} {...props} from={`fact-${fact.id}`} />
          {fact.state === 'cited' && <span class="hidden"> · {late.debrief.factState.cited}</span>}
          {fact.state === 'ignored' && <span> · {late.debrief.factState.ignored}</span>}
        </p>
      </div>
    </li>
  )
}

/**
 * The deciding facts of one colleague that the learner never heard. The texts are folded, because the learner may want to
 * hear them in another run. Texts that the service withholds are not there.
 */
function Missed({ npc, missed, debrief, cast }: FactsProps & { npc: string; missed: readonly DecidingFact[] }) {
  const words = late.debrief
  const texts = missed.flatMap(({ text }) => text ?? [])
  return (
    <li class="fact" data-state="missed">
      <Mark shape="missed" />
      <div>
        <p>{missedWords(npc, missed.length, debrief, cast)}</p>
        {texts.length > 0 && (
          <details class="quiet">
            <summary>{words.showFact(cast.name(npc))}</summary>
            {texts.map((text, index) => (
              <p key={index} lang="x-authored" dir="auto">
                {text}
              </p>
            ))}
          </details>
        )}
      </div>
    </li>
  )
}

function missedWords(npc: string, count: number, { talks }: DebriefView, cast: Cast): string {
  const words = late.debrief
  const hasTalked = talks.some((talk) => talk.npc === npc)
  return hasTalked ? words.missedFrom(cast.name(npc), count) : words.missedUnmet(cast.name(npc), count)
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
  if (fact.state === 'missed') return missedWords(fact.npc, 1, debrief, cast)
  if (fact.turn === null)
    return (
      <a href={hrefOf({ screen: 'notebook', run: debrief.run.id, document: fact.npc })}>{words.inDocument(name)}</a>
    )
  const anchor = talk ? anchorOfTurn(talk, fact.turn) : null
  if (anchor === null) return name
  return (
    <button
      class="link"
      type="button"
      aria-label={`${name}. ${words.readIt(words.turn(fact.turn))}`}
      onClick={() => follow.to(anchor, from)}
    >
      {name}
    </button>
  )
}

/**
 * Shows the learner's reason, how many of the deciding facts it rests on, who told the only one that it leaves out, and
 * the facts in the evidence that are not deciding facts. `Practised` shows the others.
 */
export function LearnerReason({ debrief: { facts, run }, cast }: Pick<FactsProps, 'debrief' | 'cast'>) {
  const words = late.debrief
  const decision = run.decision
  const others = run.facts.filter(
    ({ id }) => decision?.evidence.includes(id) === true && facts.every((fact) => fact.id !== id),
  )
  const [lacking, ...more] = facts.filter(({ state }) => state === 'ignored')
  return (
    <Chapter id="reason" title={words.yourReason}>
      {decision?.reason ? (
        <blockquote class="reason" dir="auto">
          {decision.reason}
        </blockquote>
      ) : (
        <p class="small">{words.noReason}</p>
      )}
      {facts.length > 0 && (
        <p class="measure">
          {words.tally(tallyOf(facts))}
          {lacking?.text && more.length === 0 && ` ${words.lacksOne(cast.name(lacking.npc), lacking.text)}`}
        </p>
      )}
      {others.length > 0 && (
        <details open={others.length <= FEW}>
          <summary class="label">
            {words.yourEvidence} ({others.length})
          </summary>
          <ul class="cited">
            {others.map(({ id, npc, text }) => (
              <li key={id} class="person voiced" style={{ '--hue': String(cast.person(npc).hue) }}>
                <span class="name">{cast.name(npc)}</span>
                <span lang="x-authored" dir="auto">
                  {text}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Chapter>
  )
}

/** So many facts stand there at once; more are folded, because those that decide say more. */
const FEW = 3
