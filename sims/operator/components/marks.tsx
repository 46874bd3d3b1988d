import * as texts from '../texts.ts'
import type { Status } from '../workflow/history.ts'

/**
 * Shows a status as a shape, so that operators who see no colours can tell it too. Screen readers skip the shape,
 * because the word for the status is beside the shape.
 */
export function StatusMark({ status }: { status: Status | null }) {
  return (
    <svg class="mark" data-status={status ?? 'none'} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {SHAPES[status ?? 'none']}
    </svg>
  )
}

export function StatusWord({ status }: { status: Status | null }) {
  return (
    <span class="status" data-status={status ?? 'none'}>
      {status ? texts.statusWord[status] : texts.notYet}
    </span>
  )
}

/** The shape of each status: a lit lamp, a pause sign, a tick, a cross, a dotted outline. */
const SHAPES = {
  active: (
    <>
      <circle class="line" cx="8" cy="8" r="6.25" />
      <circle class="filled" cx="8" cy="8" r="3.25" />
    </>
  ),
  blocked: <path class="line thick" d="M5.5 3.5v9M10.5 3.5v9" />,
  completed: <path class="line thick" d="M2.5 8.8C3.8 10 4.8 11.4 5.7 13 7.6 8.9 10 5.6 13.5 3" />,
  cancelled: <path class="line thick" d="M4 4l8 8M12 4l-8 8" />,
  none: <circle class="line dotted" cx="8" cy="8" r="6.25" />,
}

/**
 * Shows a time in the operator's time zone, without the day if `nearby` is on the same day. The `title` attribute
 * contains the whole time, to the millisecond.
 */
export function MomentTime({ time, nearby }: { time: number; nearby?: number }) {
  const whole = new Date(time).toISOString()
  return (
    <time dateTime={whole} title={whole}>
      {nearby === undefined ? texts.dateTime(time) : texts.clock(time, nearby)}
    </time>
  )
}

/**
 * Shows a JSON value to people: text unchanged, plain lists item by item, anything else as JSON. Markup in the value is
 * shown as text.
 */
export function ValueText({ value }: { value: unknown }) {
  if (typeof value === 'string')
    return value === '' ? (
      <span class="literal">empty text</span>
    ) : (
      <span class="text" dir="auto">
        {value}
      </span>
    )
  if (typeof value !== 'object' || value === null) return <code class="literal">{JSON.stringify(value)}</code>
  if (Object.keys(value).length === 0)
    return <span class="literal">{Array.isArray(value) ? 'empty list' : 'nothing in it'}</span>
  if (!isPlainList(value)) return <code class="block">{JSON.stringify(value, null, 2)}</code>
  return (
    <ul class="items">
      {value.map((item, index) => (
        <li key={index}>
          <ValueText value={item} />
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns true for a list that contains no lists or objects and has at most 50 items, because such a list is readable
 * item by item.
 */
function isPlainList(value: object): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= 50 && value.every((item) => typeof item !== 'object' || item === null)
}
