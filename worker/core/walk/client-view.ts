import type { InteractionLog } from './interaction-log.ts'
import { isMessage } from './log-entry.ts'

/** A message as the client may have it. */
export interface ClientLine {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly who: 'learner' | 'npc'
  readonly text: string
}

/**
 * What a client sees of a conversation: the messages of both, in order, and nothing else (S0-27). Fields are named
 * one by one, so that whatever a log gains later stays hidden.
 */
export function clientView({ past, current }: InteractionLog): readonly ClientLine[] {
  return [...past, current]
    .flatMap(({ entries }) => entries.filter(isMessage))
    .map(({ at, who, text }) => ({ at, who, text }))
}
