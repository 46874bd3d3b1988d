import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import { plainAsides } from './plain-asides.ts'

/** A colleague who can tell the learner how the survey was done. */
export const lena: Npc = {
  id: 'lena',
  name: 'Lena Brandt',
  role: 'survey methodologist',
  hue: 150,
  scene: 'A seminar room, a page of tallies on the table.',
  walk: 'tier',
  greeting: "Hello. I run the council's surveys, so ask me anything about this one before you put it in print.",
  beats: { beat1: ["Everybody quotes the headline and nobody's asked me whose opinion it is."], beat6: [] },
  knowledge: [
    '600 forms went out and 212 came back.',
    'Forms were handed out on the bus, from 7 to 9 on weekdays.',
    'Nobody who had stopped taking the bus could fill one in.',
  ],
  depth: [],
  challenges: [],
  concerns: [],
  goals: ['Have the figure printed with the people it speaks for.'],
  opinion: null,
  document: {
    title: 'Passenger survey, line 9',
    kind: 'survey report',
    lines: [
      'Forms handed out: 600, on board, weekdays, 7 to 9',
      'Forms returned: 212 (35.3%)',
      'Satisfied or very satisfied: 81% of forms returned',
    ],
  },
  decisionFacts: ['The 81% speaks for the 212 who answered on the bus, and for nobody else.'],
  pivots: [],
  keyReveal: null,
  goal: { objective: 'read-the-survey', endCondition: 'The learner can say whom the 81% speaks for.' },
  next: { npc: 'jonas', why: 'Jonas has the ticket counts, and those know about the people who stopped riding.' },
  owns: 'how the survey was done and what it can say',
  subjects: ['survey', 'forms', 'response', 'sample', 'satisfied', 'people asked', 'headline'],
  rehearsal: {
    nodes: {
      GROUND: { open: [], stay: ["Start anywhere, I've got the page here."], escalated: [], satisfied: [] },
      ASK: {
        open: [
          {
            say: 'The one to be careful with is the 81%. It speaks for the 212 who gave a form back, and they were all sitting on the bus.',
            point: 'the 81% speaks for the 212 who answered on the bus',
          },
        ],
        stay: [
          {
            say: "Think of who never held a form. Anybody who'd given up on the line wasn't there to get one.",
            point: 'people who stopped riding were never asked',
          },
          {
            say: "And there's the hour. We stood there from 7 to 9, so it's commuters.",
            point: 'asked only from 7 to 9',
          },
          'Try it as a sentence you could print. It gets hard at the word passengers.',
        ],
        escalated: [],
        satisfied: ['Print that, and nobody can take it away from you.', "That's how I'd put it."],
      },
      CLOSE: {
        open: [
          'Take the survey page with you, the line about forms returned is the one to look at twice. Then see Jonas, his ticket counts know about the people who stopped.',
        ],
        stay: [],
        escalated: [],
        satisfied: [],
      },
    },
    states: {},
    answers: [
      {
        asks: ['how many answered', 'how many people', 'response rate', 'how many forms', 'how many came back'],
        say: ["212 came back, out of 600. That's 35.3%.", '212 of 600.'],
        point: '212 of 600 forms came back',
      },
      {
        asks: ['who was asked', 'how did you ask', 'where did you ask', 'how were they chosen', 'how was it done'],
        say: ['We got on the bus at 7, gave everybody a form and got off at 9.'],
        point: 'asked only from 7 to 9',
      },
      {
        asks: ['representative', 'biased', 'bias', 'can i trust it', 'reliable'],
        say: ["It's honest about the people it asked. It's silent about everyone else."],
        point: null,
      },
    ],
    acknowledgements: [{ groups: [['81%'], ['212', 'answered', 'on the bus', 'on board', 'gave a form back']] }],
    redirects: [{ npc: 'jonas', say: ["That's in the ticket counts, and Jonas has those.", 'Ask Jonas about that.'] }],
    asides: plainAsides,
  },
}

/** A colleague for whom the author wrote facts but no lines, so the rehearsal actor makes lines from the facts. */
export const jonas: Npc = {
  ...lena,
  id: 'jonas',
  name: 'Jonas Weil',
  role: 'ticketing analyst',
  hue: 95,
  scene: 'Two windows full of numbers.',
  greeting: "Hi. I count tickets, and that's exactly as exciting as you think.",
  beats: { beat1: ["Line 9 sells fewer tickets than it did, and that isn't in anybody's headline."], beat6: [] },
  knowledge: ['Single tickets stayed at 520 a day.', 'A count knows nothing of why somebody stops.'],
  document: {
    title: 'Tickets sold, line 9',
    kind: 'ticket count',
    lines: ['Monthly passes: 1,940, a year later 1,610', 'Single tickets: 520 a day', 'Counted on line 9'],
  },
  decisionFacts: ['Monthly passes fell from 1,940 to 1,610 while the survey said all was well.'],
  goal: { objective: 'count-the-riders', endCondition: 'The learner knows that riders were lost.' },
  next: null,
  owns: 'the ticket counts',
  subjects: ['ticket', 'tickets', 'ticket counts', 'passes', 'riders lost', 'revenue'],
  rehearsal: {
    ...lena.rehearsal,
    nodes: {},
    answers: [],
    acknowledgements: [{ groups: [['1,610']] }],
    redirects: [{ npc: 'lena', say: ['Lena did the survey, ask her.', "That's one for Lena."] }],
  },
}

/** A sample scenario of tier `ACADEMIC`: a student journalist asks two colleagues about a survey. */
export const academicScenario: Scenario = {
  id: 'line-nine',
  version: 1,
  title: 'The survey on line 9',
  tier: 'ACADEMIC',
  role: 'a student journalist with a figure to print',
  situation: {
    where: 'the council offices, on a quiet Wednesday',
    what: 'The council says passengers of line 9 are satisfied, and your paper wants to print the figure.',
  },
  decision: {
    question: 'How do you print the figure?',
    options: [
      { id: 'as-is', title: 'As the council gives it' },
      { id: 'qualified', title: 'With the people it speaks for' },
    ],
  },
  objectives: [
    { id: 'read-the-survey', title: 'Find out whom the survey speaks for' },
    { id: 'count-the-riders', title: 'Find out what the tickets say' },
  ],
  npcs: [lena, jonas],
  synonyms: [['form', 'questionnaire']],
}
