import type { Framing } from './backbone.ts'

/** Other manners of talking shop: going over a failure after the fact, and going over a design before it. */
export const EXPERT_FRAMINGS: readonly Framing[] = [
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
