/**
 * The types of every message on the socket. `docs/reference/messages.md` describes the exchange of messages.
 * `schema.ts` parses the messages that arrive at the server, `decode.ts` parses the messages that arrive at the widget.
 */

// ── From the client to the server ──────────────────────────────────────────────────────────────────────

/** A client's position in the log: `epoch` names the log, `seq` is the last event applied. */
export interface Cursor {
  epoch: string
  seq: number
}

/** How much of a running reply is on the screen. `offset` counts UTF-16 code units. */
export interface PartialReply {
  turn: number
  attempt: number
  offset: number
}

/** The payload of the Socket.IO CONNECT packet. Everything but `v` may be missing on a first visit. */
export interface ConnectAuth {
  v: number
  /** Names this tab. A newer socket with the same id replaces the older one. */
  clientId?: string
  /** The token that admits the client: from `POST /api/sessions`, or a newer token from `renew`. */
  token?: string
  cursor?: Cursor
  have?: PartialReply
}

/**
 * A learner's message. The client resends it with the same `cid` until it is acknowledged; the server applies it once.
 */
export interface Say {
  cid: string
  text: string
  /** What the page around the widget says about itself. This text only influences the colleague's words. */
  page?: string
  /**
   * True if the learner takes back the goodbye that ended the conversation. Where that is not possible any more, the
   * message is a question after the end.
   */
  resume?: true
}

/** The learner's choice at a pivot (a fork). A choice is not a turn, because the actor is not called. */
export interface Choose {
  cid: string
  pivot: string
  choice: string
}

/** Retries the last turn, if its outcome was `failed`. */
export interface Retry {
  cid: string
  turn: number
}

/**
 * Stops the reply that is being spoken. The part already spoken stays in the conversation, and the walk stays as it was
 * before the turn.
 */
export interface Cancel {
  turn: number
}

/** Requests new credentials before the current ones expire. The acknowledgement is a `Renewed`. */
export type Renew = Record<never, never>

/** Requests the events that a connected client has missed (a gap in `seq`). The answer is a `Hello`. */
export interface Sync {
  cursor?: Cursor
  have?: PartialReply
}

/** The client's events by name, as in `socket.emit(name, body, acknowledge)`. */
export interface Up {
  say: Say
  choose: Choose
  retry: Retry
  cancel: Cancel
  renew: Renew
  sync: Sync
}

/** The client's next step after a refusal. */
export type NextStep = 'retry-after' | 'start-over' | 'sign-in' | 'give-up'

export type RefusalCode =
  | 'busy'
  | 'ended'
  | 'empty'
  | 'too-long'
  | 'malformed'
  | 'unknown-event'
  | 'unknown-session'
  | 'unknown-choice'
  | 'nothing-to-retry'
  | 'nothing-to-cancel'
  | 'too-many-turns'
  | 'too-fast'
  | 'spent'
  | 'not-admitted'
  | 'wrong-version'
  | 'unavailable'

/**
 * A refusal: the client's next step, the reason as a code, and a sentence for the learner. The refused request changed
 * nothing.
 */
export interface Refusal {
  ok: false
  next: NextStep
  code: RefusalCode
  message: string
  retryAfterMs?: number
}

/** The acknowledgement of `say`, `choose` and `retry`. The server sends it only after the message is stored durably. */
export interface Accepted {
  ok: true
  turn: number
  seq: number
}

export type Acknowledgement = Accepted | Refusal

/**
 * One client's credentials for a conversation. Token and ticket are signed, and contain nothing that is secret from
 * their holder.
 */
export interface Credentials {
  /** The token for CONNECT, which admits the client. */
  token: string
  /** The ticket for the socket's URL. It only lets a request reach the conversation's Durable Object. */
  ticket: string
  /**
   * How long token and ticket are valid from the time of issue, in milliseconds. The value is a duration, so that no
   * two clocks have to agree.
   */
  lastsMs: number
}

/** The acknowledgement of `renew`. */
export type Renewed = ({ ok: true } & Credentials) | Refusal

// ── From the server to the client ──────────────────────────────────────────────────────────────────────

/** A colleague's attitude towards the learner, coldest first. */
export type RelationshipLevel = 'hostile' | 'guarded' | 'neutral' | 'cooperative' | 'trusting'

export interface PersonView {
  id: string
  name: string
  role: string
  /** The person's colour, as an OKLCH hue in degrees. */
  hue: number
}

/** The data that a learner may know before the conversation starts. It contains no fact of a colleague. */
export interface ConversationView {
  session: string
  scenario: { id: string; title: string; role: string; situation: string }
  npc: PersonView
  /** One line that sets the scene, shown above the first message. */
  scene: string
  colleagues: PersonView[]
  /** The speaker of the lines: the rehearsal actor, or a model with this label. */
  speaker: { kind: 'rehearsal' | 'model'; label: string }
}

/** A document that the colleague hands over at the end of a conversation. */
export interface DocumentView {
  title: string
  kind: string
  lines: string[]
}

/** The commands that the server gives the front end. */
export type Command =
  | { name: 'AI_AdvanceObjective'; objective: string; title: string }
  | { name: 'AI_PivotMoment'; pivot: string; question: string; choices: { id: string; text: string }[] }
  | {
      name: 'AI_EndConversation'
      completion: 'earned' | 'forced'
      document: DocumentView | null
      next: (PersonView & { why: string }) | null
      /** True if the learner ended the conversation by taking their leave. */
      left?: boolean
    }
  /** The colleague's document, handed over before the end of the conversation. */
  | { name: 'AI_HandOverDocument'; document: DocumentView }

/**
 * `complete`: the reply was said in full. `cut`: the learner stopped it, and `text` is the part said until then,
 * perhaps nothing. `failed`: the actor could not finish; `text` is a stand-in line of the colleague, and the learner
 * may retry.
 */
export type TurnOutcome = 'complete' | 'cut' | 'failed'

/** A fact that a colleague told for the first time in this conversation. `said` quotes the colleague. */
export interface GainedFact {
  id: string
  said: string
  /** The turn in which the fact was told; null if the fact is in a document that was handed over. */
  turn: number | null
}

/**
 * What a learner gained in an exchange of a simulation. A field that did not change is left out. The learner has seen
 * all these gains: each fact was told, and each document was handed over ([message-31]).
 */
export interface Gained {
  facts?: GainedFact[]
  /** The id of the objective that was met. */
  objective?: string
  documents?: DocumentView[]
  /** The colleague's new level, if it changed. */
  level?: RelationshipLevel
}

/** An event before the log assigns its number and time. */
export type NewEvent =
  /** The colleague's first line, before the learner has said anything. */
  | { type: 'opening'; turn: 0; text: string }
  | {
      type: 'turn-start'
      turn: number
      attempt: number
      cid: string
      text: string
      /** Present if the learner took back the goodbye that had ended the conversation, which now goes on. */
      resumed?: true
    }
  | {
      type: 'turn'
      turn: number
      attempt: number
      /** The authoritative text, which replaces all streamed text. */
      text: string
      outcome: TurnOutcome
      level: RelationshipLevel
      gained?: Gained
    }
  | { type: 'command'; turn: number; id: string; command: Command }
  | {
      type: 'pivot-end'
      turn: number
      pivot: string
      level: RelationshipLevel
      /** The learner's choice; null if the pivot ended without a choice. */
      choice: { cid: string; id: string; text: string; reaction: string; effect: string } | null
      /**
       * Present if the learner typed the answer: in words that come to `choice`, or in words of their own, with `choice`
       * null. The reply of the turn has answered it, so `reaction` is empty.
       */
      typed?: 'card' | 'own'
      gained?: Gained
    }

/** An event of the durable log. `seq` counts from 1 without gaps; `at` is milliseconds since 1970. */
export type LogEvent = { seq: number; at: number } & NewEvent

/**
 * A piece of a running reply: `text` starts at `offset` of this attempt's speech. A client never stores a piece as
 * final text.
 */
export interface Delta {
  turn: number
  attempt: number
  offset: number
  text: string
}

/**
 * The first event on every connection, and the answer to `sync`. With `mode: 'resume'` the events continue the log that
 * the client has; with `'snapshot'` the client discards its log and starts from these events.
 */
export interface Hello {
  v: number
  mode: 'resume' | 'snapshot'
  epoch: string
  head: number
  conversation: ConversationView
  level: RelationshipLevel
  events: LogEvent[]
  running: Delta | null
}

/** The server's events by name, as in `socket.on(name, body)`. Clients ignore names and types they do not know. */
export interface Down {
  hello: Hello
  event: LogEvent
  delta: Delta
}
