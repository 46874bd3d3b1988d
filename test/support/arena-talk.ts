import type { ArenaEnd, ArenaExchange, ArenaTalk } from '../../scripts/arena/play-talk.ts'
import { measure } from '../../scripts/arena/measure.ts'
import type { ArenaRow } from '../../scripts/arena/run-arena.ts'
import type { Npc } from '../../worker/core/scenario/scenario.ts'

/** A hand-written exchange: the learner's message, the colleague's reply, and fields that replace the default ones. */
export type WrittenExchange = readonly [learner: string, reply: string | null, rest?: Partial<ArenaExchange>]

/** Returns a conversation in the form in which the arena (`scripts/arena`) records the conversations that it plays. */
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

/** Returns the row that the arena would write about a conversation; `rest` replaces fields of the row. */
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
