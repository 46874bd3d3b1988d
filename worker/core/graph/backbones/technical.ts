import { DEFAULT_POLICY } from '../policy.ts'
import type { Framing, Backbone } from './backbone.ts'

/**
 * Two more wordings of the TECHNICAL tier's intents: one begins with the consequence, the other shows before it
 * explains.
 */
const TECHNICAL_FRAMINGS: readonly Framing[] = [
  {
    id: 'consequence-first',
    intents: {
      GROUND:
        'Say who you are and what will be different for you after this decision, whichever way it goes. Tell them what the decision is. No figures and no findings.',
      SURFACE:
        'Start with who gets hurt by the problem, or what breaks, and give the one specific fact that made you see it. Stop there.',
      DEEPEN:
        'Follow the damage back to where it comes from. Meet what the learner has just said, agree or not, and give one fact more that they do not have yet.',
      PIVOT_1:
        'How open you are from here depends on them. Answer what they said in a line and finish with the pointed question below.',
      DECISIVE:
        'Say the one thing that will be held against everyone here if it is overlooked, and make sure it has reached them. It comes first and it comes alone.',
      PIVOT_2:
        'They hold the constraint; now it is a matter of what they would answer for. A line that says so, and then the pointed question below.',
      RESOLVE:
        'Tell them which outcomes you could look anybody in the eye over and which you could not. They make the call and you have said your piece.',
      CLOSE:
        'Finish with what follows from this talk: what is settled between you, your document in their hands if you have one, the next person and why.',
    },
  },
  {
    id: 'show-then-tell',
    intents: {
      GROUND:
        'Take them in as you would a visitor at your desk: who you are, what you were doing just now, why they were sent and what is to be decided. Findings and figures stay in the drawer.',
      SURFACE:
        'Show them the problem the way you met it yourself, with the one specific thing you saw. Let them draw the conclusion.',
      DEEPEN:
        'Show how it works inside. Say which part of the learner’s reasoning fits what you have seen and which does not, and lay one new fact beside it.',
      PIVOT_1:
        'Stop showing for a moment and find out who is looking. React to what they said, and leave them with the pointed question below.',
      DECISIVE:
        'Put the page with the one deciding constraint on the desk and do not turn it over until they have read it back to you. Everything gentler can wait.',
      PIVOT_2: 'They have seen what you have seen. One line to hand them the pen, then the pointed question below.',
      RESOLVE:
        'Sketch the version you could live with and cross out the one you could not. Then put the pencil down: the drawing is theirs to finish.',
      CLOSE:
        'Clear the desk. A line on what you have both seen, your document to take along if you have one, and the name of whoever can show them the next part.',
    },
  },
]

/**
 * The TECHNICAL tier. Every node with a `maxTurns` of 2 has a self-loop, so that the conversation may stay there for a
 * second turn.
 */
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
