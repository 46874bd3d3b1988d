import * as fc from 'fast-check'
import type { Deed } from './stored-play.ts'

const speech = fc.constantFrom('Hm.', 'It is 23.4% of them.', 'That was n = 180, and no more.', 'Ask Marcus.')
const satisfied = fc.constantFrom(true, true, true, false)
const answer = fc.constantFrom(
  '{"exit": 0}',
  '{"action": 0}',
  '{"exit": 1}',
  '{"queries": ["figures"]}',
  '{"reflection": "So."}',
  '{"behavior": "in_distress"}',
  '{"behavior": "none"}',
  'hm',
)
const say: fc.Arbitrary<Deed> = fc.record({
  type: fc.constant('say' as const),
  speech,
  satisfied,
  engagement: fc.integer({ min: -2, max: 2 }),
  answers: fc.array(answer, { maxLength: 4 }),
})
const choose: fc.Arbitrary<Deed> = fc.record({ type: fc.constant('choose' as const), card: fc.nat(3) })
const fail: fc.Arbitrary<Deed> = fc.constant({ type: 'fail' as const })
const retry: fc.Arbitrary<Deed> = fc.record({ type: fc.constant('retry' as const), speech, satisfied })
const cut: fc.Arbitrary<Deed> = fc.record({
  type: fc.constant('cut' as const),
  shown: fc.constantFrom('', 'It is 23.4%'),
})
const wait: fc.Arbitrary<Deed> = fc.record({
  type: fc.constant('wait' as const),
  ms: fc.constantFrom(60_000, 90_000_000),
})
const leave: fc.Arbitrary<Deed> = fc.constant({ type: 'leave' as const })
const back: fc.Arbitrary<Deed> = fc.record({ type: fc.constant('back' as const), speech, satisfied })
const some = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(say) },
  { weight: 3, arbitrary: fc.tuple(say, choose) },
  { weight: 1, arbitrary: fc.tuple(fail) },
  { weight: 1, arbitrary: fc.tuple(fail, retry) },
  { weight: 1, arbitrary: fc.tuple(fail, fail, retry) },
  { weight: 1, arbitrary: fc.tuple(cut) },
  { weight: 1, arbitrary: fc.tuple(wait) },
  { weight: 1, arbitrary: fc.tuple(leave, back) },
  { weight: 1, arbitrary: fc.tuple(leave, fail, back) },
)

/**
 * Generates what a learner does in a whole conversation: mostly messages and picked cards. Sometimes a reply fails, or
 * the learner stops a reply.
 */
export const anyDeeds: fc.Arbitrary<readonly Deed[]> = fc
  .array(some, { minLength: 6, maxLength: 24, size: 'max' })
  .map((parts) => parts.flat())
