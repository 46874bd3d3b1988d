import type { HeardNow, SessionEvent } from '../chain/session-events.ts'
import { factsIn } from '../core/run/facts-in.ts'
import type { Fact } from '../core/scenario/scenario.ts'
import type { RelationshipLevel } from '../wire/messages.ts'
import type { SessionInfo } from './session-info.ts'
import type { NewEvent } from './session-store.ts'

/** What is listened for in a conversation: the facts of its colleague, and of nobody else. */
export type Ear = readonly Fact[]

/** What of a conversation the chain was told, as far as what is to be told next depends on it. */
export interface Told {
  /** Ids of facts. */
  readonly heard: readonly string[]
  readonly level: RelationshipLevel
}

/** Nothing yet: whoever reads a run takes a colleague for neutral until told otherwise. */
export const NOTHING_TOLD: Told = { heard: [], level: 'neutral' }

/** Null where nothing is listened for: the scenario is no simulation. */
export function earOf({ scenario, npc }: Pick<SessionInfo, 'scenario' | 'npc'>): Ear | null {
  return scenario.simulation?.facts.filter((fact) => fact.npc === npc) ?? null
}

/** What of the end of a turn, or of a choice, was heard and felt that the chain was not told before. */
export function heardIn(events: readonly NewEvent[], ear: Ear, told: Told, at: number): readonly SessionEvent[] {
  const heard = new Set(told.heard)
  const facts = events
    .flatMap((event) => tellingsIn(event))
    .flatMap(({ text, turn }) => {
      const fresh = factsIn(
        ear.filter(({ id }) => !heard.has(id)),
        text,
      )
      for (const { fact } of fresh) heard.add(fact)
      return fresh.map((each): HeardNow => ({ ...each, turn }))
    })
  const level = levelAfter(events) ?? told.level
  return [
    ...(facts.length > 0 ? [{ type: 'heard', facts, at } as const] : []),
    ...(level === told.level ? [] : [{ type: 'level', level, at } as const]),
  ]
}

/** What the chain was told once it was told this too. */
export function toldWith(told: Told, events: readonly SessionEvent[]): Told {
  return events.reduce<Told>((before, event) => {
    if (event.type === 'heard') return { ...before, heard: [...before.heard, ...event.facts.map(({ fact }) => fact)] }
    return event.type === 'level' ? { ...before, level: event.level } : before
  }, told)
}

/** The colleague's words in an event, in pieces that were said in one go; a line of a document is one. */
function tellingsIn(event: NewEvent): readonly { readonly text: string; readonly turn: number | null }[] {
  switch (event.type) {
    case 'turn':
      // Of a turn that failed a line is shown that stands for no answer; of one that was cut, what was heard of it.
      return event.outcome === 'failed' ? [] : [{ text: event.text, turn: event.turn }]
    case 'pivot-end':
      return event.choice === null ? [] : [{ text: event.choice.reaction, turn: event.turn }]
    case 'command': {
      const { command } = event
      const lines = command.name === 'AI_EndConversation' ? (command.document?.lines ?? []) : []
      return lines.map((text) => ({ text, turn: null }))
    }
    case 'turn-start':
      return []
  }
}

function levelAfter(events: readonly NewEvent[]): RelationshipLevel | undefined {
  return events.flatMap((event) => ('level' in event ? [event.level] : [])).at(-1)
}
