import type {
  Acknowledgement,
  Command,
  ConversationView,
  Delta,
  DocumentView,
  Hello,
  LogEvent,
  NextStep,
  PersonView,
  Refusal,
  RelationshipLevel,
} from './messages.ts'

/**
 * An event this widget does not know, or cannot read. It keeps its place in the log: dropping it would look like a
 * gap, and the widget would ask for it again for ever.
 */
export interface UnknownEvent {
  seq: number
  at: number
  type: 'unknown'
}

export type DecodedEvent = LogEvent | UnknownEvent

export type DecodedHello = Omit<Hello, 'events'> & { events: DecodedEvent[] }

export type Decoded =
  | { name: 'hello'; body: DecodedHello }
  | { name: 'event'; body: DecodedEvent }
  | { name: 'delta'; body: Delta }

/**
 * Reads one event from the server, field by field, into fresh objects. Names it does not know, and bodies it cannot
 * read, give null; it never throws, so an old widget on a cached page survives a newer server (`docs/protocol.md`).
 */
export function decode(name: unknown, body: unknown): Decoded | null {
  if (name === 'delta') return wrap(name, delta(body))
  if (name === 'event') return wrap(name, event(body))
  if (name === 'hello') return wrap(name, hello(body))
  return null
}

/** Reads the acknowledgement of `say`, `choose` or `retry`; null when it is none. Never throws. */
export function decodeAcknowledgement(raw: unknown): Acknowledgement | null {
  if (!isRecord(raw)) return null
  const { ok, turn, seq } = raw
  if (ok === true) return isCount(turn) && isCount(seq) ? { ok, turn, seq } : null
  return decodeRefusal(raw)
}

/**
 * Reads a refusal from an acknowledgement, the data of a CONNECT error or the body of an HTTP error. A code it does not
 * know is kept, since the widget acts on `next`; a `next` it does not know becomes `give-up`.
 */
export function decodeRefusal(raw: unknown): Refusal | null {
  if (!isRecord(raw) || !isString(raw.code)) return null
  const next: NextStep = NEXT_STEPS.find((step) => step === raw.next) ?? 'give-up'
  const refusal: Refusal = {
    ok: false,
    next,
    code: raw.code as Refusal['code'],
    message: isString(raw.message) ? raw.message : '',
  }
  if (isNumber(raw.retryAfterMs)) refusal.retryAfterMs = raw.retryAfterMs
  return refusal
}

const LEVELS: readonly RelationshipLevel[] = ['hostile', 'guarded', 'neutral', 'cooperative', 'trusting']
const NEXT_STEPS: readonly NextStep[] = ['retry-after', 'start-over', 'sign-in', 'give-up']

function wrap<N extends Decoded['name'], B>(name: N, body: B | null): { name: N; body: B } | null {
  return body === null ? null : { name, body }
}

function hello(raw: unknown): DecodedHello | null {
  if (!isRecord(raw)) return null
  const { v, mode, epoch, head } = raw
  const seen = conversation(raw.conversation)
  const running = raw.running == null ? null : delta(raw.running)
  if (!isCount(v) || (mode !== 'resume' && mode !== 'snapshot') || !isString(epoch) || !isCount(head)) return null
  if (!seen || !isLevel(raw.level) || !Array.isArray(raw.events)) return null
  return { v, mode, epoch, head, conversation: seen, level: raw.level, events: all(raw.events, event), running }
}

function delta(raw: unknown): Delta | null {
  if (!isRecord(raw)) return null
  const { turn, attempt, offset, text } = raw
  if (!isCount(turn) || !isCount(attempt) || !isCount(offset) || !isString(text)) return null
  return { turn, attempt, offset, text }
}

function event(raw: unknown): DecodedEvent | null {
  if (!isRecord(raw)) return null
  const { seq } = raw
  if (!isCount(seq)) return null
  const at = isNumber(raw.at) ? raw.at : 0
  return knownEvent(raw, { seq, at }) ?? { seq, at, type: 'unknown' }
}

function knownEvent(raw: Raw, place: { seq: number; at: number }): LogEvent | null {
  const { type, turn, attempt, cid, text, outcome, level, id, pivot } = raw
  if (!isCount(turn)) return null
  switch (type) {
    case 'turn-start':
      return isCount(attempt) && isString(cid) && isString(text) ? { ...place, type, turn, attempt, cid, text } : null
    case 'turn':
      if (!isCount(attempt) || !isString(text) || !isLevel(level)) return null
      return outcome === 'complete' || outcome === 'failed'
        ? { ...place, type, turn, attempt, text, outcome, level }
        : null
    case 'command': {
      const what = command(raw.command)
      return isString(id) && what ? { ...place, type, turn, id, command: what } : null
    }
    case 'pivot-end': {
      const picked = raw.choice === null ? null : choice(raw.choice)
      return isString(pivot) && isLevel(level) && picked !== undefined
        ? { ...place, type, turn, pivot, level, choice: picked }
        : null
    }
    default:
      return null
  }
}

function choice(raw: unknown): { cid: string; id: string; text: string; reaction: string; effect: string } | undefined {
  if (!isRecord(raw)) return undefined
  const { cid, id, text, reaction, effect } = raw
  const readable = isString(cid) && isString(id) && isString(text) && isString(reaction) && isString(effect)
  return readable ? { cid, id, text, reaction, effect } : undefined
}

function command(raw: unknown): Command | null {
  if (!isRecord(raw)) return null
  const { name, objective, title, pivot, question, completion } = raw
  switch (name) {
    case 'AI_AdvanceObjective':
      return isString(objective) && isString(title) ? { name, objective, title } : null
    case 'AI_PivotMoment': {
      if (!isString(pivot) || !isString(question) || !Array.isArray(raw.choices)) return null
      const choices = all(raw.choices, option)
      return choices.length > 0 ? { name, pivot, question, choices } : null
    }
    case 'AI_EndConversation':
      if (completion !== 'earned' && completion !== 'forced') return null
      return { name, completion, document: paper(raw.document), next: nextPerson(raw.next) }
    default:
      return null
  }
}

function option(raw: unknown): { id: string; text: string } | null {
  return isRecord(raw) && isString(raw.id) && isString(raw.text) ? { id: raw.id, text: raw.text } : null
}

function paper(raw: unknown): DocumentView | null {
  if (!isRecord(raw) || !isString(raw.title) || !isString(raw.kind) || !Array.isArray(raw.lines)) return null
  return { title: raw.title, kind: raw.kind, lines: raw.lines.filter(isString) }
}

function nextPerson(raw: unknown): (PersonView & { why: string }) | null {
  const who = person(raw)
  return who && isRecord(raw) ? { ...who, why: isString(raw.why) ? raw.why : '' } : null
}

function person(raw: unknown): PersonView | null {
  if (!isRecord(raw)) return null
  const { id, name, role, hue } = raw
  return isString(id) && isString(name) && isString(role) && isNumber(hue) ? { id, name, role, hue } : null
}

function conversation(raw: unknown): ConversationView | null {
  if (!isRecord(raw) || !isRecord(raw.scenario) || !isRecord(raw.speaker)) return null
  const { session, scene } = raw
  const { id, title, role, situation } = raw.scenario
  const { kind, label } = raw.speaker
  const npc = person(raw.npc)
  if (!isString(session) || !isString(scene) || !npc || !Array.isArray(raw.colleagues)) return null
  if (!isString(id) || !isString(title) || !isString(role) || !isString(situation)) return null
  if ((kind !== 'rehearsal' && kind !== 'model') || !isString(label)) return null
  return {
    session,
    scenario: { id, title, role, situation },
    npc,
    scene,
    colleagues: all(raw.colleagues, person),
    speaker: { kind, label },
  }
}

type Raw = Readonly<Record<string, unknown>>

/** Reads each, and leaves out what cannot be read. */
function all<T>(raw: readonly unknown[], read: (item: unknown) => T | null): T[] {
  return raw.map(read).filter((item) => item !== null)
}

function isRecord(raw: unknown): raw is Raw {
  return typeof raw === 'object' && raw !== null
}

function isString(raw: unknown): raw is string {
  return typeof raw === 'string'
}

function isNumber(raw: unknown): raw is number {
  return Number.isFinite(raw)
}

function isCount(raw: unknown): raw is number {
  return Number.isSafeInteger(raw) && (raw as number) >= 0
}

function isLevel(raw: unknown): raw is RelationshipLevel {
  return LEVELS.includes(raw as RelationshipLevel)
}
