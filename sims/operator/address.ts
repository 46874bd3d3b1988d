import type { Status } from './workflow/history.ts'

/**
 * The view that the page shows. The page's address contains the view, so a link or the back button can lead to any
 * view.
 */
export type View = RunsAddress | RunAddress | ToldAddress

export interface RunsAddress {
  readonly screen: 'runs'
  readonly status: Status | null
  readonly person: string
  readonly words: string
}

export interface RunAddress {
  readonly screen: 'run'
  /** The id of the run's root, or of any context of the run. */
  readonly run: string
  /** The context whose details are open. */
  readonly context: string | null
  /** The time at which the run is shown, in milliseconds since 1970; null is now. */
  readonly time: number | null
}

/** What was sent in a turn of an assistant's conversation. */
export interface ToldAddress {
  readonly screen: 'told'
  /** The session id of the conversation; '' before the operator has named one. */
  readonly session: string
  /** The turn; null for the latest ones. */
  readonly turn: number | null
}

export const ALL_RUNS: RunsAddress = { screen: 'runs', status: null, person: '', words: '' }

const STATUSES: readonly string[] = ['active', 'blocked', 'completed', 'cancelled'] satisfies Status[]
const CONTEXT_ID = /^ctx_[\w-]{1,64}$/
export const SESSION_ID = /^[0-9a-f]{64}$/
const TURN = /^[1-9]\d{0,8}$/
const MOST_CHARACTERS = 2_000

/**
 * Reads the part of the address after `#`. Browsers never send that part to a server, so no server logs it. An invalid
 * parameter counts as missing.
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
  const session = given.get('session')
  if (session !== null && (session === '' || SESSION_ID.test(session))) {
    const turn = given.get('turn') ?? ''
    return { screen: 'told', session, turn: session !== '' && TURN.test(turn) ? Number(turn) : null }
  }
  const status = given.get('status')
  return {
    screen: 'runs',
    status: isStatus(status) ? status : null,
    person: textOf(given.get('person')),
    words: textOf(given.get('words')),
  }
}

/** Returns the part of the address that `readAddress` reads; `#` alone for the list of all runs. */
export function addressOf(view: View): string {
  const parts = new URLSearchParams()
  if (view.screen === 'run') {
    parts.set('run', view.run)
    if (view.context !== null) parts.set('context', view.context)
    if (view.time !== null) parts.set('time', new Date(view.time).toISOString())
  } else if (view.screen === 'told') {
    parts.set('session', view.session)
    if (view.turn !== null) parts.set('turn', String(view.turn))
  } else {
    if (view.status !== null) parts.set('status', view.status)
    if (view.person !== '') parts.set('person', view.person)
    if (view.words !== '') parts.set('words', view.words)
  }
  // Colons may stay unescaped after `#`. So a time in the address is easier to read.
  return `#${parts.toString().replaceAll('%3A', ':')}`
}

export function isStatus(text: string | null): text is Status {
  return text !== null && STATUSES.includes(text)
}

function textOf(text: string | null): string {
  return (text ?? '').trim().slice(0, MOST_CHARACTERS)
}

/**
 * Makes a handler that follows a click on a link within the page. A click with a modifier key still opens a new tab or
 * window.
 */
export function onLinkClick(go: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go()
  }
}
