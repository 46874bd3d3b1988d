import { DEFAULT_POLICY } from '../policy.ts'
import type { Framing, Backbone } from './backbone.ts'

/** Two more wordings of the ACADEMIC tier's intents: one explains by cases, the other by the colleague's document. */
const ACADEMIC_FRAMINGS: readonly Framing[] = [
  {
    id: 'by-example',
    intents: {
      GROUND:
        'Introduce yourself by the sort of case you deal with, in a sentence, and ask which side of it they would like to look at. Keep what you know about it for their questions.',
      ASK: 'Answer the question first, then hang the answer on one concrete case from what you know. Asked nothing, take the first item below and show what it looks like when it happens. A wrong idea you meet with the case that contradicts it.',
      CLOSE:
        'Leave them with the one case they should remember and what it shows. Hand over what there is to read, and say who knows the case from the other side.',
    },
  },
  {
    id: 'from-the-page',
    intents: {
      GROUND:
        'Say who you are and what your page is about, and that they may stop you anywhere. Do not read from it yet.',
      ASK: 'Treat every question as one about your page: give the line that answers it and say what it means in ordinary words. Asked nothing, go to the first item below. Where they have misread something, point to the line.',
      CLOSE:
        'Close the page. Name the line they should be able to repeat tomorrow, give them the page if there is one, and tell them whose page comes after it.',
    },
  },
]

/**
 * The ACADEMIC tier: questions and answers, with nothing to win or lose. This tier has no fork, no gate and no overlay.
 * The deciding fact is one of the facts to learn, without a node of its own. The conversation ends when the learner
 * says what they take away.
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
      // A learner can only say what they take from an answer after they have heard an answer.
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
