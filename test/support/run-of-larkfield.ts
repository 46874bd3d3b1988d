import type { PutContext } from './put-workflow.ts'

const MINUTE = 60_000
const SECOND = 1_000

/** Friday, 20 November 2026, 9:40 in UTC. */
export const BEGUN = Date.UTC(2026, 10, 20, 9, 40)
const LEARNER = 'lea_5kX0vJt2Qm'

/**
 * Returns the contexts of an invented run. It has three colleagues, a handover, an approval with a child context of its
 * own, and one conversation that the learner abandoned. There are 17 events in 70 minutes.
 */
export function runOfLarkfield(): readonly PutContext[] {
  const at = (minutes: number, seconds = 0) => BEGUN + minutes * MINUTE + seconds * SECOND
  const scenario = { scenario: 'launch-decision', version: 3, deadline: 'Thursday 9:00' }
  return [
    {
      id: 'ctx_run-larkfield',
      space: 'run',
      userId: LEARNER,
      participants: ['run', 'maya', 'priya', 'marcus', 'legal'],
      states: [
        {
          at: at(0),
          purpose: 'The launch decision: Larkfield goes live on Thursday at nine',
          description: 'You decide what is shipped. Nobody in the building holds the whole picture.',
          data: { ...scenario, decision: null },
        },
        { at: at(61, 12), data: { ...scenario, decision: { option: 'ship-with-nurse-line', confidence: 'high' } } },
        { at: at(70), status: 'completed' },
      ],
    },
    {
      id: 'ctx_talk-maya',
      parentId: 'ctx_run-larkfield',
      space: 'maya',
      userId: LEARNER,
      participants: ['maya', 'priya'],
      conversationId: 'c0ffee00c0ffee00c0ffee00c0ffee00',
      messageIds: ['m-1'],
      states: [
        { at: at(0, 4), purpose: 'Find out from Maya what the tests have shown', data: { objective: 'test-findings' } },
        { at: at(1, 31), data: { objective: 'test-findings', met: true } },
        {
          at: at(9, 2),
          data: { objective: 'test-findings', met: true, heard: ['answers made up: 3.1%'], mood: 'cooperative' },
        },
        {
          at: at(14, 40),
          data: {
            objective: 'test-findings',
            met: true,
            heard: ['answers made up: 3.1%', 'medical questions: 11.4%'],
            mood: 'trusting',
            document: 'Test report, run 41',
          },
          status: 'completed',
        },
      ],
    },
    {
      id: 'ctx_handover-priya',
      parentId: 'ctx_talk-maya',
      space: 'priya',
      userId: LEARNER,
      states: [
        {
          at: at(14, 40),
          purpose: 'Maya sends you on to Priya, who knows what the contract says',
          data: { why: 'The service level is in the contract, not in the tests.' },
        },
        { at: at(19, 5), status: 'completed' },
      ],
    },
    {
      id: 'ctx_talk-priya',
      parentId: 'ctx_run-larkfield',
      space: 'priya',
      userId: LEARNER,
      participants: ['priya', 'legal'],
      conversationId: 'c0ffee00c0ffee00c0ffee00c0ffee01',
      states: [
        { at: at(19, 5), purpose: 'Ask Priya what the contract allows', data: { objective: 'contract-terms' } },
        { at: at(24, 50), data: { objective: 'contract-terms', met: true, deadline: 'Thursday 12:00, with notice' } },
        {
          at: at(40, 15),
          status: 'completed',
          data: { objective: 'contract-terms', met: true, deadline: 'Thursday 12:00, with notice', mood: 'neutral' },
        },
      ],
    },
    {
      id: 'ctx_approve-notice',
      parentId: 'ctx_talk-priya',
      space: 'legal',
      states: [
        {
          at: at(26),
          status: 'blocked',
          purpose: 'Legal approves the notice to Larkfield',
          by: 'priya',
          data: { approved: null },
        },
        { at: at(31, 20), status: 'active', by: 'legal' },
        { at: at(36, 45), status: 'completed', by: 'legal', data: { approved: true, clause: '7.2' } },
      ],
    },
    {
      id: 'ctx_sign-notice',
      parentId: 'ctx_approve-notice',
      space: 'ops',
      states: [
        { at: at(26), status: 'blocked', purpose: 'The notice is signed and sent', by: 'priya' },
        { at: at(36, 45), status: 'active', by: 'legal' },
        { at: at(39, 30), status: 'completed', by: 'ops' },
      ],
    },
    {
      id: 'ctx_talk-marcus',
      parentId: 'ctx_run-larkfield',
      space: 'marcus',
      userId: LEARNER,
      conversationId: 'c0ffee00c0ffee00c0ffee00c0ffee02',
      states: [
        { at: at(44), purpose: 'Hear from Marcus what a late launch would cost', data: { objective: 'cost-of-delay' } },
        { at: at(52, 8), status: 'blocked', data: { objective: 'cost-of-delay', why: 'Marcus was called away' } },
        { at: at(58), status: 'cancelled', by: 'operator' },
      ],
    },
    {
      id: 'ctx_write-down',
      parentId: 'ctx_run-larkfield',
      space: 'run',
      userId: LEARNER,
      states: [
        {
          at: at(61, 12),
          purpose: 'What you take with you',
          data: { objectives: ['test-findings', 'contract-terms'] },
        },
      ],
    },
  ]
}
