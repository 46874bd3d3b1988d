import { useState } from 'preact/hooks'
import type { ClassStarted } from '../../../worker/wire/run.ts'
import { problemOf } from '../run-api.ts'
import type { Game } from '../game.ts'
import type { RunApiError } from '../run-api.ts'
import { offeredIn } from '../library/stand.ts'
import { late, locale, t } from '../texts/texts.ts'

const LONGEST_TITLE = 80

/**
 * The form for a new class: the class's name and simulation. If the request fails, the form keeps what the teacher
 * typed.
 */
export function ClassForm({ game, onBegun }: { game: Game; onBegun: (title: string, started: ClassStarted) => void }) {
  const words = late.teach
  const { value, problem: unknown } = game.store.cards.value
  const cards = value && offeredIn(locale, value)
  const [title, setTitle] = useState('')
  const [scenario, setScenario] = useState('')
  const [missing, setMissing] = useState<'title' | 'scenario' | null>(null)
  const [waits, setWaits] = useState(false)
  const [problem, setProblem] = useState<RunApiError | null>(null)
  return (
    <form class="class-form" noValidate onSubmit={(event) => void submit(event)}>
      <div class="field">
        <label for="class-title">{words.className}</label>
        <input
          id="class-title"
          type="text"
          autocomplete="off"
          maxLength={LONGEST_TITLE}
          value={title}
          aria-describedby="class-title-hint"
          aria-invalid={missing === 'title'}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
        <p id="class-title-hint" class="small" role={missing === 'title' ? 'alert' : undefined}>
          {missing === 'title' ? words.classNameMissing : words.classNameHint}
        </p>
      </div>
      <fieldset aria-describedby="class-simulation-hint">
        <legend>{words.simulation}</legend>
        {cards?.map((card) => (
          <label key={card.id} class="simulation sheet">
            <input
              type="radio"
              name="simulation"
              value={card.id}
              checked={scenario === card.id}
              onChange={() => setScenario(card.id)}
            />
            <span>
              <span class="title" lang={card.language} dir="auto">
                {card.title}
              </span>
              <span class="small">
                {t.shell.tier[card.tier]} · {t.shell.minutes(card.minutes)}
                {card.needsModel && ` · ${t.shell.needsModel}`}
              </span>
            </span>
          </label>
        ))}
        <p id="class-simulation-hint" class="small" role={missing === 'scenario' ? 'alert' : undefined}>
          {missing === 'scenario' && words.simulationMissing}
        </p>
      </fieldset>
      {cards === null && unknown !== null && (
        <div class="trouble" role="alert">
          <p>{words.noSimulations}</p>
          <button class="button" type="button" onClick={() => void game.loadCards()}>
            {words.tryAgain}
          </button>
        </div>
      )}
      {problem !== null && (
        <p class="trouble" role="alert">
          {whyNot(problem)}
        </p>
      )}
      <button class="button main" type="submit" aria-disabled={waits}>
        {waits ? words.beginning : words.begin}
      </button>
    </form>
  )

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (waits) return
    const name = title.trim()
    const isMissing = name === '' ? 'title' : scenario === '' ? 'scenario' : null
    setMissing(isMissing)
    setProblem(null)
    if (isMissing !== null) return putKeyboardAt(isMissing)
    setWaits(true)
    try {
      onBegun(name, await game.api.startClass({ title: name, scenario }))
    } catch (error) {
      setProblem(problemOf(error))
      setWaits(false)
    }
  }
}

function putKeyboardAt(missing: 'title' | 'scenario'): void {
  const field = missing === 'title' ? '#class-title' : 'input[name="simulation"]'
  document.querySelector<HTMLElement>(field)?.focus()
}

function whyNot({ code }: RunApiError): string {
  const words = late.teach
  if (code === 'unreachable') return words.offline
  if (code === 'needs-model') return t.shell.needsModelSays
  return code === 'rate-limited' ? words.tooFast : words.failed
}
