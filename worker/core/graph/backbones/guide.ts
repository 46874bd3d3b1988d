import { DEFAULT_POLICY } from '../policy.ts'
import type { Framing, Backbone } from './backbone.ts'

/**
 * Two more wordings of the guide's intents: in one the guide is in a hurry, in the other the guide starts from the
 * final decision.
 */
const GUIDE_FRAMINGS: readonly Framing[] = [
  {
    id: 'on-the-move',
    intents: {
      WELCOME:
        'Greet them while the two of you are already walking. Who you are, and that they are the one it has been waiting for. The rest follows in a minute.',
      SITUATION:
        'Give them what is going on in two breaths, as one does between two doors. No findings and no figures, only what they need in order to ask.',
      OPTIONS:
        'Count the options off on your fingers, one short clause each, and say what you will need to hear in the end. You have no favourite.',
      PEOPLE:
        'Name the people as you would point out doors along a corridor, and say what is behind each. Questions for one of them wait until they get there.',
      CLOSE:
        'You part here. Tell them which door is first and where you can be found when they come out of the last one.',
    },
  },
  {
    id: 'from-the-end',
    intents: {
      WELCOME:
        'Greet them and say at once how this ends: with a decision of theirs. Who you are takes half a sentence.',
      SITUATION:
        'Explain why there is a decision at all: what is going on here, and what happens if nobody makes one. In outline, and without a finding that is somebody else’s to tell.',
      OPTIONS:
        'Say what they can choose between, and what a good answer has to come with. Whether one is better is not for you to say.',
      PEOPLE:
        'Work back from the decision: for each thing they will need to know, the person who knows it. What those would say, you leave to them.',
      CLOSE:
        'They know the end and the way there. Name the first step, the person and the place, and let them take it.',
    },
  },
]

/**
 * The guide's backbone, for every tier. The guide welcomes the learner, explains the situation and the decision, names
 * the colleagues and what each of them knows, and sends the learner on. The guide tests nothing: the learner only has
 * to be ready to go on.
 */
export const GUIDE: Backbone = {
  id: 'guide',
  version: 1,
  tier: null,
  entry: 'WELCOME',
  terminal: 'CLOSE',
  policy: DEFAULT_POLICY,
  nodes: [
    {
      id: 'WELCOME',
      kind: 'speak',
      intent:
        'Make the learner welcome: who you are, that they are expected, and that it is they who will decide. Leave what is going on for your next turn.',
      contentSource: 'greeting',
      satisfyWhen: 'the learner is here and has said something',
      minTurns: 1,
      maxTurns: 1,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'refuse',
      exits: { advance: 'SITUATION', selfLoop: false, conditional: null },
    },
    {
      id: 'SITUATION',
      kind: 'speak',
      intent:
        'Tell them where they are and what is going on, the way you would on the stairs. The outline only: the findings and the figures belong to the colleagues.',
      contentSource: 'scenario.situation + beat1',
      satisfyWhen: 'the learner is ready to go on: asked about it, said so, or just did not object',
      minTurns: 1,
      maxTurns: 2,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'splice',
      exits: { advance: 'OPTIONS', selfLoop: true, conditional: null },
    },
    {
      id: 'OPTIONS',
      kind: 'speak',
      intent:
        'Put the decision to them, each of the options in plain words, and what you will want from them at the end. Favour none of the options, asked or not.',
      contentSource: 'scenario.decision + beat6',
      satisfyWhen: 'the learner has understood that they decide and between what, or asks on',
      minTurns: 1,
      maxTurns: 2,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'splice',
      exits: { advance: 'PEOPLE', selfLoop: true, conditional: null },
    },
    {
      id: 'PEOPLE',
      kind: 'speak',
      intent:
        'Tell them who there is to talk to and what each of those can answer for. A question that is one of theirs you hand on by name. Do not answer it for them.',
      contentSource: 'scenario.people + what_they_know',
      satisfyWhen: 'the learner knows whom they can ask what, or is ready to go and ask',
      minTurns: 1,
      maxTurns: 2,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'splice',
      exits: { advance: 'CLOSE', selfLoop: true, conditional: null },
    },
    {
      id: 'CLOSE',
      kind: 'speak',
      intent:
        'Send them off: whom to see first, where to find that person, and that you will be here afterwards. Keep it short.',
      contentSource: 'goal.end_condition',
      satisfyWhen: 'the learner knows where to go first',
      minTurns: 1,
      maxTurns: 1,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'refuse',
      exits: { advance: null, selfLoop: false, conditional: null },
    },
  ],
  framings: GUIDE_FRAMINGS,
}
