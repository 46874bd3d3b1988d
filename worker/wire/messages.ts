/**
 * The types of all messages on the socket. `docs/reference/messages.md` says who sends which message when. `schema.ts`
 * parses the messages to the server, `decode.ts` those to the widget.
 */

// ── From the client to the server ──────────────────────────────────────────────────────────────────────

/**
 * A client's position in the log: `epoch` names the log, and `seq` is the number of the last event that the client has.
 */
export interface Cursor {
  epoch: string
  seq: number
}

/** How much of a reply that is still being spoken is on the screen: its first `offset` UTF-16 code units. */
export interface PartialReply {
  turn: number
  attempt: number
  offset: number
}

/** The payload of the Socket.IO CONNECT packet. `v` is the version of the messages (`WIRE_VERSION`). */
export interface ConnectAuth {
  v: number
  /** Names this tab. A newer socket with the same id replaces the older one. */
  clientId?: string
  /** The token that admits the client: from `POST /api/sessions`, or a newer token from `renew`. */
  token?: string
  cursor?: Cursor
  have?: PartialReply
  /** True if the client understands the short events `d` and `turn`. */
  short?: true
}

/**
 * A learner's message. The client sends it again, with the same `cid`, until the server acknowledges it. The server
 * takes it only once.
 */
export interface Say {
  cid: string
  text: string
  /** What the page around the widget says about itself, for the actor. This text never moves the walk. */
  page?: string
  /** For an assistant: the hash under which this tab has sent what its page shows (`page`). */
  context?: string
  /**
   * True if the learner takes back the goodbye that ended the conversation, so that it goes on. If that is no longer
   * possible, the message counts as a question after the end.
   */
  resume?: true
}

/** The learner's pick of a card at a pivot (a fork). No actor replies to it, so it is not a turn. */
export interface Choose {
  cid: string
  pivot: string
  choice: string
}

/** Requests another try at the last turn, if its outcome was `failed`. */
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

/**
 * Requests events that a connected client has missed. The client notices by a gap in `seq` that events are missing. The
 * answer is a `Hello`.
 */
export interface Sync {
  cursor?: Cursor
  have?: PartialReply
}

/** What the page around an assistant's chat shows. Sent when it has changed; a `say` then names it by its hash. */
export interface PageUpdate {
  /** A hash of `page`, which the client computes: 16 hexadecimal digits. */
  hash: string
  page: PageView
}

/** Exactly one of `editor`, `pipeline` and `text`. */
export interface PageView {
  editor?: {
    filename: string
    language?: string
    /** The text, or the part of it around the cursor. */
    content: string
    /** Where `content` begins in the whole text, and how long that is, in UTF-16 code units. */
    start?: number
    length?: number
    editable?: boolean
  }
  pipeline?: { id: string; title: string; summary: string; preference?: 'prefer' | 'ignore' }
  text?: string
  /** What the page has found, for agents that cite it. */
  results?: { local?: SearchHit[]; web?: SearchHit[] }
  /** The names of the tools that the page can run for agents. */
  tools?: string[]
  /** The agent that should answer if neither the person's mention nor a lock decides. */
  agent?: string
}

export interface SearchHit {
  title: string
  url: string
  text: string
}

/** A person's answer to a `permission` event. `here`: for this conversation. */
export interface Permit {
  id: string
  answer: 'once' | 'here' | 'deny'
}

/** What a person decides about changes of one `edits` event. Each change takes one verdict. */
export interface Verdict {
  ids: string[]
  verdict: 'taken' | 'left'
}

/** A page's answer to a `tool-call` event: that this tab does it now, or what came of it. */
export type ToolAnswer = { call: string; claim: true } | { call: string; ok: boolean; text: string }

/** Takes back what a person has allowed for this conversation: one operation, or everything if `operation` is null. */
export interface Revoke {
  operation: string | null
}

/** Locks an assistant's conversation to one agent; null takes the lock back. */
export interface Lock {
  agent: string | null
}

/** The events that a client sends, by name. */
export interface Up {
  say: Say
  choose: Choose
  retry: Retry
  cancel: Cancel
  renew: Renew
  sync: Sync
  page: PageUpdate
  lock: Lock
  permit: Permit
  tool: ToolAnswer
  verdict: Verdict
  revoke: Revoke
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
  | 'unknown-page'
  | 'unknown-agent'
  | 'stale'
  | 'nothing-to-retry'
  | 'nothing-to-cancel'
  | 'too-many-turns'
  | 'too-fast'
  | 'spent'
  | 'not-admitted'
  | 'wrong-version'
  | 'unavailable'

/**
 * A refusal: what the client should do next, the reason as a code, and a sentence for the learner. The refused message
 * changed nothing.
 */
export interface Refusal {
  ok: false
  next: NextStep
  code: RefusalCode
  message: string
  retryAfterMs?: number
}

/** The acknowledgement of `say`, `choose` and `retry`. The server sends it only after it has stored the message. */
export interface Accepted {
  ok: true
  turn: number
  seq: number
}

export type Acknowledgement = Accepted | Refusal

/** One client's credentials for a conversation. */
export interface Credentials {
  /** The token for CONNECT, which admits the client. */
  token: string
  /** The ticket for the socket's URL. It only lets a request reach the conversation's Durable Object. */
  ticket: string
  /**
   * How long token and ticket are valid from now, in milliseconds. A time of day would be wrong on a client whose clock
   * is wrong.
   */
  lastsMs: number
}

/** The acknowledgement of `renew`. */
export type Renewed = ({ ok: true } & Credentials) | Refusal

// ── From the server to the client ──────────────────────────────────────────────────────────────────────

/** A colleague's attitude towards the learner, from the coldest to the warmest. */
export type RelationshipLevel = 'hostile' | 'guarded' | 'neutral' | 'cooperative' | 'trusting'

export interface PersonView {
  id: string
  name: string
  role: string
  /** The person's colour, as an OKLCH hue in degrees. */
  hue: number
}

/** What the page shows of a conversation before its first message. It contains no fact that a colleague will tell. */
export interface ConversationView {
  session: string
  /** `language` is the language of the authored texts, as a BCP 47 tag; missing for English. */
  scenario: { id: string; title: string; role: string; situation: string; language?: string }
  npc: PersonView
  /** One line that sets the scene, shown above the first message. */
  scene: string
  colleagues: PersonView[]
  /** Who writes the colleague's words: the rehearsal actor, or the model with this label. */
  speaker: { kind: 'rehearsal' | 'model'; label: string }
  /**
   * For an assistant: its agents, the one to which the person has locked the conversation, what the person has allowed for
   * this conversation, and what a person may say first.
   */
  assistant?: {
    locked: string | null
    agents: { id: string; name: string; does: string }[]
    grants?: { operation: string; expiresAt: number }[]
    starters?: string[]
    /** The names of the tools that a page may run for it. */
    tools?: string[]
  }
  /** Present if a colleague's graph has tools that the page runs: the page may then say what it shows and runs (`page`). */
  takesPage?: true
}

/** A document that a colleague hands over. */
export interface DocumentView {
  title: string
  kind: string
  lines: string[]
}

/** What the server tells the page to do, besides showing text. */
export type Command =
  | { name: 'AI_AdvanceObjective'; objective: string; title: string }
  | { name: 'AI_PivotMoment'; pivot: string; question: string; choices: { id: string; text: string }[] }
  | {
      name: 'AI_EndConversation'
      completion: 'earned' | 'forced'
      document: DocumentView | null
      /** The colleague to whom the learner is sent on, and why; null if the learner is sent to nobody. */
      next: (PersonView & { why: string }) | null
      /** True if the learner ended the conversation by saying goodbye. */
      left?: boolean
    }
  /** The colleague's document, handed over before the end of the conversation. */
  | { name: 'AI_HandOverDocument'; document: DocumentView }

/**
 * How a turn ended. `complete`: the reply was said in full. `cut`: the learner stopped the reply, and the event's
 * `text` is the part said until then, perhaps nothing. `failed`: the actor could not finish. The `text` is then a short
 * line in character, and the learner may retry.
 */
export type TurnOutcome = 'complete' | 'cut' | 'failed'

/**
 * A fact that a colleague told for the first time in this conversation: in the author's words, and as the colleague said
 * it. Older events have no `text`.
 */
export interface GainedFact {
  id: string
  text?: string
  said: string
  /** The turn in which the fact was told; null if the fact is in a document that was handed over. */
  turn: number | null
}

/**
 * What a learner gained in one exchange, or with one choice, of a simulation. Fields without news are missing. The
 * learner has seen everything that is named here ([message-31]).
 */
export interface Gained {
  facts?: GainedFact[]
  /** The id of the objective that was met. */
  objective?: string
  documents?: DocumentView[]
  /** The colleague's new level, if it changed. */
  level?: RelationshipLevel
}

/**
 * One proposed change: the text `expected` at `start` (in UTF-16 code units) becomes `text`. `before` and `after` are a
 * few characters around the place, by which it is found if the text has moved.
 */
export interface TextChange {
  id: string
  op: 'replace' | 'insert' | 'delete'
  start: number
  expected: string
  text: string
  before: string
  after: string
  why: string
}

/** An event that only a conversation with an assistant has. */
export type AssistantEvent = Extract<
  LogEvent,
  {
    type: 'edits' | 'edit-end' | 'permission' | 'permission-end' | 'permission-revoked' | 'tool-call' | 'tool-end'
  }
>

/** The content of an event. The log adds the number and the time (`LogEvent`). */
export type NewEvent =
  /** The colleague's first line, before the learner has said anything. */
  | { type: 'opening'; turn: 0; text: string }
  | {
      type: 'turn-start'
      turn: number
      attempt: number
      cid: string
      text: string
      /** Present if the learner with this message took back the goodbye that had ended the conversation. */
      resumed?: true
    }
  | {
      type: 'turn'
      turn: number
      attempt: number
      /** The final text. It replaces the text that was streamed. */
      text: string
      outcome: TurnOutcome
      level: RelationshipLevel
      gained?: Gained
      /**
       * Two or three short texts, each at most 60 UTF-16 code units long, that the learner may send as the next message
       * with one press. Present only if the colleague did not know what the learner meant ([message-36]).
       */
      offers?: readonly string[]
      /** For an assistant: the agent that answered. */
      agent?: string
    }
  /** Changes that an agent proposes to the text in the page's editor. The person decides about each. */
  | {
      type: 'edits'
      turn: number
      filename: string
      operations: TextChange[]
      /** The proposals that have no place in the text, each by its number in the agent's list, and why. */
      refused?: { index: number; why: string }[]
    }
  /** What the person decided about some of them: `taken` into the text, or `left`. */
  | { type: 'edit-end'; turn: number; ids: string[]; verdict: Verdict['verdict'] }
  /** An agent asks whether it may use a tool. The turn waits for the answer. */
  | {
      type: 'permission'
      turn: number
      id: string
      operation: string
      /** What the tool is called for people. */
      title?: string
      agent: string
      /** What the tool would get. */
      input: string
      why: string
      /** In words; null for nothing. */
      cost: string | null
      safety: 'low' | 'medium' | 'high'
      expiresAt: number
    }
  /** `stopped`: the person stopped the turn, or it failed. */
  | { type: 'permission-end'; turn: number; id: string; answer: 'once' | 'here' | 'deny' | 'expired' | 'stopped' }
  /** A person has taken back what was allowed for this conversation. */
  | { type: 'permission-revoked'; turn: number; operations: string[] }
  /** The page is to run a tool. The turn waits for the result. */
  | { type: 'tool-call'; turn: number; call: string; tool: string; input: string }
  | { type: 'tool-end'; turn: number; call: string; outcome: 'done' | 'failed' | 'late' }
  | { type: 'command'; turn: number; id: string; command: Command }
  | {
      type: 'pivot-end'
      turn: number
      pivot: string
      level: RelationshipLevel
      /** The learner's choice; null if the pivot ended without a choice. */
      choice: { cid: string; id: string; text: string; reaction: string; effect: string } | null
      /**
       * Present if the learner typed the answer instead of picking a card. `card`: the typed words mean the card in
       * `choice`; its `reaction` is empty, because the turn's reply has answered the message. `own`: the typed words
       * mean no card, and `choice` is null.
       */
      typed?: 'card' | 'own'
      gained?: Gained
    }

/** An event of the durable log. `seq` counts from 1 without gaps; `at` is milliseconds since 1970. */
export type LogEvent = { seq: number; at: number } & NewEvent

/**
 * A piece of a reply that is still being spoken: `text` is the piece that begins at position `offset` of the reply, as
 * this attempt at the turn speaks the reply. The `turn` event later brings the final text.
 */
export interface Delta {
  turn: number
  attempt: number
  offset: number
  text: string
}

/**
 * The first event on every connection, and the answer to `sync`. With `mode: 'resume'`, `events` are those after the
 * client's last one; with `'snapshot'`, they are the whole log, and the client discards what it has.
 */
export interface Hello {
  v: number
  mode: 'resume' | 'snapshot'
  epoch: string
  head: number
  conversation: ConversationView
  level: RelationshipLevel
  events: LogEvent[]
  /** The part of a running reply that the client lacks; null if no reply is being spoken. */
  running: Delta | null
}

/** A `Delta` in short: its turn, attempt, offset and text. */
export type ShortDelta = [turn: number, attempt: number, offset: number, text: string]

/**
 * A `turn` event in short, for a reply whose final text is what was streamed: instead of the text its length, in UTF-16
 * code units, and its `hashOf`. A client that has another text asks for the event with `sync`.
 */
export type ConfirmedTurn = Omit<Extract<LogEvent, { type: 'turn' }>, 'text'> & { length: number; hash: number }

/** The events that the server sends, by name. A client ignores a name or a type that it does not know. */
export interface Down {
  hello: Hello
  event: LogEvent
  delta: Delta
  /** In place of `delta` and of the `turn` event, for a client that connected with `short`. */
  d: ShortDelta
  turn: ConfirmedTurn
}
