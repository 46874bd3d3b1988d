import type { Framing } from './backbone.ts'

/** Other manners of the same conversation: one that begins with what comes of it, and one that shows before it tells. */
export const TECHNICAL_FRAMINGS: readonly Framing[] = [
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
