import type { RelationshipLevel } from '../../wire/messages.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'
import type { Briefing, Line, NodeBrief } from './briefing.ts'
import { playerMood } from './player-mood.ts'
import { systemPrompt } from './system-prompt.ts'
import { userPrompt } from './user-prompt.ts'

/** At most this many lines of history and points already made go into a briefing (S4-11). */
const HISTORY_LINES = 20
const SAID_POINTS = 16

/** Puts together what an actor is told this turn. Pure: the same arguments give the same bytes. */
export function brief(told: {
  scenario: Scenario
  npc: Npc
  node: NodeBrief
  history: readonly Line[]
  said: readonly string[]
  relationship: { score: number; level: RelationshipLevel }
  learner: string
  separator: string
}): Briefing {
  const { separator, ...rest } = told
  const scene = {
    ...rest,
    history: told.history.slice(-HISTORY_LINES),
    said: [...new Set(told.said)].slice(-SAID_POINTS),
    mood: playerMood(told.learner),
  }
  return { system: systemPrompt(told.scenario, told.npc, separator), user: userPrompt(scene), scene }
}
