/**
 * Every message that crosses the socket, types only. `docs/reference/messages.md` tells the conversation; `schema.ts`
 * reads what arrives at the server, `decode.ts` what arrives at the widget.
 */

// ── What goes up ───────────────────────────────────────────────────────────────────────────────────────

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
  /** Who is let in: what `POST /api/sessions` gave, or the newest one since. */
  token?: string
  cursor?: Cursor
  have?: PartialReply
}

/** A learner's message. Sent again with the same `cid` until acknowledged; the server takes it once. */
export interface Say {
  cid: string
  text: string
  /** What the page around the widget tells of itself. Nothing a colleague does follows from it but words. */
  page?: string
}

/** The learner's pick in a pivot moment. It is not a turn: only the learner speaks. */
export interface Choose {
  cid: string
  pivot: string
  choice: string
}

/** Runs the last turn again, if it ended as `failed`. */
export interface Retry {
  cid: string
  turn: number
}

/** Stops the reply that is being spoken. Its spoken part stays, and the walk stays as it was before the turn. */
export interface Cancel {
  turn: number
}

/** Asks for new credentials before the ones at hand run out. Acknowledged with a `Renewed`. */
export type Renew = Record<never, never>

/** Asks for what was missed while connected (a gap in `seq`). Answered with a `Hello`. */
export interface Sync {
  cursor?: Cursor
  have?: PartialReply
}

/** Events by name, as `socket.emit(name, body, acknowledge)`. */
export interface Up {
  say: Say
  choose: Choose
  retry: Retry
  cancel: Cancel
  renew: Renew
  sync: Sync
}

/** The client's next step. */
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

/** A refusal: what to do next, which case it is, and a sentence for a person. Nothing was changed. */
export interface Refusal {
  ok: false
  next: NextStep
  code: RefusalCode
  message: string
  retryAfterMs?: number
}

/** The acknowledgement of `say`, `choose` and `retry`. It leaves only when the message is durable. */
export interface Accepted {
  ok: true
  turn: number
  seq: number
}

export type Acknowledgement = Accepted | Refusal

/** One client's credentials for a conversation. All are signed and hold nothing secret from their holder. */
export interface Credentials {
  /** For CONNECT: lets in. */
  token: string
  /** For the socket's address: lets a request through to the conversation, and nothing else. */
  ticket: string
  /** When both run out, in milliseconds from when they were given, so that no clock has to agree with another. */
  lastsMs: number
}

/** The acknowledgement of `renew`. */
export type Renewed = ({ ok: true } & Credentials) | Refusal

// ── What comes down ────────────────────────────────────────────────────────────────────────────────────

/** A colleague's attitude towards the learner, coldest first. */
export type RelationshipLevel = 'hostile' | 'guarded' | 'neutral' | 'cooperative' | 'trusting'

export interface PersonView {
  id: string
  name: string
  role: string
  /** The person's colour, as an OKLCH hue in degrees. */
  hue: number
}

/** The conversation's data that a learner may know before it starts. It holds no fact of a colleague. */
export interface ConversationView {
  session: string
  scenario: { id: string; title: string; role: string; situation: string }
  npc: PersonView
  /** One line that sets the scene, shown above the first message. */
  scene: string
  colleagues: PersonView[]
  /** Who speaks the lines: scripted ones, or a model by this label. */
  speaker: { kind: 'rehearsal' | 'model'; label: string }
}

/** A document handed over at the end. */
export interface DocumentView {
  title: string
  kind: string
  lines: string[]
}

/** The three commands of the front end. */
export type Command =
  | { name: 'AI_AdvanceObjective'; objective: string; title: string }
  | { name: 'AI_PivotMoment'; pivot: string; question: string; choices: { id: string; text: string }[] }
  | {
      name: 'AI_EndConversation'
      completion: 'earned' | 'forced'
      document: DocumentView | null
      next: (PersonView & { why: string }) | null
    }

/**
 * `complete`: said whole. `cut`: the learner stopped it; `text` is what was said until then, perhaps nothing. `failed`:
 * the actor could not finish; `text` is a line in character, retry is open.
 */
export type TurnOutcome = 'complete' | 'cut' | 'failed'

/** A fact that a colleague told for the first time in this conversation, in their own words. */
export interface GainedFact {
  id: string
  said: string
  /** The turn that told it; null: it is in a document that was handed over. */
  turn: number | null
}

/**
 * What a learner got out of an exchange of a simulation. A field that did not change is left out. Nothing in it is news to
 * the learner: each fact was told, each document was handed over ([message-31]).
 */
export interface Gained {
  facts?: GainedFact[]
  /** The id of the objective that was met. */
  objective?: string
  documents?: DocumentView[]
  /** The colleague's level, where it is another one now. */
  level?: RelationshipLevel
}

/** An event before the log gave it its number and time. */
export type NewEvent =
  | { type: 'turn-start'; turn: number; attempt: number; cid: string; text: string }
  | {
      type: 'turn'
      turn: number
      attempt: number
      /** Authoritative: replaces whatever was streamed. */
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
      /** The picked choice, or null when the moment passed unanswered. */
      choice: { cid: string; id: string; text: string; reaction: string; effect: string } | null
      gained?: Gained
    }

/** The durable log. `seq` counts from 1 without gaps; `at` is milliseconds since 1970. */
export type LogEvent = { seq: number; at: number } & NewEvent

/** A piece of a running reply: `text` starts at `offset` of this attempt's speech. Never stored by a client as final. */
export interface Delta {
  turn: number
  attempt: number
  offset: number
  text: string
}

/**
 * The first event on every connection, and the answer to `sync`. With `mode: 'resume'` the events continue
 * the client's own; with `'snapshot'` the client starts from nothing.
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

/** Events by name, as `socket.on(name, body)`. Clients ignore names and types they do not know. */
export interface Down {
  hello: Hello
  event: LogEvent
  delta: Delta
}
