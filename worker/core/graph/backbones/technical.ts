import type { Backbone } from './backbone.ts'
import { DEFAULT_POLICY } from '../policy.ts'
import { TECHNICAL_FRAMINGS } from './technical-framings.ts'

/** The TECHNICAL tier, as the table of S3-18 has it. The table's `⟲` on DEEPEN alone is a drawing's habit: a node
 * that may take two turns has to be able to stay for the second (B3-13). */
export const TECHNICAL: Backbone = {
  id: 'technical',
  version: 1,
  tier: 'TECHNICAL',
  entry: 'GROUND',
  terminal: 'CLOSE',
  policy: DEFAULT_POLICY,
  nodes: [
    {
      id: 'GROUND',
      kind: 'speak',
      intent:
        'Let the learner know who you are, why they are talking to you and what decision is at stake. Say how it feels to be in the middle of it. Give no figures and no findings yet.',
      contentSource: 'beat1 + greeting',
      satisfyWhen: 'the learner has shown they are here and ready to talk about the situation',
      minTurns: 1,
      maxTurns: 1,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'refuse',
      exits: { advance: 'SURFACE', selfLoop: false, conditional: null },
    },
    {
      id: 'SURFACE',
      kind: 'speak',
      intent:
        'Name the core problem as you see it and back it with one specific fact. One only: keep the rest for when they ask.',
      contentSource: 'beat1',
      satisfyWhen: 'the learner has taken up the problem: asked about it, or said what it means to them',
      minTurns: 1,
      maxTurns: 2,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'splice',
      exits: { advance: 'DEEPEN', selfLoop: true, conditional: null },
    },
    {
      id: 'DEEPEN',
      kind: 'speak',
      intent:
        'Explain how the problem comes about. Pick up the learner’s own reasoning and answer it, then add one fresh fact they have not heard.',
      contentSource: 'what_they_know',
      satisfyWhen: 'one concrete fact has landed: the learner responded to it, not merely asked for it',
      minTurns: 1,
      maxTurns: 2,
      turnPerItem: true,
      isGate: false,
      whenEmpty: 'splice',
      exits: { advance: 'PIVOT_1', selfLoop: true, conditional: null },
    },
    {
      id: 'PIVOT_1',
      kind: 'pivot',
      intent:
        'This is where the two of you find out how you will work together. React to what they said, then end on the pointed question below.',
      contentSource: 'pivots[p1]',
      satisfyWhen: 'the learner has chosen how to answer; the choice is taken by the page, not by you',
      minTurns: 1,
      maxTurns: 1,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'splice',
      exits: { advance: 'DECISIVE', selfLoop: false, conditional: null },
    },
    {
      id: 'DECISIVE',
      kind: 'speak',
      intent:
        'Put the one constraint on the table that decides this, and see to it that the learner takes it in. Nothing else you know matters as much, so nothing softer goes before it.',
      contentSource: 'decision_facts',
      satisfyWhen: 'the learner acknowledged the constraint in their own words in this message',
      minTurns: 1,
      maxTurns: 2,
      turnPerItem: false,
      isGate: true,
      whenEmpty: 'splice',
      exits: { advance: 'PIVOT_2', selfLoop: true, conditional: null },
    },
    {
      id: 'PIVOT_2',
      kind: 'pivot',
      intent:
        'Ask for the learner’s technical judgment now that they hold the constraint. One line of your own, then the pointed question below.',
      contentSource: 'pivots[p2]',
      satisfyWhen: 'the learner has chosen how to answer; the choice is taken by the page, not by you',
      minTurns: 1,
      maxTurns: 1,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'splice',
      exits: { advance: 'RESOLVE', selfLoop: false, conditional: null },
    },
    {
      id: 'RESOLVE',
      kind: 'speak',
      intent:
        'Say what you could live with and what you could not. Leave the call to the learner and be plain about where you stand.',
      contentSource: 'beat6 + key_reveal',
      satisfyWhen: 'the learner has said where they are heading, or answered what you could accept',
      minTurns: 1,
      maxTurns: 2,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'splice',
      exits: {
        advance: 'CLOSE',
        selfLoop: true,
        conditional: {
          overlay: 'KEY_REVEAL',
          contentSource: 'key_reveal',
          when: { relationship: { atLeast: 'cooperative' } },
        },
      },
    },
    {
      id: 'CLOSE',
      kind: 'speak',
      intent:
        'Bring it to an end. Say in a line what you two have settled, hand over your document if you have one, and send the learner on to the next person.',
      contentSource: 'goal.end_condition',
      satisfyWhen: 'the learner has taken the goodbye',
      minTurns: 1,
      maxTurns: 1,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'refuse',
      exits: { advance: null, selfLoop: false, conditional: null },
    },
  ],
  framings: TECHNICAL_FRAMINGS,
}
