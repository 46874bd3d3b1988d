import { jsonrepair } from 'jsonrepair'
import { describe, expect, it } from 'vitest'
import { echoesAnswer, type ActorInput } from '../../worker/core/reply/echoes.ts'
import { readReply } from '../../worker/core/reply/read-report.ts'
import { EMPTY_REPORT, type Report } from '../../worker/core/reply/report.ts'
import { HONEST_TALK } from '../support/honest-talk.ts'

/**
 * A report with a value in every field that is compared with the actor's input. Such a value makes the report an echo
 * (a copy of the input) if the input contains the value.
 */
const FULL: Report = {
  ...EMPTY_REPORT,
  emotional_state: 'cooperative',
  information_revealed: ['23.4% against a 2% bar'],
  objective_complete: 'size-the-risk',
  is_conversation_complete: true,
  hint_given: true,
  agreement_signal: 'agrees',
  engagement_score: 2,
  node_satisfied: true,
  detour_detected: true,
}

const ANSWERS: readonly (readonly [string, readonly string[]])[] = [
  ['{"action": null, "exit": 1}', ['action', 'exit']],
  ['{"action": 0, "exit": null}', ['action', 'exit']],
  ['{"behavior": "angry"}', ['behavior']],
  ['{"queries": ["salaries", "run 47"]}', ['queries']],
  ['{"reflection": "They see that 23.4% is far above the bar."}', ['reflection']],
]

describe('an honest report', () => {
  it.each(HONEST_TALK)('[reply-29] is not taken for an echo after: $learner', ({ learner, colleague }) => {
    expect(read({ theirs: [learner], ours: [colleague] })).toEqual({ report: FULL, quality: 'clean', issues: [] })
  })

  it('[reply-29] is not taken for an echo after all of that, in a conversation of any length and order', () => {
    const [learners, colleagues] = [
      HONEST_TALK.map(({ learner }) => learner),
      HONEST_TALK.map((each) => each.colleague),
    ]
    for (let turn = 0; turn < 120; turn += 1) {
      const from = turn % HONEST_TALK.length
      const turned = (texts: readonly string[]) => [...texts.slice(from), ...texts.slice(0, from)]
      const latest = { theirs: turned(learners).slice(0, 11), ours: turned(colleagues).slice(0, 10) }
      expect(read(latest).quality).toBe('clean')
    }
    expect(read({ theirs: learners, ours: colleagues }).quality).toBe('clean')
  })
})

describe('an honest answer to inner work', () => {
  it.each(ANSWERS)('[reply-29] is not taken for an echo after any such talk: %s', (answer, keys) => {
    const taken = HONEST_TALK.filter(({ learner, colleague }) =>
      echoesAnswer(answer, keys, { theirs: ['What does the run say?', learner], ours: [colleague] }),
    )
    expect(taken).toEqual([])
  })
})

function read(outside: ActorInput) {
  return readReply({ metadata: JSON.stringify(FULL), isDivided: true }, { repair: jsonrepair, outside })
}
