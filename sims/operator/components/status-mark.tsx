import * as texts from '../texts.ts'
import type { Status } from '../workflow/known.ts'

/** A status as a shape of its own, for the eye alone; the word stands beside it. Colour never carries it. */
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

/** A lamp that is lit, a pause, a tick in pencil, a line struck through, an outline. */
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
