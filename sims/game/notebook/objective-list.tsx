import { clean } from '../../../widget/clean.ts'
import { t } from '../texts/texts.ts'
import type { Objective } from './entries.ts'
import { calledName } from '../people.ts'
import type { People } from '../people.ts'

/** The objectives, each with its state: open, met or missed. A drawn box shows the state, and a hidden word tells it. */
export function ObjectiveList({ objectives, people }: { objectives: readonly Objective[]; people: People }) {
  return (
    <ul class="notebook-goals">
      {objectives.map(({ id, title, npc, state }) => (
        <li key={id} data-state={state}>
          <Box state={state} />
          <p>
            <span class="goal" lang="x-authored" dir="auto">
              {clean(title)}
            </span>
            <span class="hidden">{t.shell.objective[state]}</span>
            {state === 'missed' && (
              <span class="small goal-missed">{t.notebook.missedWith(calledName(people(npc)))}</span>
            )}
          </p>
        </li>
      ))}
    </ul>
  )
}

/** A box that looks drawn by hand, with a sign for the objective's state. */
function Box({ state }: { state: Objective['state'] }) {
  return (
    <svg class="goal-box" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path
        class="line side"
        d="M4.4 7.2C9 6.6 13.6 6.7 17.6 7M17.6 7C17.9 11.4 17.7 16 17.9 20.3M17.9 20.3C13 20 9 20.5 4.7 20.2M4.7 20.2C4.2 15.8 4.7 11.5 4.4 7.2"
      />
      {state === 'met' && <path class="line stroke" d="M6.5 13C8.3 14.6 9.7 16.2 10.8 18 13 12.3 16.6 7.4 21.5 3.6" />}
      {state === 'missed' && <path class="line stroke" d="M7 13.8C10 13.3 12.5 13.5 15.4 13.2" />}
    </svg>
  )
}
