import type { Desk } from '../desk.ts'
import * as texts from '../texts.ts'
import type { ChangeMoment } from '../workflow/history.ts'
import { MomentTime } from './marks.tsx'

/** How many of a moment's changes the bar lists. The bar shows only the number of the other changes. */
const CHANGES_SHOWN = 2

/**
 * A slider over the moments at which a context of the run changed. Each moment is one step of the slider, however far
 * apart the moments are. The text below the slider lists the changes, and screen readers announce that text.
 */
export function TimeBar({ desk }: { desk: Desk }) {
  const { moments, moment, time, playing } = desk.store
  const all = moments.value
  const at = moment.value
  const last = all.length - 1
  const here = all[at]
  const isNow = time.value === null
  const line = here ? changesOf(desk, here) : 'Before it began'
  const when = here ? texts.dateTime(isNow ? here.time : (time.value ?? here.time)) : ''
  const toMoment = (index: number, settled: boolean) =>
    desk.showTime(index >= last ? null : (all[index]?.time ?? null), settled)
  return (
    <section class="time" aria-labelledby="time">
      <h2 class="hidden" id="time">
        Time
      </h2>
      <div class="controls">
        <button
          class="bare"
          type="button"
          aria-label="Moment before"
          disabled={at < 0 || (at === 0 && time.value === all[0]?.time)}
          onClick={() => desk.step(-1)}
        >
          <Icon name="before" />
        </button>
        <button
          class="bare"
          type="button"
          aria-label={playing.value ? 'Pause' : 'Play it through'}
          disabled={last < 1}
          onClick={() => desk.playOrPause()}
        >
          <Icon name={playing.value ? 'pause' : 'play'} />
        </button>
        <button class="bare" type="button" aria-label="Moment after" disabled={isNow} onClick={() => desk.step(1)}>
          <Icon name="after" />
        </button>
        <input
          type="range"
          aria-label="Moment"
          min={0}
          max={Math.max(last, 0)}
          step={1}
          value={Math.max(at, 0)}
          disabled={last < 1}
          aria-valuetext={`${isNow ? 'Now. ' : ''}${Math.max(at + 1, 0)} of ${all.length}, ${when}. ${line}`}
          onInput={(event) => toMoment(event.currentTarget.valueAsNumber, false)}
          onChange={(event) => toMoment(event.currentTarget.valueAsNumber, true)}
        />
        <button class="button now" type="button" aria-pressed={isNow} onClick={() => desk.showTime(null, true)}>
          Now
        </button>
      </div>
      <p class="caption">
        <span class="count">
          {Math.max(at + 1, 0)} of {all.length}
        </span>
        {here && <MomentTime time={here.time} />}
        <bdi class="changes">{line}</bdi>
      </p>
    </section>
  )
}

function changesOf(desk: Desk, { changes }: ChangeMoment): string {
  const { known } = desk.store
  const lines = changes
    .slice(0, CHANGES_SHOWN)
    .map((change) => texts.changeLine(change, known.value.get(change.id)?.memorySpaceId ?? change.id))
  const rest = changes.length - lines.length
  return [...lines, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}

function Icon({ name }: { name: keyof typeof LINES }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path class="line" d={LINES[name]} />
    </svg>
  )
}

const LINES = {
  before: 'M12.5 4.5 7 10l5.5 5.5',
  after: 'M7.5 4.5 13 10l-5.5 5.5',
  play: 'M6.5 4v12L16 10Z',
  pause: 'M7 4.5v11M13 4.5v11',
}
