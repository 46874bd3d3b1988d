import type { Status } from './workflow/history.ts'

/** The view that the page shows. It is in the address, so a link and the back button lead to it. */
export type View = RunsAddress | RunAddress

export interface RunsAddress {
  readonly screen: 'runs'
  readonly status: Status | null
  readonly person: string
  /** Words to search for. */
  readonly words: string
}

export interface RunAddress {
  readonly screen: 'run'
  /** The run's root, or any context of it. */
  readonly run: string
  /** The context whose details are open. */
  readonly context: string | null
  /** Milliseconds since 1970; null is now. */
  readonly time: number | null
}

export const ALL_RUNS: RunsAddress = { screen: 'runs', status: null, person: '', words: '' }

const STATUSES: readonly string[] = ['active', 'blocked', 'completed', 'cancelled'] satisfies Status[]
const CONTEXT_ID = /^ctx_[\w-]{1,64}$/
const MOST_CHARACTERS = 2_000

/**
 * Reads the part of the address after `#`. Browsers never send that part, so no server's log has it. A part that cannot be
 * read counts as not given.
 */
export function readAddress(hash: string): View {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const run = given.get('run')
  if (run !== null && CONTEXT_ID.test(run)) {
    const context = given.get('context')
    const time = Date.parse(given.get('time') ?? '')
    return {
      screen: 'run',
      run,
      context: context !== null && CONTEXT_ID.test(context) ? context : null,
      time: Number.isNaN(time) || time < 0 ? null : time,
    }
  }
  const status = given.get('status')
  return {
    screen: 'runs',
    status: isStatus(status) ? status : null,
    person: textOf(given.get('person')),
    words: textOf(given.get('words')),
  }
}

/** The part of the address that `readAddress` reads back; `#` alone for all runs. */
export function addressOf(view: View): string {
  const parts = new URLSearchParams()
  if (view.screen === 'run') {
    parts.set('run', view.run)
    if (view.context !== null) parts.set('context', view.context)
    if (view.time !== null) parts.set('time', new Date(view.time).toISOString())
  } else {
    if (view.status !== null) parts.set('status', view.status)
    if (view.person !== '') parts.set('person', view.person)
    if (view.words !== '') parts.set('words', view.words)
  }
  // A time reads better with its colons, which a fragment may hold.
  return `#${parts.toString().replaceAll('%3A', ':')}`
}

export function isStatus(text: string | null): text is Status {
  return text !== null && STATUSES.includes(text)
}

function textOf(text: string | null): string {
  return (text ?? '').trim().slice(0, MOST_CHARACTERS)
}

/** Follows a link's click within the page. The browser still opens a new tab or window for a click that asks for one. */
export function onLinkClick(go: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go()
  }
}
