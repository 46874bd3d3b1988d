import { typeset } from '../../widget/clean.ts'
import type { NextStep } from '../../worker/wire/messages.ts'
import type { SentDecision } from './decide/draft.ts'
import type {
  ClassInvitation,
  ClassStarted,
  ClassView,
  DebriefView,
  NamedFacts,
  ResultView,
  RunStarted,
  RunView,
  SimulationCard,
  TalkOpened,
} from '../../worker/wire/run.ts'

/**
 * The service refused a request or did not answer. `code` is `unreachable` if no readable answer came. In that case the
 * service may still have handled the request.
 */
export class RunApiError extends Error {
  override readonly name = 'RunApiError'
  readonly code: string
  readonly next: NextStep

  constructor(code: string, next: NextStep) {
    super(code)
    this.code = code
    this.next = next
  }
}

/**
 * Makes a RunApiError from any error. An error that is no RunApiError is a bug in this page. A learner can't fix the
 * bug, so the page treats it like a failure of the service.
 */
export function problemOf(error: unknown): RunApiError {
  return error instanceof RunApiError ? error : new RunApiError('unavailable', 'retry-after')
}

/**
 * Returns the same data with every text as a book prints it, because authors type the straight apostrophes of the
 * keyboard. What the learner has written stays as they typed it.
 */
export function typesetAll<T>(data: T): T {
  if (typeof data === 'string') return typeset(data) as T
  if (Array.isArray(data)) return data.map(typesetAll) as T
  if (typeof data !== 'object' || data === null || ('who' in data && data.who === 'learner')) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, isLearners(key, value) ? value : typesetAll(value)]),
  ) as T
}

/** Returns true for what learners and teachers have written. A fork's `said` is the learner's; a fact's is the colleague's. */
function isLearners(key: string, value: unknown): boolean {
  return /^(reason|engagement|nickname|class)$/.test(key) || (key === 'said' && typeof value === 'object')
}

/**
 * All requests of the game to the service (docs/reference/game.md).
 *
 * @throws RunApiError from each request
 */
export const runApi = {
  // The page preloads `scenarios.json` (`scripts/build-game.ts`). Only a request with the same credentials mode can use
  // the preloaded answer.
  simulations: async () =>
    typesetAll(await ask<SimulationCard[]>('GET', '/scenarios.json', { credentials: 'same-origin' })),
  start: (asked: { scenario: string; class?: string; nickname?: string }) =>
    ask<RunStarted>('POST', '/api/runs', { body: asked }),
  /** @param isFresh whether the service first waits for what the open conversations have gathered */
  run: async (key: string, isFresh = false) => typesetAll(await ask<RunView>('GET', '/api/run', { key, isFresh })),
  talk: (key: string, npc: string) => ask<TalkOpened>('POST', '/api/run/talk', { key, body: { npc } }),
  decide: async (key: string, asked: SentDecision) =>
    typesetAll(await ask<RunView>('POST', '/api/run/decision', { key, body: asked })),
  named: (key: string, reason: string) => ask<NamedFacts>('POST', '/api/run/named', { key, body: { reason } }),
  debrief: async (key: string) => typesetAll(await ask<DebriefView>('GET', '/api/run/debrief', { key })),
  /** Begins a new run at a pivot, or at the decision. A second request with the same `cid` returns the run that the first request began. */
  again: (key: string, asked: { npc?: string; pivot?: string; cid: string }) =>
    ask<RunStarted>('POST', '/api/run/again', { key, body: asked }),
  result: async (result: string) => typesetAll(await ask<ResultView>('POST', '/api/results', { body: { result } })),
  startClass: (asked: { title: string; scenario: string }) =>
    ask<ClassStarted>('POST', '/api/classes', { body: asked }),
  invitation: (code: string) => ask<ClassInvitation>('GET', `/api/classes/${encodeURIComponent(code)}`),
  class: (key: string) => ask<ClassView>('GET', '/api/class', { key }),
  removeLearners: (key: string, runs: readonly string[]) =>
    ask<ClassView>('POST', '/api/class/remove', { key, body: { runs } }),
  renewCode: (key: string) => ask<ClassView>('POST', '/api/class/code', { key }),
  closeClass: (key: string, closed: boolean) =>
    ask<ClassView>('POST', closed ? '/api/class/close' : '/api/class/reopen', { key }),
  classCsv: (key: string) => ask<string>('GET', '/api/class/export.csv', { key }),
} as const

const PATIENCE_MS = 15_000

interface Asked {
  readonly key?: string
  readonly body?: object
  readonly credentials?: RequestCredentials
  readonly isFresh?: boolean
}

async function ask<T>(
  method: string,
  path: string,
  { key, body, isFresh, credentials = 'omit' }: Asked = {},
): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(isFresh && { 'Cache-Control': 'no-cache' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    credentials,
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => null)
  if (response === null) throw new RunApiError('unreachable', 'retry-after')
  const isText = response.headers.get('Content-Type')?.startsWith('text/csv') ?? false
  const answer: unknown = await (isText ? response.text() : response.json()).catch(() => null)
  // The service and the page have the same version, so the answer has the declared type.
  if (response.ok && answer !== null) return answer as T
  // A good status with an unreadable body: the answer was cut off or took too long.
  if (response.ok) throw new RunApiError('unreachable', 'retry-after')
  const { error } = (answer ?? {}) as { error?: { code?: string; next?: NextStep } }
  throw new RunApiError(error?.code ?? 'unavailable', error?.next ?? 'retry-after')
}
