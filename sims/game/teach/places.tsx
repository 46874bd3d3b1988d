import { useState } from 'preact/hooks'
import type { ClassView } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import type { Cast } from '../people.ts'
import { late } from '../texts/texts.ts'
import { whereaboutsOf, whereaboutsText } from './learners.tsx'

interface PlacesProps {
  readonly view: ClassView
  readonly cast: Cast
  readonly classKey: string
  readonly game: Game
  readonly refresh: () => Promise<boolean>
}

/**
 * Lets the teacher remove learners from the class, so that their places are free again, and give the class a new code.
 */
export function Places({ view, cast, classKey, game, refresh }: PlacesProps) {
  const words = late.teach
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [state, setState] = useState<'ready' | 'waits' | 'failed'>('ready')
  const idle = view.learners.filter(({ people }) => whereaboutsOf(people).kind === 'nowhere').map(({ run }) => run)
  const runs = chosen.filter((run) => view.learners.some((learner) => learner.run === run))
  return (
    <details class="places">
      <summary>{words.places}</summary>
      <div class="place-part">
        <p class="measure">{words.newCodeNote}</p>
        <button
          class="button"
          type="button"
          aria-disabled={state === 'waits'}
          onClick={() => void change(() => game.api.renewCode(classKey), words.newCodeMade)}
        >
          {words.newCode}
        </button>
      </div>
      {view.learners.length > 0 && (
        <fieldset class="place-part">
          <legend>{words.removeTitle}</legend>
          <p class="measure">{words.removeNote}</p>
          <div class="place-list">
            {view.learners.map((learner) => (
              <label key={learner.run}>
                <input
                  type="checkbox"
                  checked={runs.includes(learner.run)}
                  onChange={() => setChosen(toggled(runs, learner.run))}
                />
                <span>
                  <bdi>{learner.nickname}</bdi> <span class="small">{whereaboutsText(learner, cast)}</span>
                </span>
              </label>
            ))}
          </div>
          <div class="tools">
            {idle.length > 0 && (
              <button class="button" type="button" onClick={() => setChosen(idle)}>
                {words.chooseIdle}
              </button>
            )}
            <button
              class="button"
              type="button"
              aria-disabled={runs.length === 0 || state === 'waits'}
              onClick={() => void remove()}
            >
              {words.remove(runs.length)}
            </button>
          </div>
        </fieldset>
      )}
      <span class="small" role="alert">
        {state === 'failed' && words.notChanged}
      </span>
    </details>
  )

  async function remove(): Promise<void> {
    if (runs.length > 0) await change(() => game.api.removeLearners(classKey, runs), words.removed(runs.length))
  }

  async function change(ask: () => Promise<unknown>, done: string): Promise<void> {
    if (state === 'waits') return
    setState('waits')
    try {
      await ask()
      setState('ready')
      setChosen([])
      game.note(done)
      await refresh()
    } catch {
      setState('failed')
    }
  }
}

function toggled(runs: readonly string[], run: string): readonly string[] {
  return runs.includes(run) ? runs.filter((other) => other !== run) : [...runs, run]
}
