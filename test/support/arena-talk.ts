import type { ArenaEnd, ArenaExchange, ArenaTalk } from '../../scripts/arena/play-talk.ts'
import { measure } from '../../scripts/arena/measure.ts'
import type { ArenaRow } from '../../scripts/arena/run-arena.ts'
import type { Npc } from '../../worker/core/scenario/scenario.ts'

/** A hand-written exchange: what the learner says, what the colleague replies, and what differs from a plain turn. */
export type WrittenExchange = readonly [learner: string, reply: string | null, rest?: Partial<ArenaExchange>]

/** Returns a conversation as the arena would have played it. */
export function arenaTalk(exchanges: readonly WrittenExchange[], end: ArenaEnd = 'earned'): ArenaTalk {
  return {
    opening: 'Hello, sit down.',
    end,
    tokens: { input: 10, output: 5, isEstimate: false },
    exchanges: exchanges.map(([learner, reply, rest]) => ({
      learner,
      isCard: false,
      reply,
      node: 'TALK',
      to: 'TALK',
      reason: 'dwell',
      isGate: false,
      quality: reply === null ? null : 'clean',
      puts: null,
      answers: null,
      ...rest,
    })),
  }
}

/** Returns a row of the arena around a conversation. */
export function arenaRow(talk: ArenaTalk, npc: Npc, rest: Partial<ArenaRow> = {}): ArenaRow {
  return {
    scenario: 'launch-decision',
    npc: npc.id,
    persona: 'cooperative',
    side: 'graph',
    run: 1,
    talk,
    measures: measure(talk, npc),
    thrownAway: [],
    fault: null,
    ...rest,
  }
}
