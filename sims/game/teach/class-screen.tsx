import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ClassView } from '../../../worker/wire/run.ts'
import { adoptStyles } from '../adopt-styles.ts'
import { castOf } from '../people.ts'
import { dayForFileName, fileName, saveFile } from '../debrief/save-file.ts'
import type { Game } from '../game.ts'
import { cardOf } from '../library/stand.ts'
import { hrefOf } from '../route.ts'
import type { RunApiError } from '../run-api.ts'
import { format, late } from '../texts/texts.ts'
import { Door } from './door.tsx'
import { Learners } from './learners.tsx'
import { Chosen, MissedMost } from './results.tsx'
import { css } from './teach.css'
import { useChange } from './use-change.ts'
import { useClass } from './use-class.ts'

adoptStyles(css)

/** Shows the progress of a class to anyone who has the class's secret link. */
export function ClassScreen({ game }: { game: Game }) {
  const words = late.teach
  const route = game.store.route.value
  const key = route.screen === 'class' ? route.key : ''
  const { value, at, problem, refresh, take } = useClass(game, key)
  const card = cardOf(game.store.cards.value.value, value?.scenario ?? '')
  const cast = castOf(card)
  const { waits, change } = useChange(game, take)
  const hasResults = value !== null && value.options.length > 0
  const refreshed = async () => {
    if (await refresh()) game.announce(words.refreshed)
  }
  return (
    <div class="class">
      <h1 tabIndex={-1} dir="auto">
        {value?.title ?? words.classTitle}
      </h1>
      {value === null && problem === null && <Waiting />}
      {value === null && problem !== null && <Trouble problem={problem} onAgain={() => void refresh()} />}
      {value !== null && (
        <>
          <p class="small as-of">
            <span>
              {card && <span lang={card.language}>{card.title}</span>}
              {card && ', '}
              {words.begunAt(format.date(value.startedAt))}
            </span>
            <span>{(problem === null ? words.asOf : words.stale)(format.dateTime(at))}</span>
            <button class="bare" type="button" onClick={() => void refreshed()}>
              {words.refresh}
            </button>
          </p>
          {value.learners.length > 0 && (
            <p class="so-far figures">
              {words.learnerCount(value.learners.length)},{' '}
              {words.decidedCount(value.learners.filter(({ option }) => option !== null).length, value.learners.length)}
            </p>
          )}
          <Part id="join" title={words.joinLink}>
            <Door view={value} classKey={key} game={game} waits={waits} change={change} />
          </Part>
          {hasResults && (
            <>
              <Part id="chosen" title={words.options}>
                <Chosen view={value} language={card?.language} />
              </Part>
              <Part id="missed" title={words.missed}>
                <MissedMost view={value} cast={cast} language={card?.language} />
              </Part>
            </>
          )}
          <Part id="learners" title={words.learners}>
            <Learners
              view={value}
              cast={cast}
              language={card?.language}
              now={at}
              classKey={key}
              game={game}
              waits={waits}
              change={change}
            />
            {!hasResults && <p class="small measure">{words.resultsLater}</p>}
          </Part>
          <Part id="export" title={words.exportTitle}>
            <ExportCsv view={value} classKey={key} game={game} />
          </Part>
        </>
      )}
    </div>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="part" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}

function Waiting() {
  return (
    <div class="waiting" role="status">
      <span class="hidden">{late.teach.loading}</span>
      {[0, 1, 2, 3, 4].map((line) => (
        <span key={line} class="bar" aria-hidden="true" />
      ))}
    </div>
  )
}

/**
 * The message for a failed request. The message has a button that repeats the request. If the service refused the
 * class's key, there is no button, because a refused key never becomes valid.
 */
function Trouble({ problem: { next, code }, onAgain }: { problem: RunApiError; onAgain: () => void }) {
  const words = late.teach
  if (next !== 'retry-after')
    return (
      <div class="trouble" role="alert">
        <p>
          {words.gone} {words.goneNote}
        </p>
        <a class="button" href={hrefOf({ screen: 'teach' })}>
          {words.another}
        </a>
      </div>
    )
  return (
    <div class="trouble" role="alert">
      <p>{code === 'unreachable' ? words.unreachable : words.notGot}</p>
      <button class="button" type="button" onClick={onAgain}>
        {words.tryAgain}
      </button>
    </div>
  )
}

/**
 * A button that saves the class as CSV. The service makes the CSV and escapes cells that a spreadsheet would read as
 * formulas.
 */
function ExportCsv({ view, classKey, game }: { view: ClassView; classKey: string; game: Game }) {
  const words = late.teach
  const [state, setState] = useState<'ready' | 'waits' | 'failed'>('ready')
  return (
    <>
      <p class="measure">{words.exportNote}</p>
      <div class="tools">
        <button class="button" type="button" aria-disabled={state === 'waits'} onClick={() => void save()}>
          {state === 'waits' ? words.exporting : words.exportCsv}
        </button>
        <span class="small" role="alert">
          {state === 'failed' && words.notExported}
        </span>
      </div>
    </>
  )

  async function save(): Promise<void> {
    if (state === 'waits') return
    setState('waits')
    try {
      const name = fileName([view.title, dayForFileName(Date.now())], 'csv')
      saveFile(name, 'text/csv', await game.api.classCsv(classKey))
      game.note(words.exported(name))
      setState('ready')
    } catch {
      setState('failed')
    }
  }
}
