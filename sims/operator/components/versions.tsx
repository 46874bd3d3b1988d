import { useSignal } from '@preact/signals'
import type { Desk } from '../desk.ts'
import { dataDiff } from '../workflow/data.ts'
import type { Difference } from '../workflow/data.ts'
import { contextStateAt, statesOf } from '../workflow/history.ts'
import type { Known, State } from '../workflow/history.ts'
import * as texts from '../texts.ts'
import { MomentTime, StatusMark, ValueText } from './marks.tsx'

/** How many versions the page shows at first, the newest first. A button shows the same number of further versions. */
const AT_ONCE = 20
const DIFFERENCES_SHOWN = 100

/** Lists every version of a context: who made the version, when, and what changed. */
export function Versions({ desk, context }: { desk: Desk; context: Known }) {
  const wanted = useSignal(AT_ONCE)
  const states = statesOf(context)
  const inForce = contextStateAt(context, desk.store.time.value)?.version
  const newest = states.toReversed()
  return (
    <section aria-labelledby="versions">
      <h3 id="versions">Versions</h3>
      <ol class="versions" reversed>
        {newest.slice(0, wanted.value).map((state, index) => (
          <Version
            key={state.version}
            state={state}
            before={newest[index + 1] ?? null}
            isInForce={state.version === inForce}
            isCovered={newest[index - 1]?.timestamp === state.timestamp}
            onShow={() => desk.showTime(state.timestamp, true)}
          />
        ))}
      </ol>
      {states.length > wanted.value && (
        <button class="button more" type="button" onClick={() => (wanted.value += AT_ONCE)}>
          Show older versions
        </button>
      )}
    </section>
  )
}

function Version({
  state,
  before,
  isInForce,
  isCovered,
  onShow,
}: {
  state: State
  before: State | null
  isInForce: boolean
  /**
   * Whether the next version was written in the same millisecond, so that no position of the slider shows this version.
   */
  isCovered: boolean
  onShow: () => void
}) {
  return (
    <li aria-current={isInForce ? 'true' : undefined}>
      <p class="version-head">
        <strong>Version {state.version}</strong>
        {isInForce && <span class="tag">shown</span>}
        {!isCovered && (
          <button class="bare small" type="button" aria-label={`Show version ${state.version}`} onClick={onShow}>
            Show
          </button>
        )}
      </p>
      <p class="small">
        by <bdi>{state.updatedBy}</bdi>, <MomentTime time={state.timestamp} />
        {isCovered && ', and changed again at once'}
      </p>
      <Changes before={before} after={state} />
    </li>
  )
}

function Changes({ before, after }: { before: State | null; after: State }) {
  if (!before)
    return (
      <p class="small">
        {after.version === 1 ? 'Begun' : 'The versions before it aren’t there. It was'} <Status state={after} />
      </p>
    )
  const differences = dataDiff(before.data, after.data)
  return (
    <ul class="changes">
      {before.status !== after.status && (
        <li>
          <span class="small">Status</span> <Status state={before} /> <Becomes /> <Status state={after} />
        </li>
      )}
      {before.purpose !== after.purpose && <Text name="Purpose" before={before.purpose} after={after.purpose} />}
      {before.description !== after.description && (
        <Text name="Description" before={before.description} after={after.description} />
      )}
      {differences.slice(0, DIFFERENCES_SHOWN).map((difference) => (
        <Line key={difference.path.join('\u0000')} difference={difference} />
      ))}
      {differences.length > DIFFERENCES_SHOWN && (
        <li class="small">and {texts.counted(differences.length - DIFFERENCES_SHOWN, 'more change')}</li>
      )}
      {texts.whatChanged(before, after) === 'nothing that shows' && before.status === after.status && (
        <li class="small">Nothing that shows has changed.</li>
      )}
    </ul>
  )
}

function Status({ state: { status } }: { state: State }) {
  return (
    <span class="with-mark">
      <StatusMark status={status} />
      {status}
    </span>
  )
}

function Text({ name, before, after }: { name: string; before: string | null; after: string | null }) {
  return (
    <li>
      <span class="small">{name}</span>
      <Was value={before} />
      <Is value={after} />
    </li>
  )
}

function Line({ difference }: { difference: Difference }) {
  const name = difference.path.join(' › ')
  return (
    <li data-kind={difference.kind}>
      <span class="small">
        <bdi class="key">{name}</bdi> {difference.kind}
      </span>
      {difference.kind !== 'added' && <Was value={difference.before} />}
      {difference.kind !== 'removed' && <Is value={difference.after} />}
    </li>
  )
}

function Was({ value }: { value: unknown }) {
  return (
    <del>
      <span class="hidden">was </span>
      <ValueText value={value} />
    </del>
  )
}

function Is({ value }: { value: unknown }) {
  return (
    <ins>
      <span class="hidden">is </span>
      <ValueText value={value} />
    </ins>
  )
}

function Becomes() {
  return (
    <>
      <span aria-hidden="true">→</span>
      <span class="hidden">became</span>
    </>
  )
}
