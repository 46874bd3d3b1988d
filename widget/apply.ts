import type { DecodedEvent, DecodedHello } from '../worker/wire/decode.ts'
import { hashOf } from '../worker/wire/text-hash.ts'
import type {
  AssistantEvent,
  Command,
  ConfirmedTurn,
  ConversationView,
  Cursor,
  Delta,
  PartialReply,
  LogEvent,
  RelationshipLevel,
  TurnOutcome,
  DocumentView,
} from '../worker/wire/messages.ts'
import type { MessageEntry } from './outbox.ts'

/**
 * A line of the transcript. The lines are in the order of the server's log. A line's `key` never changes, so that
 * Preact keeps the line's elements.
 */
export type Item =
  | {
      readonly kind: 'learner'
      readonly key: string
      readonly turn: number
      readonly cid: string
      readonly text: string
    }
  | Speech
  | { readonly kind: 'objective'; readonly key: string; readonly title: string }
  | {
      readonly kind: 'pivot'
      readonly key: string
      readonly choice: {
        readonly cid: string
        readonly text: string
        readonly reaction: string
        readonly effect: string
      } | null
      /**
       * How the learner typed the answer. `card`: their words mean the card in `choice`. `own`: their words mean no
       * card. Null: they did not type, but picked a card or gave no answer.
       */
      readonly typed: 'card' | 'own' | null
    }
  | { readonly kind: 'document'; readonly key: string; readonly document: DocumentView }
  | { readonly kind: 'closing'; readonly key: string; readonly closing: Closing }
  /** What an assistant proposes, asks or has done. `assistant.js` draws it. */
  | { readonly kind: 'assist'; readonly key: string; readonly event: AssistantEvent }

/** A colleague's reply. While the reply is streaming, `outcome` is null and `text` may be empty. */
export interface Speech {
  readonly kind: 'speech'
  readonly key: string
  readonly turn: number
  readonly attempt: number
  readonly text: string
  readonly outcome: TurnOutcome | null
  /** The messages that the reply offers the learner to send. */
  readonly offers?: readonly string[] | undefined
  /** The agent of an assistant that answered. */
  readonly agent?: string | undefined
}

export type Closing = Extract<Command, { name: 'AI_EndConversation' }>

/** Returns true if the conversation ended without its objective, and the learner did not leave. */
export function wasCutShort({ completion, left }: Closing): boolean {
  return completion === 'forced' && !left
}

/** A pivot whose cards wait for the learner's answer, and the turn in which the colleague asked. */
export type OpenPivot = Extract<Command, { name: 'AI_PivotMoment' }> & { readonly turn: number }

export interface TranscriptState {
  readonly conversation: ConversationView | null
  readonly epoch: string
  /** The `seq` (the position in the server's log) of the last event that was applied; 0 before the first event. */
  readonly seq: number
  readonly level: RelationshipLevel
  readonly items: readonly Item[]
  readonly pivot: OpenPivot | null
  readonly ended: boolean
  /**
   * Which events are missing. `tail`: events after `seq`, which the server can send. `all`: the client doesn't know
   * which, so it needs a snapshot: a `hello` from which it builds the whole transcript again.
   */
  readonly gap: 'none' | 'tail' | 'all'
  /** The learner's messages that the log doesn't contain yet. */
  readonly outbox: readonly MessageEntry[]
}

export type Input =
  | { readonly type: 'hello'; readonly hello: DecodedHello }
  | { readonly type: 'event'; readonly event: DecodedEvent }
  | { readonly type: 'delta'; readonly delta: Delta }
  | { readonly type: 'turn'; readonly turn: ConfirmedTurn }
  | { readonly type: 'outbox'; readonly entries: readonly MessageEntry[] }

export interface Applied {
  readonly state: TranscriptState
  /** The events that are new to this client, in order. Within one epoch, no event is returned as `news` twice. */
  readonly news: readonly LogEvent[]
}

export const EMPTY_TRANSCRIPT: TranscriptState = {
  conversation: null,
  epoch: '',
  seq: 0,
  level: 'neutral',
  items: [],
  pivot: null,
  ended: false,
  gap: 'none',
  outbox: [],
}

/**
 * Applies one input to the transcript: a message from the server, or a change of the outbox. The function is pure: it
 * sends, stores and announces nothing. Whatever the network lost, doubled or reordered, the next `hello` brings the
 * transcript to the state of the server's log ([embed-10] to [embed-16]).
 */
export function apply(state: TranscriptState, input: Input): Applied {
  switch (input.type) {
    case 'hello':
      return applyHello(state, input.hello)
    case 'event':
      return applyEvents(state, [input.event])
    case 'delta':
      return { state: applyDelta(state, input.delta), news: [] }
    case 'turn':
      return applyTurn(state, input.turn)
    case 'outbox':
      return { state: { ...state, outbox: input.entries }, news: [] }
  }
}

/**
 * Returns how much of the log this client has, for the CONNECT packet and the `sync` request. The result is empty if
 * the client needs a snapshot (the whole log).
 */
export function standing(state: TranscriptState): { cursor?: Cursor; have?: PartialReply } {
  if (state.epoch === '' || state.gap === 'all') return {}
  const cursor = { epoch: state.epoch, seq: state.seq }
  const speech = runningSpeech(state)
  if (!speech) return { cursor }
  return { cursor, have: { turn: speech.turn, attempt: speech.attempt, offset: speech.text.length } }
}

/** Returns the reply that is streaming. */
export function runningSpeech(state: TranscriptState): Speech | undefined {
  return state.items.findLast((item): item is Speech => item.kind === 'speech' && item.outcome === null)
}

/** Returns true while the running turn waits for the person's answer to a question of an agent. */
export function isQuestionOpen(state: TranscriptState): boolean {
  const turn = runningSpeech(state)?.turn
  const count = (type: AssistantEvent['type']) =>
    state.items.filter((item) => 'event' in item && item.event.type === type && item.event.turn === turn).length
  return count('permission') > count('permission-end')
}

/** Returns what was said last: a message, a reply, or the card that answered a pivot. A typed answer was a message. */
export function lastSaid({ items }: TranscriptState): Item | undefined {
  return items.findLast((item) => /learner|speech/.test(item.kind) || (item.kind === 'pivot' && !item.typed))
}

/** Returns the learner's messages that the log doesn't contain yet. */
export function pendingSays(state: TranscriptState): MessageEntry[] {
  const logged = new Set(state.items.map((item) => (item.kind === 'learner' ? item.cid : null)))
  return state.outbox.filter(({ cid, message }) => message.name === 'say' && !logged.has(cid))
}

function applyHello(before: TranscriptState, hello: DecodedHello): Applied {
  const fresh = hello.mode === 'snapshot'
  // Events of another epoch, or of a log that ends before the client's last event, can't continue this transcript.
  if (!fresh && (before.epoch !== hello.epoch || hello.head < before.seq)) return missing(before, 'all')
  const base = fresh ? { ...EMPTY_TRANSCRIPT, epoch: hello.epoch, outbox: before.outbox } : before
  const start: TranscriptState = { ...base, conversation: hello.conversation, gap: 'none' }
  const { state: caughtUp, news: all } = applyEvents(
    fresh ? { ...start, seq: firstSeq(hello) - 1 } : start,
    hello.events,
  )
  // A snapshot of the same epoch repeats events that earlier calls have returned as `news`.
  const news = before.epoch === hello.epoch ? all.filter(({ seq }) => seq > before.seq) : all
  if (!fresh && caughtUp.seq < hello.head) return { state: { ...caughtUp, gap: 'all' }, news }
  const settled: TranscriptState = { ...caughtUp, seq: hello.head, level: hello.level, gap: 'none' }
  const state = hello.running ? applyDelta(settled, hello.running) : silence(settled)
  // After a snapshot the client requests no missing events, because the server can send no more than the snapshot
  // contains.
  if (state.gap !== 'none') return { state: { ...state, gap: fresh ? 'none' : 'all' }, news }
  return { state, news }
}

/** Returns the `seq` of a snapshot's first event. The snapshot of a long log may omit the oldest events. */
function firstSeq(hello: DecodedHello): number {
  return hello.events[0]?.seq ?? hello.head + 1
}

function applyEvents(before: TranscriptState, events: readonly DecodedEvent[]): Applied {
  const news: LogEvent[] = []
  let state = before
  for (const event of events) {
    if (state.epoch === '' || event.seq <= state.seq) continue
    if (event.seq > state.seq + 1) return { state: missing(state, 'tail').state, news }
    state = event.type === 'unknown' ? state : applyEvent(state, event)
    state = { ...state, seq: event.seq }
    if (event.type !== 'unknown') news.push(event)
  }
  return { state, news }
}

/** Applies the end of a reply without its text. If this client does not have just that text, the event is missing. */
function applyTurn(state: TranscriptState, { length, hash, ...turn }: ConfirmedTurn): Applied {
  if (state.epoch === '' || turn.seq <= state.seq) return { state, news: [] }
  const speech = runningSpeech(state)
  const text = speech?.turn === turn.turn && speech.attempt === turn.attempt ? speech.text : null
  const isWhole = text?.length === length && hashOf(text) === hash
  return isWhole ? applyEvents(state, [{ ...turn, text }]) : missing(state, 'tail')
}

function applyEvent(state: TranscriptState, event: LogEvent): TranscriptState {
  switch (event.type) {
    case 'opening':
      return withSpeech(state, event.turn, { attempt: 1, text: event.text, outcome: 'complete' })
    case 'turn-start':
      return startTurn(state, event)
    case 'turn':
      return {
        ...withSpeech(state, event.turn, event),
        level: event.level,
      }
    case 'command':
      return applyCommand(state, `command-${event.id}`, event.command)
    case 'pivot-end': {
      const { choice, typed = null } = event
      const item: Item = { kind: 'pivot', key: `pivot-${event.seq}`, choice, typed }
      const pivot = state.pivot?.pivot === event.pivot ? null : state.pivot
      return { ...append(state, item), level: event.level, pivot }
    }
    default: {
      const item: Item = { kind: 'assist', key: `assist-${event.seq}`, event }
      if (event.type !== 'permission') return append(state, item)
      // A question stands before the reply that it is for.
      const reply = state.items.findLastIndex(({ kind }) => kind === 'speech')
      return { ...state, items: state.items.toSpliced(reply, 0, item) }
    }
  }
}

/**
 * Adds a turn to the transcript, or restarts a turn at its old position. A restart keeps the learner's message and
 * usually empties the reply. It keeps the reply's text only if that text came from the attempt that begins now, or from
 * a later attempt.
 */
function startTurn(state: TranscriptState, event: Extract<LogEvent, { type: 'turn-start' }>): TranscriptState {
  const { turn, cid, text, attempt } = event
  const known = state.items.some((item) => item.kind === 'learner' && item.turn === turn)
  const open = event.resumed ? { ...state, ended: false } : state
  const said = known ? open : append(open, { kind: 'learner', key: `learner-${turn}`, turn, cid, text })
  const running = runningSpeech(said)
  const isHeard = running?.turn === turn && running.attempt >= attempt
  return isHeard ? said : withSpeech(said, turn, { attempt, text: '', outcome: null })
}

function applyCommand(state: TranscriptState, key: string, command: Command): TranscriptState {
  if (state.items.some((item) => item.key === key)) return state
  switch (command.name) {
    case 'AI_AdvanceObjective':
      return append(state, { kind: 'objective', key, title: command.title })
    case 'AI_PivotMoment':
      return { ...state, pivot: { ...command, turn: lastTurn(state) } }
    case 'AI_HandOverDocument':
      return append(state, { kind: 'document', key, document: command.document })
    case 'AI_EndConversation':
      return { ...append(state, { kind: 'closing', key, closing: command }), pivot: null, ended: true }
  }
}

/**
 * Adds a piece of a reply at the delta's `offset`. With the offset, a repeated piece changes nothing, and an
 * overlapping piece adds only what is new. An offset beyond the end of the text shows that an earlier piece is missing.
 */
function applyDelta(state: TranscriptState, delta: Delta): TranscriptState {
  if (state.epoch === '') return state
  const speech = state.items.findLast((item): item is Speech => item.kind === 'speech' && item.turn === delta.turn)
  if (!speech) return delta.turn > lastTurn(state) ? missing(state, 'tail').state : state
  if (delta.attempt < speech.attempt) return state
  if (delta.attempt === speech.attempt) return speech.outcome === null ? extend(state, delta, speech.text) : state
  // Only a failed reply runs again, not a finished or stopped one.
  if (speech.outcome !== null && speech.outcome !== 'failed') return state
  const restarted = withSpeech(state, delta.turn, { attempt: delta.attempt, text: '', outcome: null })
  return extend(restarted, delta, '')
}

function extend(state: TranscriptState, delta: Delta, have: string): TranscriptState {
  if (delta.offset > have.length) return missing(state, 'tail').state
  const tail = delta.text.slice(have.length - delta.offset)
  if (tail === '') return state
  return withSpeech(state, delta.turn, { attempt: delta.attempt, text: have + tail, outcome: null })
}

/** Empties the streaming reply, because the server's `hello` contains no text for it. */
function silence(state: TranscriptState): TranscriptState {
  const speech = runningSpeech(state)
  if (!speech || speech.text === '') return state
  return withSpeech(state, speech.turn, { attempt: speech.attempt, text: '', outcome: null })
}

function withSpeech(
  state: TranscriptState,
  turn: number,
  { attempt, text, outcome, offers, agent }: Pick<Speech, 'attempt' | 'text' | 'outcome' | 'offers' | 'agent'>,
): TranscriptState {
  const at = state.items.findLastIndex((item) => item.kind === 'speech' && item.turn === turn)
  const speech: Speech = { kind: 'speech', key: `speech-${turn}`, turn, attempt, text, outcome, offers, agent }
  return at < 0 ? append(state, speech) : { ...state, items: state.items.with(at, speech) }
}

function append(state: TranscriptState, item: Item): TranscriptState {
  return { ...state, items: [...state.items, item] }
}

function missing(state: TranscriptState, gap: 'tail' | 'all'): Applied {
  return { state: { ...state, gap: state.gap === 'all' ? 'all' : gap }, news: [] }
}

/** Returns the number of the last turn; 0 if there is none. */
export function lastTurn(state: TranscriptState): number {
  return Math.max(0, ...state.items.map((item) => ('turn' in item ? item.turn : 0)))
}
