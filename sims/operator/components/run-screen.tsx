import { addressOf, ALL_RUNS, onLinkClick } from '../address.ts'
import type { RunAddress } from '../address.ts'
import { isOutdated } from '../connect.ts'
import type { Desk } from '../desk.ts'
import type { Listing } from '../store.ts'
import * as texts from '../texts.ts'
import { contextStateAt } from '../workflow/history.ts'
import type { Known } from '../workflow/history.ts'
import { Details } from './details.tsx'
import { MomentTime, StatusMark, StatusWord } from './marks.tsx'
import { TimeBar } from './time-bar.tsx'
import { Tree } from './tree.tsx'
import { Trouble, LoadingBars } from './trouble.tsx'

/** One run: its tree, the bar that selects a time, and the details of one context. */
export function RunScreen({ desk, view }: { desk: Desk; view: RunAddress }) {
  const { items, next, state, at } = desk.store.contexts.value
  const back = () => desk.go(ALL_RUNS)
  return (
    <div class="run" data-open={view.context !== null}>
      <Crumbs back={back} />
      <Head desk={desk} />
      {items.length === 0 ? (
        <Nothing state={state} desk={desk} back={back} />
      ) : (
        <>
          <TimeBar desk={desk} />
          <div class="panes">
            <section class="pane tree-pane" aria-labelledby="tree">
              <div class="title">
                <h2 id="tree">What belongs to it</h2>
                <button class="bare" type="button" onClick={() => desk.readAgain()}>
                  Refresh
                </button>
              </div>
              <Tree desk={desk} />
              {state === 'loading' && <LoadingBars what="Loading more of the run" lines={2} />}
              {typeof state === 'object' && (
                <Trouble
                  desk={desk}
                  problem={state}
                  onAgain={() => (isOutdated(state) ? desk.readAgain() : desk.more())}
                  onBack={back}
                />
              )}
              {state === 'ready' && next !== null && (
                <button class="button more" type="button" onClick={() => desk.more()}>
                  Show more
                </button>
              )}
              <p class="small" role="status">
                {state === 'ready' && (
                  <>
                    {texts.counted(items.length, 'context')}
                    {next === null ? '' : ' so far'}, as of <MomentTime time={at} nearby={Date.now()} />
                  </>
                )}
              </p>
            </section>
            <Details desk={desk} view={view} />
          </div>
        </>
      )}
    </div>
  )
}

function Nothing({ state, desk, back }: { state: Listing<Known>['state']; desk: Desk; back: () => void }) {
  if (state === 'loading') return <LoadingBars what="Loading the run" lines={6} />
  if (state === 'ready') return <p class="empty">Nothing of this run is left.</p>
  return <Trouble desk={desk} problem={state} onAgain={() => desk.readAgain()} onBack={back} />
}

function Crumbs({ back }: { back: () => void }) {
  return (
    <nav class="crumbs small" aria-label="Where this is">
      <a href={addressOf(ALL_RUNS)} onClick={onLinkClick(back)}>
        All runs
      </a>
    </nav>
  )
}

function Head({ desk }: { desk: Desk }) {
  const { head, contexts, time } = desk.store
  const run = head.value
  if (!run)
    return (
      <div class="run-head">
        <h1 tabIndex={-1}>Run</h1>
      </div>
    )
  const state = contextStateAt(run, time.value)
  const statuses = contexts.value.items.flatMap((context) => contextStateAt(context, time.value)?.status ?? [])
  return (
    <div class="run-head">
      <h1 tabIndex={-1} dir="auto">
        {(state ?? run).purpose}
      </h1>
      <p class="facts">
        <span class="with-mark">
          <StatusMark status={state?.status ?? null} />
          <StatusWord status={state?.status ?? null} />
        </span>
        {run.userId !== null && (
          <span>
            with <bdi>{run.userId}</bdi>
          </span>
        )}
        <span>
          begun <MomentTime time={run.createdAt} />
        </span>
        {statuses.length > 0 && <span>{texts.tally(statuses)}</span>}
      </p>
    </div>
  )
}
