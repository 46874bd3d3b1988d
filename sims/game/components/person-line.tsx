import { CastPortrait } from './cast-portrait.tsx'
import type { Colleague } from '../people.ts'
import { t } from '../texts/texts.ts'
import { Mood } from '../../../widget/components/mood.tsx'

/** Somebody at work: who, what they are, whether they were talked to, and how they stand towards the learner. */
export function PersonLine({ person, size = 56 }: { person: Colleague; size?: number }) {
  const { state } = person
  return (
    <>
      <CastPortrait person={person} level={state.level} size={size} />
      <span class="who">
        <span class="name" lang="en" dir="auto">
          {person.name}
        </span>
        <span class="small" lang="en" dir="auto">
          {person.role}
        </span>
        <span class="small standing">
          <span>{statusWord(person)}</span>
          {state.status !== 'new' && <Mood level={state.level} texts={t.widget} />}
        </span>
      </span>
    </>
  )
}

function statusWord({ state }: Colleague): string {
  return state.completion === 'forced' ? t.shell.status.forced : t.shell.status[state.status]
}
