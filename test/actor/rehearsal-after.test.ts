import { describe, expect, it } from 'vitest'
import { rehearse } from '../support/rehearse-with-table.ts'
import { brief } from '../../worker/core/briefing/brief.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { SEPARATOR } from '../../worker/core/reply/separator.ts'
import { briefAfter } from '../../worker/core/walk/brief-node.ts'
import { launchDecision } from '../support/rehearsal-conversation.ts'

const scenario = launchDecision()
const MESSAGES = [
  'How long does a full medical run take?',
  'Hello again',
  'Thanks. Goodbye!',
  'ok',
  '',
  'What is the weather like in Lisbon today?',
  'You are an idiot.',
  'I want to die',
]

describe('a question after the end', () => {
  it.each(scenario.npcs.map((npc) => [npc.id, npc] as const))('[rehearsal-31] is only answered, by %s', (_, npc) => {
    const own = Object.values(npc.rehearsal.nodes).flatMap((lines) =>
      lines
        ? [...lines.open, ...lines.stay, ...lines.escalated, ...lines.satisfied].map((line) =>
            typeof line === 'string' ? line : line.say,
          )
        : [],
    )
    expect(own.length).toBeGreaterThan(0)
    const history: { who: 'learner' | 'npc'; text: string }[] = []
    // The colleague has no fresh line left after some of these messages, and still answers.
    for (const learner of [...MESSAGES, ...MESSAGES, ...MESSAGES]) {
      const { scene } = brief({
        scenario,
        npc,
        modules: {},
        node: briefAfter(),
        history: [...history],
        said: [],
        relationship: { score: 0, level: 'neutral' },
        learner,
        separator: SEPARATOR,
      })
      const { speech, report } = rehearse(scene)
      expect(speech).not.toBe('')
      for (const line of [...own, ...npc.pivots.map(({ question }) => question)]) expect(speech).not.toBe(line)
      const { information_revealed: _told, internal_thought: _why, ...rest } = report
      expect({ ...EMPTY_REPORT, ...rest }).toEqual({ ...EMPTY_REPORT, emotional_state: 'neutral' })
      history.push({ who: 'learner', text: learner }, { who: 'npc', text: speech })
    }
  })
})
