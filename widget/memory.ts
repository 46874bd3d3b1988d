import type { MessageEntry } from './outbox.ts'

/**
 * What the widget stores in the browser. The widget stores nothing before a person opens the panel. `localStorage`
 * holds the session, so that the learner can continue the conversation later. `sessionStorage` holds unsent messages,
 * because each tab has its own unsent messages. Where storage is denied (a sandboxed frame, a strict browser),
 * everything stays in memory until the page closes.
 */
export interface BrowserMemory {
  here(): string
  setHere(npc: string): void
  session(npc: string): KnownSession | null
  setSession(npc: string, session: KnownSession | null): void
  /**
   * Returns the unsent messages to one colleague. The stored messages have no session id, because there may be no
   * session yet.
   */
  unsent(npc: string): Unsent
  setUnsent(npc: string, unsent: Unsent): void
  /** Whether the learner has agreed to what the widget stores and sends. */
  hasConsent(): boolean
  setConsent(): void
  /** Keeps for this tab whether the panel is open, so that it opens again on the site's next page. */
  setOpen(isOpen: boolean): void
  /** Returns the sessions of this scenario that this browser knows. */
  sessions(): readonly KnownSession[]
  /** What lasts in this browser, and the beginning of this scenario's keys, for the menu's list of conversations. */
  readonly lasting: StorageArea
  readonly place: string
  /** Removes all that the widget has stored for this scenario. */
  forget(): void
}

export interface KnownSession {
  readonly id: string
  /** The key with which the widget requests new credentials; empty if the service gave no key. */
  readonly key: string
  /**
   * The log's epoch, and in `seen` the position of the last event that the widget announced to screen readers and
   * dispatched to the page. With them, a reload doesn't announce or dispatch an event again.
   */
  readonly epoch: string
  readonly seen: number
}

/**
 * The learner's draft and unsent messages. Answers to pivots and retries are not stored, because a reload shows the
 * cards and the retry buttons again.
 */
export interface Unsent {
  readonly draft: string
  readonly says: readonly UnsentSay[]
}

export interface UnsentSay {
  readonly cid: string
  readonly text: string
  /** Whether the server refused the message, so that the learner has to decide what to do. */
  readonly held: boolean
  /** The message takes back the goodbye that ended the conversation. */
  readonly resume?: true
}

export function browserMemory({
  origin,
  scenario,
  npc,
  name = '',
}: {
  origin: string
  scenario: string
  npc: string
  /** The launcher's name. */
  name?: string
}): BrowserMemory {
  const lasting = area(() => localStorage)
  const passing = area(() => sessionStorage)
  const place = `walkon|${origin}|${scenario}|`
  return {
    lasting,
    place,
    here: () => asString(lasting.read(`${place}${npc}|here`)) || npc,
    setHere: (now) => lasting.write(`${place}${npc}|here`, now),
    session: (of) => asSession(lasting.read(`${place}${of}`)),
    setSession: (of, session) => lasting.write(`${place}${of}`, session),
    unsent: (of) => asUnsent(passing.read(`${place}${of}`)),
    setUnsent: (of, unsent) => passing.write(`${place}${of}`, unsent.draft || unsent.says.length ? unsent : null),
    hasConsent: () => lasting.read(`${place}|consent`) === true,
    setConsent: () => lasting.write(`${place}|consent`, true),
    // The launcher reads this entry too (`restore`).
    setOpen: (isOpen) => passing.write(`walkon|${origin}|${name}|open`, isOpen || null),
    sessions: () => lasting.keys(place).flatMap((key) => asSession(lasting.read(key)) ?? []),
    forget() {
      for (const each of [lasting, passing]) for (const key of each.keys(place)) each.write(key, null)
    },
  }
}

/** Returns the messages that the widget has to restore after a reload. */
export function unsentOf(entries: readonly MessageEntry[]): UnsentSay[] {
  return entries.flatMap(({ cid, message, state }) =>
    message.name === 'say' && state !== 'sent'
      ? [{ cid, text: message.text, held: state === 'failed', ...(message.resume && { resume: true as const }) }]
      : [],
  )
}

export interface StorageArea {
  /** Returns the keys that begin with a text. */
  keys(start: string): readonly string[]
  read(key: string): unknown
  write(key: string, value: unknown): void
}

/**
 * Wraps a storage that may fail. Access throws where storage is denied, and writing throws where it is full. A value
 * that could not be stored stays in memory and takes precedence over an older value in storage.
 */
function area(storage: () => Storage): StorageArea {
  const held = new Map<string, string>()
  return {
    keys(start) {
      let stored: readonly string[] = []
      try {
        stored = Object.keys(storage())
      } catch {
        // Nothing is stored here but what is held.
      }
      return [...new Set([...held.keys(), ...stored])].filter((key) => key.startsWith(start))
    },
    read(key) {
      try {
        return JSON.parse(held.get(key) ?? storage().getItem(key) ?? 'null') as unknown
      } catch {
        return null
      }
    },
    write(key, value) {
      const text = JSON.stringify(value)
      held.set(key, text)
      try {
        if (value === null) storage().removeItem(key)
        else storage().setItem(key, text)
        held.delete(key)
      } catch {
        // The value stays in memory.
      }
    },
  }
}

type Stored = Record<string, unknown>

function asString(raw: unknown): string {
  return typeof raw === 'string' ? raw : ''
}

function asSession(raw: unknown): KnownSession | null {
  const { id, key, epoch, seen } = Object(raw) as Stored
  const name = asString(id)
  return name === '' ? null : { id: name, key: asString(key), epoch: asString(epoch), seen: Number(seen) || 0 }
}

function asUnsent(raw: unknown): Unsent {
  const { draft, says } = Object(raw) as Stored
  const list: unknown[] = Array.isArray(says) ? says : []
  return { draft: asString(draft), says: list.map(asSay).filter(({ cid, text }) => cid && text) }
}

function asSay(raw: unknown): UnsentSay {
  const { cid, text, held, resume } = Object(raw) as Stored
  return { cid: asString(cid), text: asString(text), held: held === true, ...(resume === true && { resume }) }
}
