import type {
  Acknowledgement,
  Command,
  ConfirmedTurn,
  ConversationView,
  Credentials,
  Delta,
  Gained,
  Hello,
  LogEvent,
  Refusal,
} from './messages.ts'

/**
 * An event that this widget does not know or cannot parse. The event keeps its number in the log. Otherwise the widget
 * would notice a gap in the numbers, and request the event again for ever.
 */
export interface UnknownEvent {
  seq: number
  type: 'unknown'
}

export type DecodedEvent = LogEvent | UnknownEvent

export type DecodedHello = Omit<Hello, 'events'> & { events: DecodedEvent[] }

export type Decoded =
  | { name: 'hello'; body: DecodedHello }
  | { name: 'event'; body: DecodedEvent }
  | { name: 'delta'; body: Delta }
  | { name: 'turn'; body: ConfirmedTurn }

/**
 * Decodes one message from the server into new objects, field by field. Returns null for an unknown name or an invalid
 * body. Never throws, so an old widget on a cached page can work with a newer server (`docs/reference/protocol.md`).
 */
export function decode(name: unknown, body: unknown): Decoded | null {
  if (name === 'd') return decode('delta', deltaOf(body))
  const read = READS.get(name)?.(body)
  return read === undefined ? null : ({ name, body: read } as Decoded)
}

/** Decodes the acknowledgement of `say`, `choose` or `retry`; returns null for anything else. Never throws. */
export function decodeAcknowledgement(raw: unknown): Acknowledgement | null {
  return accepted(raw) ?? decodeRefusal(raw)
}

/**
 * Decodes a refusal from an acknowledgement, the data of a CONNECT error or the body of an HTTP error. An unknown
 * `code` is kept; an unknown `next`, on which the widget acts, becomes `give-up`.
 */
export function decodeRefusal(raw: unknown): Refusal | null {
  return refusal(raw) ?? null
}

/**
 * Decodes the credentials in an HTTP answer or in the acknowledgement of `renew`. Returns null if the value has no
 * valid credentials.
 */
export function decodeCredentials(raw: unknown): Credentials | null {
  return credentials(raw) ?? null
}

/** A function that reads one value, and returns undefined if the value is invalid. */
type Read<T> = (raw: unknown) => T | undefined

const text: Read<string> = (raw) => (typeof raw === 'string' ? raw : undefined)
const amount: Read<number> = (raw) => (typeof raw === 'number' && Number.isFinite(raw) ? raw : undefined)
const count: Read<number> = (raw) => (Number.isSafeInteger(raw) && (raw as number) >= 0 ? (raw as number) : undefined)

const person = shape({ id: text, name: text, role: text, hue: amount })
const delta: Read<Delta> = shape({ turn: count, attempt: count, offset: count, text })
const level = oneOf('hostile', 'guarded', 'neutral', 'cooperative', 'trusting')

const paper = shape({ title: text, kind: text, lines: list(text) })

const commands = tagged('name', {
  AI_AdvanceObjective: { objective: text, title: text },
  AI_PivotMoment: { pivot: text, question: text, choices: filled(shape({ id: text, text })) },
  AI_EndConversation: {
    completion: oneOf('earned', 'forced'),
    document: orNull(paper),
    next: orNull(shape({ id: text, name: text, role: text, hue: amount, why: text })),
  },
  AI_HandOverDocument: { document: paper },
})
const command: Read<Command> = also(commands, { left: only(true) })

const place = { seq: count, at: amount, turn: count }
const ended = { attempt: count, outcome: oneOf('complete', 'cut', 'failed'), level }
const known: Read<LogEvent> = tagged('type', {
  opening: { ...place, turn: only(0), text },
  'turn-start': { ...place, attempt: count, cid: text, text },
  turn: { ...place, ...ended, text },
  command: { ...place, id: text, command },
  'pivot-end': {
    ...place,
    pivot: text,
    level,
    choice: nullOr(shape({ cid: text, id: text, text, reaction: text, effect: text })),
  },
})
const unknown: Read<UnknownEvent> = shape({ seq: count, type: () => 'unknown' as const })
const gained: Read<Partial<Gained>> = some({
  facts: list(also(shape({ id: text, said: text, turn: nullOr(count) }), { text })),
  objective: text,
  documents: list(paper),
  level,
})
/** Reads a text that fits on a button. */
const offer: Read<string> = (raw) => (text(raw)?.trim() && (raw as string).length <= 60 ? (raw as string) : undefined)
const byReply = { gained, offers: filled(offer), agent: text }
const extended = also(known, { ...byReply, typed: oneOf('card', 'own'), resumed: only(true) })
/** Reads the events of an assistant. `assistant.js` checks the rest of them. */
const assisted: Read<LogEvent> = (raw) =>
  /^(edit|permission|tool)/.test(text(Object(raw).type) ?? '') && shape(place)(raw) ? (raw as LogEvent) : undefined
const event: Read<DecodedEvent> = (raw) => (extended(raw) as LogEvent | undefined) ?? assisted(raw) ?? unknown(raw)

const hello: Read<DecodedHello> = shape({
  v: count,
  mode: oneOf('resume', 'snapshot'),
  epoch: text,
  head: count,
  conversation: also(
    shape({
      session: text,
      scenario: also(shape({ id: text, title: text, role: text, situation: text }), { language: text }),
      npc: person,
      scene: text,
      colleagues: list(person),
      speaker: shape({ kind: oneOf('rehearsal', 'model'), label: text }),
    }),
    {
      assistant: (raw) => (Object(raw).agents ? (raw as ConversationView['assistant']) : undefined),
      takesPage: only(true),
    },
  ),
  level,
  events: list(event),
  running: orNull(delta),
})

const confirmed = also(shape({ ...place, ...ended, type: () => 'turn' as const, length: count, hash: count }), byReply)
/** Every function that reads a body, by the message's name. */
const READS = new Map<unknown, Read<unknown>>(Object.entries({ hello, event, delta, turn: confirmed }))

/** Makes a delta of its short form; anything else makes one that can't be read. */
function deltaOf(body: unknown): unknown {
  const [turn, attempt, offset, said] = Array.isArray(body) ? (body as unknown[]) : []
  return { turn, attempt, offset, text: said }
}

const accepted = shape({ ok: only(true), turn: count, seq: count })
const refusal: Read<Refusal> = also(
  shape({
    ok: (): false => false,
    next: or(oneOf('retry-after', 'start-over', 'sign-in', 'give-up'), 'give-up'),
    code: text as Read<Refusal['code']>,
    message: or(text, ''),
  }),
  { retryAfterMs: amount },
)

const credentials: Read<Credentials> = shape({ token: text, ticket: text, lastsMs: count })

/** Reads an object in which every named field must be valid. Other fields are dropped. */
function shape<F extends Record<string, Read<unknown>>>(fields: F): Read<Shaped<F>> {
  return (raw) => {
    const read = some(fields)(raw)
    return read && Object.keys(read).length === Object.keys(fields).length ? (read as Shaped<F>) : undefined
  }
}

/** Reads the valid fields of an object; undefined if the object has no valid field. */
function some<F extends Record<string, Read<unknown>>>(fields: F): Read<Partial<Shaped<F>>> {
  return (raw) => {
    const result: Record<string, unknown> = {}
    for (const key of Object.keys(fields)) {
      const value = fields[key]?.(Object(raw)[key])
      if (value !== undefined) result[key] = value
    }
    return Object.keys(result).length > 0 ? (result as Partial<Shaped<F>>) : undefined
  }
}

/** Adds the valid ones of some optional fields to what `read` returns. */
function also<T extends object, F extends Record<string, Read<unknown>>>(
  read: Read<T>,
  optional: F,
): Read<T & Partial<Shaped<F>>> {
  return (raw) => {
    const value = read(raw)
    return value && { ...value, ...(some(optional)(raw) as Partial<Shaped<F>>) }
  }
}

type Shaped<F> = { [K in keyof F]: F[K] extends Read<infer T> ? T : never }

/** Reads an object of one of several shapes. The value of the field `tag` says which. */
function tagged<K extends string, S extends Record<string, Record<string, Read<unknown>>>>(
  tag: K,
  shapes: S,
): Read<{ [T in keyof S]: Record<K, T> & Shaped<S[T]> }[keyof S]> {
  const reads = new Map(Object.entries(shapes).map(([kind, fields]) => [kind as unknown, shape(fields)]))
  return (raw) => {
    const kind: unknown = Object(raw)[tag]
    const read = reads.get(kind)?.(raw)
    return read && ({ ...read, [tag]: kind } as never)
  }
}

/** Reads a list, and leaves out invalid items. */
function list<T>(read: Read<T>): Read<T[]> {
  return (raw) => (Array.isArray(raw) ? raw.map(read).filter((item) => item !== undefined) : undefined)
}

/** Reads a list that must not be empty. */
function filled<T>(read: Read<T>): Read<T[]> {
  return (raw) => {
    const items = list(read)(raw)
    return items?.length ? items : undefined
  }
}

function nullOr<T>(read: Read<T>): Read<T | null> {
  return (raw) => (raw === null ? null : read(raw))
}

/** Reads a missing or invalid value as null, so that the rest of the message is kept. */
function orNull<T>(read: Read<T>): Read<T | null> {
  return (raw) => read(raw) ?? null
}

function or<T>(read: Read<T>, otherwise: T): Read<T> {
  return (raw) => read(raw) ?? otherwise
}

function only<T extends true | 0>(value: T): Read<T> {
  return (raw) => (raw === value ? value : undefined)
}

function oneOf<T extends string>(...values: T[]): Read<T> {
  return (raw) => values.find((value) => value === raw)
}
