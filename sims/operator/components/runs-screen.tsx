import { useLayoutEffect, useRef } from 'preact/hooks'
import { addressOf, ALL_RUNS, onLinkClick, isStatus } from '../address.ts'
import type { RunsAddress } from '../address.ts'
import type { Desk } from '../desk.ts'
import type { Run } from '../store.ts'
import * as texts from '../texts.ts'
import { Findings } from './findings.tsx'
import { MomentTime, StatusMark, StatusWord } from './marks.tsx'
import { Trouble, LoadingBars } from './trouble.tsx'

/** The list of runs, the newest first, with its filter. */
export function RunsScreen({ desk, view }: { desk: Desk; view: RunsAddress }) {
  const { items, next, state, at } = desk.store.runs.value
  const isNarrowed = addressOf(view) !== addressOf(ALL_RUNS)
  return (
    <div class="runs">
      <div class="title">
        <h1 tabIndex={-1}>Runs</h1>
        <button class="bare" type="button" onClick={() => desk.readAgain()}>
          Refresh
        </button>
      </div>
      <Filter desk={desk} view={view} />
      <section aria-labelledby="found" aria-busy={state === 'loading'}>
        <h2 class="hidden" id="found">
          {view.words === '' ? 'Newest first' : 'Found, newest first'}
        </h2>
        {items.length > 0 && (
          <ol class="list sheet">
            {items.map((run) => (
              <Line key={run.id} run={run} desk={desk} />
            ))}
          </ol>
        )}
        {state === 'loading' && items.length === 0 && <LoadingBars what="Loading the runs" lines={5} />}
        {typeof state === 'object' && (
          <Trouble
            desk={desk}
            problem={state}
            onAgain={() => desk.readAgain()}
            onBack={isNarrowed ? () => desk.go(ALL_RUNS) : undefined}
          />
        )}
        {state === 'ready' && items.length === 0 && next === null && <Empty isNarrowed={isNarrowed} />}
        {next !== null && typeof state !== 'object' && (
          <button class="button more" type="button" disabled={state === 'loading'} onClick={() => desk.more()}>
            {items.length === 0 ? 'Look further' : 'Show more'}
          </button>
        )}
        <p class="small" role="status">
          {state === 'ready' && items.length > 0 && (
            <>
              {texts.counted(items.length, 'run')}
              {next === null ? '' : ' so far'}, as of <MomentTime time={at} nearby={Date.now()} />
            </>
          )}
        </p>
      </section>
      <Findings desk={desk} />
    </div>
  )
}

function Filter({ desk, view }: { desk: Desk; view: RunsAddress }) {
  const address = addressOf(view)
  const fields = useRef<HTMLFormElement>(null)
  // When the operator goes back in the browser's history, the fields of the filter show the earlier values and keep the
  // focus.
  useLayoutEffect(() => {
    const { words, person, status } = view
    for (const [name, value] of Object.entries({ words, person, status: status ?? '' })) {
      const field = fields.current?.elements.namedItem(name)
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
    }
  }, [address])
  const narrow = (form: HTMLFormElement) => {
    const given = new FormData(form)
    const textOf = (name: string) => {
      const value = given.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    const status = textOf('status')
    desk.go({
      screen: 'runs',
      status: isStatus(status) ? status : null,
      person: textOf('person'),
      words: textOf('words'),
    })
  }
  return (
    <form
      class="filter"
      role="search"
      aria-label="Runs"
      ref={fields}
      onSubmit={(event) => {
        event.preventDefault()
        narrow(event.currentTarget)
      }}
    >
      <p class="wide">
        <label for="words">Words</label>
        <input id="words" name="words" type="search" maxLength={2_000} dir="auto" />
      </p>
      <p>
        <label for="person">Person</label>
        <input id="person" name="person" maxLength={200} dir="auto" spellcheck={false} autocomplete="off" />
      </p>
      <p>
        <label for="status">Status</label>
        <select id="status" name="status">
          <option value="">Any</option>
          {Object.entries(texts.statusWord).map(([status, word]) => (
            <option key={status} value={status}>
              {word}
            </option>
          ))}
        </select>
      </p>
      <button class="button" type="submit">
        Find
      </button>
      {address !== addressOf(ALL_RUNS) && (
        <a class="small" href={addressOf(ALL_RUNS)} onClick={onLinkClick(() => desk.go(ALL_RUNS))}>
          Show all
        </a>
      )}
    </form>
  )
}

function Line({ run, desk }: { run: Run; desk: Desk }) {
  const view = { screen: 'run', run: run.id, context: null, time: null } as const
  return (
    <li class="run-line">
      <StatusMark status={run.status} />
      <div class="what">
        <a href={addressOf(view)} onClick={onLinkClick(() => desk.go(view))} dir="auto">
          {run.purpose}
        </a>
        <p class="small">
          <StatusWord status={run.status} />
          <span>{texts.parts(run)}</span>
          {run.userId !== null && (
            <span>
              with <bdi>{run.userId}</bdi>
            </span>
          )}
        </p>
      </div>
      <p class="when small">
        <span>
          Begun <MomentTime time={run.createdAt} />
        </span>
        {run.completedAt !== null && <span>took {texts.lasted(run.completedAt - run.createdAt)}</span>}
      </p>
    </li>
  )
}

function Empty({ isNarrowed }: { isNarrowed: boolean }) {
  return (
    <div class="empty">
      {isNarrowed ? (
        <p>No run matches. Try fewer words, another person or any status.</p>
      ) : (
        <p>There are no runs yet. The first one begins when somebody opens a conversation and says something.</p>
      )}
    </div>
  )
}
