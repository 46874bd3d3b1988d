import { useState } from 'preact/hooks'
import { clean } from '../../../widget/clean.ts'
import type { ClassOption, ClassView, MissedFact } from '../../../worker/wire/run.ts'
import { Glyph } from '../components/glyph.tsx'
import type { Cast } from '../people.ts'
import { late } from '../texts/texts.ts'
import { Wall } from './wall.tsx'
import type { WallProps } from './wall.tsx'

/** The language of the class's simulation; undefined until the simulations have loaded. */
type Language = string | undefined

interface MissedProps {
  readonly view: ClassView
  readonly cast: Cast
  readonly language: Language
}

/** Shows how many learners chose each option, and their reasons without names. The teacher can leave a reason out. */
export function Chosen({ view, language }: { view: ClassView; language: Language }) {
  const words = late.teach
  const [leftOut, setLeftOut] = useState<readonly string[]>([])
  const toggle = (reason: string) =>
    setLeftOut(leftOut.includes(reason) ? leftOut.filter((other) => other !== reason) : [...leftOut, reason])
  return (
    <>
      <ForTheWall view={view} label={words.wall.choices} title={words.options} note={words.reasonsNote}>
        {() => <Options view={view} language={language} leftOut={leftOut} />}
      </ForTheWall>
      <Options view={view} language={language} leftOut={leftOut} onToggle={toggle} />
    </>
  )
}

/**
 * Shows the options with their reasons, on the page and on the wall. The wall hides the verdicts until the teacher shows
 * them, and omits the reasons that the teacher has left out.
 *
 * @param onToggle leaves a reason out of the wall, or puts it back; absent on the wall itself
 */
function Options({
  view: { options, learners },
  language,
  leftOut,
  onToggle,
}: {
  view: ClassView
  language: Language
  leftOut: readonly string[]
  onToggle?: (reason: string) => void
}) {
  const words = late.teach
  const [isJudged, setJudged] = useState(onToggle !== undefined)
  return (
    <>
      <ol class="options">
        {options.map((option) => (
          <li key={option.option}>
            <h3>
              <span lang={language} dir="auto">
                {option.title}
              </span>{' '}
              {isJudged && (
                <span class="tag" data-verdict={option.verdict}>
                  {words.verdicts[option.verdict]}
                </span>
              )}
            </h3>
            <Bar share={option.n / learners.length} />
            <p class="small figures">{words.chosenBy(option.n, learners.length)}</p>
            <Reasons option={option} leftOut={leftOut} onToggle={onToggle} />
          </li>
        ))}
      </ol>
      {onToggle === undefined && (
        <button class="button" type="button" aria-pressed={isJudged} onClick={() => setJudged(!isJudged)}>
          {words.showVerdicts}
        </button>
      )}
    </>
  )
}

/** The most reasons of one option that the page shows unfolded. */
const MOST_UNFOLDED = 6

function Reasons({
  option: { n, reasons },
  leftOut,
  onToggle,
}: {
  option: ClassOption
  leftOut: readonly string[]
  onToggle: ((reason: string) => void) | undefined
}) {
  const words = late.teach
  const shown = onToggle ? reasons : reasons.filter((reason) => !leftOut.includes(reason))
  const waiting = n - reasons.length
  return (
    <>
      {shown.length > 0 && (
        // On the wall all reasons are folded, so that the teacher opens one option after the other.
        <details open={onToggle !== undefined && shown.length <= MOST_UNFOLDED}>
          <summary>{words.reasonsOf(shown.length)}</summary>
          <ul class="reasons">
            {shown.map((reason, index) => (
              <li key={`${index} ${reason}`} data-out={leftOut.includes(reason) || undefined}>
                <blockquote dir="auto">{clean(reason)}</blockquote>
                {onToggle && (
                  <button
                    class="bare small"
                    type="button"
                    aria-label={leftOut.includes(reason) ? undefined : words.leaveOut}
                    onClick={() => onToggle(reason)}
                  >
                    {leftOut.includes(reason) ? words.putBack : <Glyph name="close" />}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
      {onToggle && waiting > 0 && <p class="small">{words.waiting(waiting, reasons.length)}</p>}
    </>
  )
}

/** Shows the facts that learners had not heard when they decided, each with what would have brought it. */
export function MissedMost(props: MissedProps) {
  const { view } = props
  const words = late.teach
  return (
    <>
      <ForTheWall view={view} label={words.wall.facts} title={words.missed} note={words.missedNote}>
        {() => <Missed {...props} />}
      </ForTheWall>
      <Missed {...props} />
    </>
  )
}

function Missed({ view: { missed }, cast, language }: MissedProps) {
  const words = late.teach
  const known = missed.filter((fact) => fact.missed === 0)
  return (
    <>
      <ol class="missed">
        {missed
          .filter((fact) => fact.missed > 0)
          .map((fact) => (
            <li key={fact.fact} class="person" style={{ '--hue': String(cast.person(fact.npc).hue) }}>
              <p class="fact" lang={language} dir="auto">
                {fact.text}
              </p>
              <Bar share={fact.missed / fact.of} />
              <p class="small figures">{words.missedBy(fact.missed, fact.of)}</p>
              <BroughtBy fact={fact} name={cast.name(fact.npc)} language={language} />
            </li>
          ))}
      </ol>
      {known.length > 0 && (
        <section class="heard-by-all">
          <h3>{words.heardByAll}</h3>
          <ul>
            {known.map(({ fact, text }) => (
              <li key={fact} lang={language} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** Names the colleague who holds a fact, a question that brings it, and the paper that states it. */
function BroughtBy({
  fact: { question, paper },
  name,
  language,
}: {
  fact: MissedFact
  name: string
  language: Language
}) {
  const words = late.teach
  return (
    <p class="brought-by">
      <span class="holder">{words.heldBy(name)}</span>{' '}
      {question !== null && (
        <>
          {words.askFor}{' '}
          <q lang={language} dir="auto">
            {clean(question)}
          </q>{' '}
        </>
      )}
      {paper !== null && (
        <>
          {words.inPaper}{' '}
          <cite lang={language} dir="auto">
            {clean(paper)}
          </cite>
        </>
      )}
      {question === null && paper === null && words.inTalk}
    </p>
  )
}

interface ForTheWallProps extends WallProps {
  readonly view: ClassView
  /** What the part of the page shows. */
  readonly note: string
}

/** The head of a part of the page: a note, and the button for the wall with a warning while some have yet to decide. */
function ForTheWall({ view: { learners }, note, ...wall }: ForTheWallProps) {
  const undecided = learners.filter(({ option }) => option === null).length
  return (
    <div class="for-the-wall">
      <p class="small measure">
        {note} {undecided > 0 && <strong>{late.teach.undecidedLook(undecided)}</strong>}
      </p>
      <Wall {...wall} />
    </div>
  )
}

/** A bar as long as a fraction of its row. A text states the number. */
function Bar({ share }: { share: number }) {
  return (
    <span class="share" aria-hidden="true">
      <span style={{ inlineSize: `${Math.round(share * 100)}%` }} />
    </span>
  )
}
