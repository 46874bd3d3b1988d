import { ACADEMIC_FRAMINGS } from './academic-framings.ts'
import type { Backbone } from './backbone.ts'
import { DEFAULT_POLICY } from '../policy.ts'

/**
 * The ACADEMIC tier (S3-19): questions and answers, with nothing to win or to lose. No fork, no gate and no reveal; the
 * deciding fact is one of the things there are to learn. What ends it is that the learner says what they take away.
 */
export const ACADEMIC: Backbone = {
  id: 'academic',
  version: 1,
  tier: 'ACADEMIC',
  entry: 'GROUND',
  terminal: 'CLOSE',
  policy: DEFAULT_POLICY,
  nodes: [
    {
      id: 'GROUND',
      kind: 'speak',
      intent:
        'Say who you are and what you can answer for, and what the subject is. Invite the first question. Explain nothing yet.',
      contentSource: 'beat1 + greeting',
      satisfyWhen: 'the learner has turned to the subject, with a question or with something they already think',
      minTurns: 1,
      maxTurns: 1,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'refuse',
      exits: { advance: 'ASK', selfLoop: false, conditional: null },
    },
    {
      id: 'ASK',
      kind: 'speak',
      intent:
        'Answer what was asked, to the point and from what you know. If nothing was asked, bring up the next thing worth knowing, the first one below before any other. What they have got wrong you put right, without fuss.',
      contentSource: 'decision_facts + what_they_know',
      satisfyWhen:
        'the learner has said in their own words what they take from it, or that they have nothing more to ask',
      // What somebody takes from an answer can only be heard after one.
      minTurns: 2,
      maxTurns: 4,
      turnPerItem: true,
      isGate: false,
      whenEmpty: 'splice',
      exits: { advance: 'CLOSE', selfLoop: true, conditional: null },
    },
    {
      id: 'CLOSE',
      kind: 'speak',
      intent:
        'Draw the line under it. Say in a sentence what is worth keeping, name what they should read if you have it to give, and who can tell them the next part.',
      contentSource: 'goal.end_condition',
      satisfyWhen: 'the learner has heard where the subject stands and where to go on',
      minTurns: 1,
      maxTurns: 1,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'refuse',
      exits: { advance: null, selfLoop: false, conditional: null },
    },
  ],
  framings: ACADEMIC_FRAMINGS,
}
