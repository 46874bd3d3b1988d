import { withGained } from '../../../worker/core/run/gained.ts'
import { chainEventsOf } from '../../../worker/session/chain-events.ts'
import { applyEvents } from '../../../worker/chain/runs/apply-events.ts'
import type { Scope } from '../../../worker/chain/scope.ts'
import type { SessionEvent } from '../../../worker/chain/session-events.ts'
import type { Objects } from '../../../worker/http/game/begin-again.ts'
import { type CopyOpening, happenedIn } from '../../../worker/session/begin-as.ts'
import type { ConversationCopy, CopyResult, CopyMoment } from '../../../worker/session/conversation-copy.ts'
import type { NewEvent } from '../../../worker/wire/messages.ts'
import { LAUNCH } from './plays.ts'

/** A turn or the choice of a card: the time at which it ended, and its events. */
export interface End {
  readonly at: number
  readonly events: readonly NewEvent[]
}

/** A conversation: its colleague, its beginning, and its turns. */
export interface Talk {
  readonly npc: string
  readonly createdAt: number
  readonly ends: readonly End[]
}

/**
 * Conversations as plain lists, in place of conversation objects. Tests use these lists to check the effect of a copy
 * on the chain. Tests of the session store check that an object copies its conversation correctly.
 */
export class ToldTalks implements Objects {
  readonly begun = new Map<string, { readonly copy: ConversationCopy; readonly opening: CopyOpening }>()
  /** Conversations whose log an older version wrote. */
  readonly old = new Set<string>()
  readonly #talks = new Map<string, Talk>()
  readonly #scope: Scope
  #names = 0

  constructor(scope: Scope) {
    this.#scope = scope
  }

  tell(session: string, talk: Talk): void {
    this.#talks.set(session, talk)
  }

  forget(session: string): void {
    this.#talks.delete(session)
  }

  newSession(): string {
    this.#names += 1
    return `a${this.#names.toString(16).padStart(63, '0')}`
  }

  copyUntil(session: string, moment: CopyMoment): Promise<CopyResult> {
    if (this.old.has(session)) return Promise.resolve('not-kept')
    const talk = this.#talks.get(session)
    return Promise.resolve(talk === undefined ? null : copyOf(talk, moment))
  }

  beginAs(session: string, copy: ConversationCopy, opening: CopyOpening): Promise<void> {
    if (!this.begun.has(session)) this.begun.set(session, { copy, opening })
    return Promise.resolve()
  }

  /** These conversations store their scenarios themselves. */
  scenario(): Promise<null> {
    return Promise.resolve(null)
  }

  async flush(session: string): Promise<void> {
    const begun = this.begun.get(session)
    if (begun) await applyEvents(this.#scope, session, 1, broughtBy(begun.copy))
  }
}

/** Returns the events that the chain gets from a copied conversation. */
export function broughtBy(copy: ConversationCopy): readonly SessionEvent[] {
  return happenedIn(copy).flatMap((happened, place) => {
    const events = chainEventsOf(happened, happened.at)
    return place === 0 ? [{ type: 'met', at: happened.at } as const, ...events] : events
  })
}

/** Returns a conversation as it was at a moment, or null if the conversation had not begun. */
export function copyOf({ npc, createdAt, ends }: Talk, moment: CopyMoment): ConversationCopy | null {
  const numbered = numberedEnds(npc, ends)
  const cut = numbered.filter(({ at, seq, end }) => {
    if ('at' in moment) return at <= moment.at
    if ('seq' in moment) return seq <= moment.seq
    const asked = numbered.find((each) => 'pivot' in moment && asks(each.end, moment.pivot))
    return asked !== undefined && numbered.findIndex((each) => each.end === end) <= numbered.indexOf(asked)
  })
  const last = cut.at(-1)
  if ('at' in moment && createdAt > moment.at) return null
  if ('pivot' in moment && last === undefined) return null
  return {
    seq: last?.seq ?? 0,
    at: last?.at ?? createdAt,
    info: JSON.stringify({ scenario: LAUNCH, npc, graph: { ir: 2 }, createdAt }),
    walk: last ? '{}' : null,
    events: cut.flatMap(({ events }) => events),
    turns: [],
    records: [],
    earlier: [],
  }
}

function numberedEnds(npc: string, ends: readonly End[]) {
  let seq = 0
  let log: readonly NewEvent[] = []
  return ends.map((end) => {
    const written = withGained(LAUNCH, npc, log, end.events)
    log = [...log, ...written]
    const events = written.map((event, place) => {
      seq += 1
      return { seq, at: end.at, body: JSON.stringify(event), walk: place === end.events.length - 1 ? '{}' : null }
    })
    return { end, at: end.at, seq, events }
  })
}

function asks({ events }: End, pivot: string): boolean {
  return events.some(
    (event) => event.type === 'command' && event.command.name === 'AI_PivotMoment' && event.command.pivot === pivot,
  )
}
