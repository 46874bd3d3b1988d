import type { Framing } from './backbone.ts'

/** Other manners of a questions-and-answers conversation: one that works from cases, one that works from the page. */
export const ACADEMIC_FRAMINGS: readonly Framing[] = [
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
