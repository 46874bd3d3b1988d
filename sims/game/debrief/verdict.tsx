import type { DebriefView } from '../../../worker/wire/run.ts'
import { late } from '../texts/texts.ts'
import type { Cast } from './cast.ts'
import { Chapter } from './chapter.tsx'
import { tallyOf } from './tally.ts'

/** How good a call it was, in words, and what the learner gave for it. */
export function Verdict({ debrief: { ending, facts, run }, cast }: { debrief: DebriefView; cast: Cast }) {
  const words = late.debrief
  const tally = tallyOf(facts)
  const hears = tally.heard === tally.deciding ? words.heardAll : words.notAll
  const cited = run.facts.filter(({ id }) => run.decision?.evidence.includes(id))
  return (
    <Chapter id="verdict" title={words.verdictTitle}>
      <p class="verdict" data-verdict={ending.verdict}>
        {words.verdict[ending.verdict]}
      </p>
      {tally.deciding > 0 && (
        <p class="measure">
          {hears[ending.verdict]} {words.tally(tally)}
        </p>
      )}
      <div class="reason">
        <h3 class="label">{words.yourReason}</h3>
        {run.decision?.reason ? (
          <blockquote dir="auto">{run.decision.reason}</blockquote>
        ) : (
          <p class="small">{words.noReason}</p>
        )}
      </div>
      {cited.length > 0 && (
        <div>
          <h3 class="label">{words.yourEvidence}</h3>
          <ul class="cited">
            {cited.map(({ id, npc, said }) => (
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
