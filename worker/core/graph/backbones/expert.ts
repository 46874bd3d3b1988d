import { DEFAULT_POLICY } from '../policy.ts'
import type { Framing, Backbone } from './backbone.ts'

/** Two more wordings of the EXPERT tier's intents: one reviews a failure, the other a design. */
const EXPERT_FRAMINGS: readonly Framing[] = [
  {
    id: 'post-mortem',
    intents: {
      GROUND:
        'Speak as if you two were going over something that has gone wrong already. Say who you are, what you were responsible for and what has to be settled now. No causes and no figures yet.',
      SURFACE:
        'Give the symptom the way it first showed, with one observation, and say that you know now what it was. Do not say what.',
      DEEPEN:
        'Trace it back one step at a time: what happened before that, and why it could. Start from their latest guess, tell them how far it is right, and give the one fact that leads to the step before.',
      PIVOT_1:
        'There is a choice in how such things get talked about. Say where you two have got to, then end on the pointed question below.',
      CHALLENGE:
        'Play the reviewer who was not there. Put the objection below to the explanation they seem to hold, and let them answer for it. If they only assert, ask how they know.',
      CONFIDE:
        'The formal part is over for a minute. Tell them what you would leave out of the written account and still lie awake over. One thing, and no moral.',
      DECISIVE:
        'Name the line that was crossed, with its figures and nothing around them. Whatever else went wrong could be argued about. This can not, and they should see why.',
      PIVOT_2:
        'Every such account ends on a name. One line on what the constraint means for whoever signs, then the pointed question below.',
      RESOLVE:
        'Say what would have to be different for you to let it run again, and what you could not let pass. Be concrete about the conditions and leave the verdict to them.',
      CLOSE:
        'Wrap up the account: the finding, what stays open and with whom, your document if you have one, and who was on the other side of it.',
    },
  },
  {
    id: 'design-review',
    intents: {
      GROUND:
        'Welcome them as you would a reviewer: who you are, what is on the table, what has to come out of it. Say honestly what you would rather not be asked. No numbers yet.',
      SURFACE:
        'Point at the part of the whole that you would look at first if it were not yours, and give one observation that says why.',
      DEEPEN:
        'Walk them through how it works, one mechanism deeper with each turn. Use their last remark as the way in, say what it overlooks if it does, and give one fact they could check.',
      PIVOT_1:
        'Before you show the inside, settle what sort of review this is. A line on where they have pushed so far, then the pointed question below.',
      CHALLENGE:
        'Turn the review round. Their reasoning is on the table now: put the objection below to it and wait. An opinion is not an answer, a reason is, and so is a point withdrawn with a reason.',
      CONFIDE:
        'A reviewer who has earned it gets to hear about the corner you cut or the thing you fear. Tell one, as it is, and do not dress it up.',
      DECISIVE:
        'Lay down the requirement the design can’t get around: its figures, what it asks for, where things stand. Ask for nothing but that they take it in.',
      PIVOT_2:
        'A review ends with a yes or a no from somebody. Say in a line what the requirement leaves open, then the pointed question below.',
      RESOLVE:
        'Say which version you would approve and which you would send back, with the condition that separates them. Answer what they propose. It remains their call.',
      CLOSE:
        'Read out what goes into the minutes: what was agreed, what is open and who has it, your document if you have one, and whom they review with next.',
    },
  },
]

/**
 * The EXPERT tier: the TECHNICAL tier with more depth. The colleague explains the mechanism in more layers, and tests
 * the learner's reasoning before the deciding fact. If the relationship is at least cooperative after that test, the
 * colleague also confides a concern.
 */
export const EXPERT: Backbone = {
  id: 'expert',
  version: 1,
  tier: 'EXPERT',
  entry: 'GROUND',
  terminal: 'CLOSE',
  policy: DEFAULT_POLICY,
  nodes: [
    {
      id: 'GROUND',
      kind: 'speak',
      intent:
        'Open as one specialist to another: who you are, what you look after, what has to be decided, and how little sleep it leaves you. No findings and no figures before they have sat down.',
      contentSource: 'beat1 + greeting',
      satisfyWhen: 'the learner has shown that they want to get into it',
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
        'State the problem as you would to a peer: precisely, with the one observation that made you take it seriously. Leave its cause for later.',
      contentSource: 'beat1',
      satisfyWhen: 'the learner has taken hold of the problem: asked what is behind it, or said what they make of it',
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
        'Take the mechanism apart one layer at a time. Begin where the learner’s last thought stopped, say what lies under it, and add a single fact of the next layer down. Assume they can follow; correct them where they have it wrong.',
      contentSource: 'what_they_know + depth',
      satisfyWhen:
        'the learner has reasoned from the mechanism: named a cause, or drawn a consequence from a fact you gave them',
      // A learner can only reason from a fact after they heard it.
      minTurns: 2,
      maxTurns: 4,
      turnPerItem: true,
      isGate: false,
      whenEmpty: 'splice',
      exits: { advance: 'PIVOT_1', selfLoop: true, conditional: null },
    },
    {
      id: 'PIVOT_1',
      kind: 'pivot',
      intent:
        'Find out whom you are dealing with. Say in a line where their reasoning has brought the two of you, then end on the pointed question below.',
      contentSource: 'pivots[p1]',
      satisfyWhen: 'the learner has picked their answer on the page; nothing they write counts as one',
      minTurns: 1,
      maxTurns: 1,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'splice',
      exits: { advance: 'CHALLENGE', selfLoop: false, conditional: null },
    },
    {
      id: 'CHALLENGE',
      kind: 'speak',
      intent:
        'Test their reasoning. Take the strongest thing they have said, put the objection below to it, and ask them to defend it or to drop it. Be fair and do not help. If the answer has no reason in it, ask for the reason.',
      contentSource: 'challenges',
      satisfyWhen: 'the learner has answered the objection with a reason, or given up their point and said why',
      // The colleague objects in the first exchange, so the learner answers in the second at the earliest.
      minTurns: 2,
      maxTurns: 3,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'splice',
      exits: {
        advance: 'DECISIVE',
        selfLoop: true,
        conditional: { to: 'CONFIDE', when: { relationship: { atLeast: 'cooperative' } } },
      },
    },
    {
      id: 'CONFIDE',
      kind: 'speak',
      intent:
        'They have held their own and you get along, so say what you would not say in the meeting: what you are afraid of in this, for the work and for yourself. One thing, plainly. Ask nothing in return.',
      contentSource: 'concerns',
      satisfyWhen: 'you have told them; they owe you no answer',
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
        'Now the constraint that no reasoning gets around. Put it next to what the two of you have worked out and let them see that it decides. Give its figures exactly, and nothing else beside them.',
      contentSource: 'decision_facts',
      satisfyWhen: 'the learner has stated the constraint, or what it rules out, in words of their own in this message',
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
        'Ask for their professional judgment, as you would ask somebody whose name goes under it. One line that ties it to the constraint, then the pointed question below.',
      contentSource: 'pivots[p2]',
      satisfyWhen: 'the learner has picked their answer on the page; nothing they write counts as one',
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
        'Say what you would stand behind and under which conditions, and what would make you change your mind. Hold it against their plan where they have one. The decision stays theirs.',
      contentSource: 'beat6 + key_reveal',
      satisfyWhen: 'the learner has said what they will do, or under which of your conditions they would do it',
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
        'End it the way colleagues do: what is agreed, what is still open and whose it is, your document if you have one, and who has the next piece. Then let them go.',
      contentSource: 'goal.end_condition',
      satisfyWhen: 'the learner knows what is agreed, what is open and where to go next',
      minTurns: 1,
      maxTurns: 1,
      turnPerItem: false,
      isGate: false,
      whenEmpty: 'refuse',
      exits: { advance: null, selfLoop: false, conditional: null },
    },
  ],
  framings: EXPERT_FRAMINGS,
}
