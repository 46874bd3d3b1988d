import { clean } from '../../../widget/clean.ts'
import { Glyph } from '../components/glyph.tsx'
import { t } from '../texts/texts.ts'
import type { Objective } from './entries.ts'
import { calledName } from '../people.ts'
import type { People } from '../people.ts'

/** The objectives, each with its state: open, met or missed. A sign shows the state, and a hidden word tells it. */
export function ObjectiveList({ objectives, people }: { objectives: readonly Objective[]; people: People }) {
  return (
    <ul class="goal-list">
      {objectives.map(({ id, title, npc, state }) => (
        <li key={id} data-state={state}>
          <Glyph name={state === 'met' ? 'tick' : state === 'missed' ? 'missed' : 'open'} />
          <p>
            <span class="goal" lang="x-authored" dir="auto">
              {clean(title)}
            </span>{' '}
            <span class="hidden">{t.shell.objective[state]}</span>
            {state === 'missed' && <span class="small why">{t.notebook.missedWith(calledName(people(npc)))}</span>}
          </p>
        </li>
      ))}
    </ul>
  )
}
