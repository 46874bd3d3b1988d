import type { Framing } from './backbone.ts'

/** Other manners of showing somebody in: in a hurry, and from the end backwards. */
export const GUIDE_FRAMINGS: readonly Framing[] = [
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
