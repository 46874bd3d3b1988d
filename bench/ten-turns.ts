import rows from '../test/fixtures/ten-turns.json' with { type: 'json' }
import { EMPTY_REPORT } from '../worker/core/reply/report.ts'
import type { WalkEvent } from '../worker/core/walk/event.ts'

/**
 * The events of the ten turns in the fixture, a conversation worked out by hand, with the learner's choices: 22 events.
 */
export const TEN_TURNS: readonly WalkEvent[] = rows.flatMap((row): readonly WalkEvent[] => {
  const turn = { turnId: `t${row.turn}`, seq: row.turn }
  const report = { ...EMPTY_REPORT, node_satisfied: row.satisfied, detour_detected: row.detour }
  const exchange: readonly WalkEvent[] = [
    { type: 'learner', ...turn },
    { type: 'report', ...turn, report, quality: 'clean' },
  ]
  return row.choose ? [...exchange, { type: 'pivot-choice', node: row.node, choice: row.choose.choice }] : exchange
})
