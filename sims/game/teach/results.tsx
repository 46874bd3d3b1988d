import type { ClassView } from '../../../worker/wire/run.ts'
import type { Cast } from '../people.ts'
import { late } from '../texts/texts.ts'

/** Shows the facts that most learners had not heard when they decided, each with the colleague who knows the fact. */
export function MissedMost({ view: { missed }, cast }: { view: ClassView; cast: Cast }) {
  const words = late.teach
  if (missed.every(({ of }) => of === 0)) return <p>{words.nothingMissed}</p>
  return (
    <>
      <p class="small">{words.missedNote}</p>
      <ol class="bars-list">
        {missed.map(({ fact, npc, text, missed: count, of }) => (
          <li key={fact}>
            <p lang="en" dir="auto">
              {text}
            </p>
            <Bar share={of === 0 ? 0 : count / of} />
            <p class="small">
              {words.missedBy(count, of)}, {words.heldBy(cast.name(npc))}
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}

/** Shows how many learners chose each option. */
export function Chosen({ view: { options } }: { view: ClassView }) {
  const words = late.teach
  const all = options.reduce((sum, { n }) => sum + n, 0)
  if (all === 0) return <p>{words.nobodyChose}</p>
  return (
    <ol class="bars-list">
      {options.map(({ option, title, verdict, n }) => (
        <li key={option}>
          <p>
            <span lang="en" dir="auto">
              {title}
            </span>{' '}
            <span class="tag" data-verdict={verdict}>
              {words.verdicts[verdict]}
            </span>
          </p>
          <Bar share={n / all} />
          <p class="small">{words.chosenBy(n)}</p>
        </li>
      ))}
    </ol>
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
