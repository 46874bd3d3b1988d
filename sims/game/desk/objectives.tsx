import { Glyph } from '../components/glyph.tsx'
import type { RunView } from '../../../worker/wire/run.ts'
import { t } from '../texts/texts.ts'

/** What there is to find out, ticked in pencil when it is. */
export function Objectives({ run }: { run: RunView }) {
  return (
    <section class="goals" aria-labelledby="goals-title">
      <h2 id="goals-title" class="eyebrow">
        {t.shell.objectives}
      </h2>
      <ul>
        {run.objectives.map(({ id, title, state }) => (
          <li key={id} data-state={state}>
            <Glyph name={state === 'met' ? 'tick' : state === 'missed' ? 'missed' : 'open'} />
            <span>
              <span lang="en" dir="auto">
                {title}
              </span>{' '}
              <span class="small">{t.shell.objective[state]}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
