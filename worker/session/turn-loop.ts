import type { AgentWork } from '../core/assistant/read-work.ts'
import type { Report, ReportQuality } from '../core/reply/report.ts'
import { languageOf, type Scenario } from '../core/scenario/scenario.ts'
import { readHints } from '../core/text/hints.ts'
import { walkOn } from '../core/walk/engine.ts'
import type { CommandEffect, Effect, SendEffect, Step, WalkEvent } from '../core/walk/event.ts'
import type { LogRecord } from '../core/walk/log-entry.ts'
import type { Walk } from '../core/walk/walk.ts'
import type { AwaitedWork, Reply, StoredTurn, TurnLoop } from './turn.ts'
import type { ConverseDeps } from './turn-deps.ts'

/** The answer to one request of the walk. If the request was a briefing, `spoken` is the reply. */
export interface WorkResult {
  readonly event: WalkEvent
  readonly spoken: Reply | null
}

/** The result of a completed turn. */
export interface TurnResult {
  readonly walk: Walk
  /** The reply's text; a fallback line if the actor said nothing. */
  readonly text: string
  readonly offers: readonly string[]
  readonly report: Report
  readonly quality: ReportQuality
  readonly commands: readonly CommandEffect[]
  readonly sends: readonly SendEffect[]
  readonly records: readonly LogRecord[]
  readonly work?: AgentWork | undefined
}

/**
 * Opens a turn.
 *
 * @param before the stored walk, which is at rest
 * @throws if the walk cannot take a turn now; the caller has to check that before
 */
export function beginLoop(deps: Pick<ConverseDeps, 'info'>, before: Walk, turn: StoredTurn, at: number): TurnLoop {
  const opened = walkOn(deps.info.graph, before, {
    type: 'learner',
    turnId: String(turn.id),
    seq: before.seq + 1,
    hints: readHints(turn.learner),
    ...(before.end && { isAfter: true }),
  })
  if (!opened.walk.open) throw new Error('the walk takes no turn now')
  const fresh = { v: 1, commands: [], sends: [], records: [], spoken: null, startedAt: at, resumed: 0 } as const
  return { ...fresh, ...stepOf(fresh, opened, turn, at) }
}

/** Gives the walk the result of the work that it waited for, and returns the turn's new progress. */
export function advance(
  deps: Pick<ConverseDeps, 'info'>,
  loop: TurnLoop,
  { event, spoken }: WorkResult,
  turn: StoredTurn,
  at: number,
): TurnLoop {
  const stepped = walkOn(deps.info.graph, loop.walk, event)
  const next = { ...loop, ...stepOf(loop, stepped, turn, at) }
  return spoken ? { ...next, spoken: { ...spoken, at, place: loop.records.length } } : next
}

/**
 * Returns an empty answer to a request that the actor did not answer.
 *
 * @throws for a briefing, because a turn cannot end without a reply
 */
export function noAnswer(asked: AwaitedWork, turn: StoredTurn): WorkResult {
  if (asked.type === 'brief') throw new Error('a turn without a reply has not ended')
  const at = { turnId: String(turn.id), request: asked.request }
  switch (asked.type) {
    case 'behavior-request':
      return { event: { type: 'behavior', ...at, behavior: null }, spoken: null }
    case 'selection-request':
      return { event: { type: 'selection', ...at, pick: null }, spoken: null }
    case 'recall-request':
      return { event: { type: 'memories', ...at, memories: [] }, spoken: null }
    case 'reflection-request':
      return { event: { type: 'reflection', ...at, text: '' }, spoken: null }
  }
}

/**
 * Returns the result of a turn whose walk is at rest; null if the turn has no reply, which only a defect of this code
 * can cause.
 */
export function conclude(
  { info }: Pick<ConverseDeps, 'info'>,
  { walk, spoken, startedAt, ...done }: TurnLoop,
  turn: StoredTurn,
): TurnResult | null {
  if (!spoken || walk.open) return null
  const { speech, report, quality, metadata, offers = [], brought, place, work } = spoken
  const text = speech === '' ? unsaid(walk, turn, info.scenario) : speech
  const { commands, sends } = done
  const { at } = spoken
  const told: readonly LogRecord[] = brought ? [{ at, turn: String(turn.id), entry: { type: 'brought', brought } }] : []
  const records = done.records.toSpliced(place, 0, ...told, said('npc', text, metadata, turn, at))
  records.unshift(said('learner', turn.learner, [], turn, startedAt))
  return { walk, text, offers, report, quality, commands, sends, records: records.filter(sentIn(sends)), work }
}

/** Returns a message as a record of the interaction log. */
export function said(
  who: 'learner' | 'npc',
  text: string,
  metadata: readonly string[],
  turn: StoredTurn,
  at: number,
): LogRecord {
  return { at, turn: String(turn.id), entry: { type: 'message', who, text, metadata } }
}

function stepOf(
  { commands, sends, records }: Pick<TurnLoop, 'commands' | 'sends' | 'records'>,
  { walk, effects, trace }: Step,
  turn: StoredTurn,
  at: number,
): Pick<TurnLoop, 'walk' | 'asked' | 'commands' | 'sends' | 'records'> {
  return {
    walk,
    asked: effects.find(isAsked) ?? null,
    commands: [...commands, ...effects.filter((effect) => effect.type === 'command')],
    sends: [...sends, ...effects.filter((effect) => effect.type === 'send')],
    records: [...records, ...trace.map((entry) => ({ at, turn: String(turn.id), entry }))],
  }
}

/**
 * Returns a filter for the records of a turn: it drops the `sent` record of every side effect that is not in `sends`.
 * Such a side effect is not sent, because the walk went back from the loop of silent nodes in which the side effect
 * arose.
 */
function sentIn(sends: readonly SendEffect[]): (record: LogRecord) => boolean {
  return ({ entry }) => entry.type !== 'sent' || sends.some(({ id }) => id === entry.id)
}

function unsaid(walk: Walk, turn: StoredTurn, scenario: Speaking): string {
  return walk.end && !walk.afters ? linesOf(scenario).last : fallbackLine(turn.id, scenario)
}

function isAsked(effect: Effect): effect is AwaitedWork {
  return effect.type !== 'command' && effect.type !== 'send'
}

/** What decides how a fallback line sounds: the scenario's language, and whether it is an assistant. */
type Speaking = Pick<Scenario, 'language' | 'assistant'>

/**
 * Returns what a colleague says in a turn without a reply, such as an excuse about a phone call; an assistant says that it
 * has no answer. The number of the turn picks the line, so that two turns in a row do not get the same line. The line is
 * in the scenario's language if that is Spanish, and else in English.
 */
export function fallbackLine(turn: number, scenario: Speaking = {}): string {
  const { each } = linesOf(scenario)
  return each[turn % each.length] ?? each[0]
}

/** What a colleague says in the last turn of a conversation if the actor gave no reply. */
export const LAST_FALLBACK_LINE = "Sorry, they're waving at me from the door and I have to go. You know where I stand."

const LINES: Lines = {
  each: [
    'Sorry, someone just pulled at my sleeve and I lost my thread. Say that once more?',
    'Hang on, I have to take this call. Ask me again in a moment.',
    'I started to answer and it came out wrong. Give me that one again?',
    'Sorry, my head was still in the last meeting. What was it you said?',
  ],
  last: LAST_FALLBACK_LINE,
}

const SPANISH_LINES: Lines = {
  each: [
    'Perdón, alguien me tiró de la manga y perdí el hilo. ¿Me lo dices otra vez?',
    'Espera, tengo que contestar esta llamada. Pregúntame de nuevo en un momento.',
    'Empecé a responder y me salió mal. ¿Me lo repites?',
    'Perdón, tenía la cabeza en otra parte. ¿Qué decías?',
  ],
  last: 'Perdón, me están haciendo señas desde la puerta y me tengo que ir. Ya sabes lo que pienso.',
}

const ASSISTANT: Lines = {
  each: [
    'I could not finish that answer. Please ask me again.',
    'Something went wrong before I had an answer. Try again?',
  ],
  last: 'I could not finish that answer.',
}

const SPANISH_ASSISTANT: Lines = {
  each: [
    'No pude terminar esa respuesta. Pregúntame otra vez, por favor.',
    'Algo falló antes de tener una respuesta. ¿Lo intentas de nuevo?',
  ],
  last: 'No pude terminar esa respuesta.',
}

/** What a colleague says in place of a reply, and in place of the last one. */
interface Lines {
  readonly each: readonly [string, ...string[]]
  readonly last: string
}

function linesOf({ language, assistant }: Speaking): Lines {
  const isSpanish = languageOf({ language }) === 'es'
  if (assistant) return isSpanish ? SPANISH_ASSISTANT : ASSISTANT
  return isSpanish ? SPANISH_LINES : LINES
}
