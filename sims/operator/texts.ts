import type { ToldRecord } from '../../worker/session/assistant/assistant-record.ts'
import type { ChainProblem } from './connect.ts'
import type { Run } from './store.ts'
import type { VersionChange, ChainFinding, State, Status } from './workflow/history.ts'
import { dataDiff } from './workflow/data.ts'

/** Every text of the operator page. An error says what happened and what to do. */

const DATE_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** Formats a time in the operator's own time zone. */
export const dateTime = (time: number): string => DATE_TIME.format(time)
/** Formats a time without its day if `nearby` is on the same day. */
export const clock = (time: number, nearby: number): string =>
  DATE.format(time) === DATE.format(nearby) ? CLOCK.format(time) : dateTime(time)

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Formats a duration with its two largest units, such as hours and minutes. */
export function lasted(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  const days = Math.floor(hours / 24)
  return hours % 24 === 0 ? counted(days, 'day') : `${counted(days, 'day')} ${hours % 24} h`
}

export const statusWord: Record<Status, string> = {
  active: 'Active',
  blocked: 'Blocked',
  completed: 'Completed',
  cancelled: 'Cancelled',
}
/** Says what an agent was asked for in a step of a turn. */
export function stepTitle({ step, agent }: ToldRecord): string {
  if (step === 'classifier') return 'The classifier: who should answer'
  if (step === 'nobody') return 'Nobody was asked'
  return step === 'tool' ? `@${agent}: is a tool needed` : `@${agent}: the reply`
}

/** Why a message went where it went. */
export const routedWord: Record<ToldRecord['by'], string> = {
  safety: 'for safety',
  mention: 'mentioned by the person',
  lock: 'locked by the person',
  request: 'requested by the page',
  classifier: 'by the classifier',
  default: 'because nothing else decided',
}

export const traceWord: Record<ToldRecord['trace'][number]['type'], string> = {
  'unknown-mention': 'The message mentions an agent that is not there',
  'ambiguous-mention': 'The message mentions a name that several agents have',
  'unknown-lock': 'The lock named an agent that is not there, and was cleared',
  'unknown-request': 'The page requested an agent that is not there',
  'unknown-safety': 'The agent for safety is not there',
}

/** Says why a field was told, and how large it is. */
export function whySentence({ why, amount }: ToldRecord['because'][number]): string {
  const size = counted(amount, 'byte')
  if (why === 'every-agent') return `every agent may know it; ${size}`
  if (why === 'classifier') return `the classifier may know it; ${size}`
  return `its file asks for “${why}”; ${size}`
}

/** Says how much of a field was left out, and why. */
export function leftOutSentence({ why, amount }: ToldRecord['leftOut'][number]): string {
  if (why === 'last-20') return `${counted(amount, 'older message')}, because an agent is told the last 20.`
  if (why === 'half-exchange') return `${counted(amount, 'half', 'halves')} of a tool exchange.`
  return `shortened ${counted(amount, 'time')}, to fit the most bytes that an agent is told.`
}

export const notYet = 'Not begun yet'

/** Returns how many contexts have each status, `active` and `blocked` first. */
export function tally(statuses: readonly Status[]): string {
  const order: Status[] = ['active', 'blocked', 'completed', 'cancelled']
  return order
    .map((status) => [statuses.filter((each) => each === status).length, status] as const)
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count.toLocaleString('en')} ${status}`)
    .join(', ')
}

/** Describes one change in a few words, such as `maya: active → completed`. */
export function changeLine({ before, after }: VersionChange, name: string): string {
  if (!before) return `${name}: begun`
  if (before.status !== after.status) return `${name}: ${before.status} → ${after.status}`
  return `${name}: ${whatChanged(before, after)} changed`
}

export function whatChanged(before: State, after: State): string {
  const parts = [
    ...(before.purpose === after.purpose ? [] : ['purpose']),
    ...(before.description === after.description ? [] : ['description']),
    ...(dataDiff(before.data, after.data).length === 0 ? [] : ['data']),
  ]
  return parts.join(' and ') || 'nothing that shows'
}

/** Describes a finding in a sentence. */
export function findingSentence({ kind, found, expected }: ChainFinding): string {
  switch (kind) {
    case 'orphan':
      return `Its parent isn’t there. It names ${found}.`
    case 'cycle':
      return 'Following its parents leads back to it, so it has no root.'
    case 'wrong-root':
      return `It says its root is ${found}. Following its parents leads to ${expected}.`
    case 'wrong-depth':
      return `It says its depth is ${found}. By its parents it is ${expected}.`
    case 'too-deep':
      return `It is at depth ${found}; ${expected} is allowed.`
    case 'version-gap':
      return `Its history has a gap. Earlier versions that are there: ${found}. That should be: ${expected}.`
    case 'wrong-count':
      return `A count is wrong. What is kept: ${found}. What is true: ${expected}.`
  }
}

/** Returns a sentence that says what happened and what to do, by the code of the service's refusal. */
export function problemSentence({ code, next, retryAfterMs }: ChainProblem): string {
  const known = WHY[code]
  if (known !== undefined) return known
  if (next === 'start-over') return 'This has changed meanwhile. Reload it.'
  if (next === 'retry-after') return `That did not work just now. Try again${wait(retryAfterMs)}.`
  return 'The service refuses this, and trying again won’t help.'
}

const WHY: Partial<Record<string, string>> = {
  CONTEXT_NOT_FOUND: 'Nothing has this name. It may have been deleted or erased.',
  PERSON_NOT_FOUND: 'Nothing is known of this person.',
  INVALID_CURSOR: 'The list has changed meanwhile. Reload it from the start.',
  ERASURE_RUNNING: 'This person is being erased. Try again in a moment.',
  BUSY: 'The service is busy. Nothing was lost. Try again in a moment.',
  'not-found': 'There is no conversation with this id. It is mistyped, or the conversation was erased.',
  unavailable: 'Something is wrong on the service’s side. Nothing was lost. Try again in a moment.',
  'rate-limited': 'Too many requests. Wait a minute, then try again.',
  'not-permitted': 'Your token does not allow this. Sign in with one that does.',
  'forbidden-origin': 'The service doesn’t answer pages at this address. Open the page at the service’s own address.',
  unreachable: 'There was no answer. Check your connection, then try again.',
}

function wait(milliseconds: number | null): string {
  return milliseconds === null ? ' in a moment' : ` in ${lasted(Math.max(milliseconds, 1_000))}`
}

/**
 * Returns the line under a run's name in the list: how many contexts, such as conversations, are directly under the
 * run's root.
 */
export const parts = ({ childCount }: Run): string => (childCount === 0 ? 'no parts yet' : counted(childCount, 'part'))
