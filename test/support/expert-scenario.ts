import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import { plainAsides } from './plain-asides.ts'

/**
 * A colleague who wrote the storage engine's lock, knows why commits stall, and tells this only to a learner who
 * defends a view.
 */
export const tomas: Npc = {
  id: 'tomas',
  name: 'Tomas Vrba',
  role: 'storage engineer',
  hue: 215,
  scene: 'A dark room, one bright graph with a tooth missing.',
  walk: 'tier',
  greeting: 'Come in. I look after the storage layer, and they tell me you say whether it goes everywhere on Friday.',
  beats: {
    beat1: ['Commits stop on the new engine, all of them at once.'],
    beat6: ['One region on Friday is something I could put my name to.'],
  },
  knowledge: [
    'Commits stop for 4 seconds, every 11 minutes.',
    'The median commit takes 3 milliseconds, which is better than before.',
    'It began in the first region that passed 70% disk use.',
  ],
  depth: [
    'Compaction begins when less than 30% of the disk is free, and it takes the lock that a commit needs.',
    'The lock is held while a whole level is rewritten, up to 18 gigabytes of it.',
  ],
  challenges: [
    'If the median is 3 milliseconds and better than before, why should a pause every 11 minutes stop anybody?',
    "The old engine had pauses too, and we shipped that one. What's different?",
  ],
  concerns: [
    "I wrote that lock in a week when nobody had time to read it, so nobody has. I'd rather you knew.",
    'Whoever is on call this Friday gets the first page, and that is me.',
  ],
  goals: ['Keep it out of the regions with full disks.'],
  opinion: { rightCall: 'One region, and watch it', argument: 'The pause outlasts what clients will wait.' },
  document: {
    title: 'Notes on the commit pauses',
    kind: 'incident log',
    lines: [
      'Commit, median: 3 milliseconds',
      'Pause: 4 seconds, every 11 minutes',
      'First seen at 70% disk use',
      'Compaction: below 30% free',
      'Level rewritten under the lock: up to 18 gigabytes',
      'Client timeout: 2 seconds',
    ],
  },
  decisionFacts: ['A pause holds every commit for 4 seconds, and clients give up after 2 seconds.'],
  pivots: [
    {
      id: 'p1',
      question: 'Do you want the graph, or do you want to know what I think is under it?',
      choices: [
        {
          id: 'a',
          text: "What's under it.",
          mood: 12,
          reaction: 'Right. Pull up a chair, then.',
          effect: 'Tomas turns the lamp your way.',
        },
        {
          id: 'b',
          text: 'The graph will do.',
          mood: -4,
          reaction: "It's on the screen.",
          effect: 'Tomas turns back to the screen.',
        },
      ],
    },
    {
      id: 'p2',
      question: "If it were your pager on Friday night, would you send it to a region that's three quarters full?",
      choices: [
        { id: 'a', text: 'No.', mood: 4, reaction: 'Nor would I.', effect: 'Tomas nods.' },
        {
          id: 'b',
          text: 'If somebody watched it.',
          mood: -4,
          reaction: 'Somebody would be me.',
          effect: 'Tomas says nothing for a while.',
        },
      ],
    },
  ],
  keyReveal: "There's a branch with a finer lock. It's been ready for a month and nobody's reviewed it.",
  goal: { objective: 'find-the-stall', endCondition: 'The learner has said why the pause breaks clients.' },
  next: { npc: 'petra', why: 'Petra knows how full each region is. Ask her before you pick one.' },
  owns: 'the storage engine and why it pauses',
  subjects: ['commit', 'pause', 'stall', 'lock', 'compaction', 'engine', 'median', 'timeout', 'storage', 'level'],
  rehearsal: {
    nodes: {
      GROUND: { open: [], stay: ['Start where you like.'], escalated: [], satisfied: [] },
      SURFACE: {
        open: [
          {
            say: "It's quick and then it's dead. Every commit in the region stops at once, and a moment later they all go through.",
            point: 'all commits stop at once',
          },
        ],
        stay: ["From outside there's nothing to see. No load, no error, just a hole in the graph."],
        escalated: [],
        satisfied: ["Then let's look at what's inside the hole."],
      },
      DEEPEN: {
        open: [
          {
            say: "It's 4 seconds, every 11 minutes, and it's the disk that sets the clock.",
            point: '4 seconds every 11 minutes',
          },
        ],
        stay: [
          {
            say: "It began where the disk was 70% full. Below that you'd never meet it in a test.",
            point: 'began at 70% disk use',
          },
          {
            say: 'Under 30% free the engine starts compacting, and compaction wants the same lock a commit does.',
            point: 'compaction takes the commit lock',
          },
          {
            say: "And it doesn't give it back until a whole level's rewritten. That's up to 18 gigabytes with the door shut.",
            point: 'the lock is held for a whole level',
          },
        ],
        escalated: [],
        satisfied: ["That's the chain, yes. Each link's reasonable, and the whole isn't."],
      },
      PIVOT_1: {
        open: ['Before I open it up, tell me something.'],
        stay: [
          "I'd like to know which. The graph, or what's under it?",
          'Graph, or guts?',
          'Which one are you here for?',
          'One or the other?',
        ],
        escalated: [],
        satisfied: [],
      },
      CHALLENGE: {
        open: [
          {
            say: 'Then defend it. The median is 3 milliseconds and better than before, so why should a pause every 11 minutes stop anybody?',
            point: 'the median is better than before',
          },
        ],
        stay: [
          "That's a view. I asked for a reason, and the director will too.",
          'Say it so that it survives a meeting. Why does it matter, when the median looks this good?',
        ],
        escalated: [],
        satisfied: ["Good enough to hold. I've tried to break that one myself."],
      },
      CONFIDE: {
        open: [
          {
            say: "I'll tell you what isn't in the notes. I wrote that lock in a week when nobody had time to read it, so nobody has.",
            point: 'the lock was never reviewed',
          },
        ],
        stay: ['I sleep near the phone on Fridays.'],
        escalated: [],
        satisfied: [],
      },
      DECISIVE: {
        open: [
          {
            say: "Here's what doesn't bend. A pause is 4 seconds, and a client gives up after 2 seconds.",
            point: '4 second pauses against a 2 second timeout',
          },
        ],
        stay: [
          'The timeout is 2 seconds and the pause is 4 seconds. Put those next to each other and tell me what you see.',
          "It isn't about quick or slow. After 2 seconds the client's gone, and we're still shut.",
          'Say it back to me, so that I know it got there. 4 seconds against 2 seconds.',
        ],
        escalated: [
          'Every pause, everybody waiting is thrown out. 4 seconds is longer than 2 seconds, so what does that do to Friday?',
          'Forget the median. Shut for 4 seconds, gone after 2 seconds. Have you got that?',
        ],
        satisfied: ['Yes. The rest is tuning.', "That's the whole of it."],
      },
      PIVOT_2: {
        open: ['So it comes down to somebody.'],
        stay: [
          'Your pager, your night. Would you?',
          "I'm asking what you'd do, not what the plan says. Would you send it?",
          'Yes or no is fine. Would you?',
          'A full region, on a Friday. Well?',
        ],
        escalated: [],
        satisfied: [],
      },
      RESOLVE: {
        open: [
          {
            say: "One region on Friday, an empty one, and I'll put my name to it.",
            point: 'would accept one empty region',
          },
        ],
        stay: ["Not everywhere, and not where it's full. Past that I can be talked to.", 'Where are you leaning?'],
        escalated: [],
        satisfied: ['I can live with that.'],
      },
      CLOSE: {
        open: [
          "I'll send you the notes. Ask Petra how full the regions are before you pick one, she's got it by the hour.",
        ],
        stay: [],
        escalated: ["I've got to go, take the notes. Read the line on the timeout first, and then see Petra."],
        satisfied: [],
      },
    },
    states: {},
    answers: [
      {
        asks: ['how often', 'how long', 'how long is the pause', 'how bad'],
        say: ['4 seconds, and then 11 minutes of peace.'],
        point: '4 seconds every 11 minutes',
      },
      {
        asks: ['why', 'what causes', 'the cause', 'root cause'],
        say: ["Compaction and commits want one lock. They can't both have it."],
        point: 'compaction takes the commit lock',
      },
      { asks: ['timeout', 'how long do clients wait'], say: ['2 seconds, and then they hang up.'], point: null },
    ],
    acknowledgements: [
      {
        groups: [
          ['4 seconds', 'four seconds', 'pause', 'stall'],
          ['2 seconds', 'two seconds', 'timeout', 'give up', 'gives up', 'gone'],
        ],
      },
    ],
    redirects: [{ npc: 'petra', say: ['Petra has the regions, hour by hour.', "That's one for Petra."] }],
    asides: plainAsides,
  },
}

/** A colleague who knows the regions. She has no written lines, so the rehearsal actor uses her facts. */
export const petra: Npc = {
  ...tomas,
  id: 'petra',
  name: 'Petra Holm',
  role: 'region lead',
  hue: 320,
  scene: 'A wall of small green squares, one of them yellow.',
  greeting: "Hi. I've got the regions, all six of them, and I can give you a few minutes.",
  beats: {
    beat1: ['Two regions are nearly full and nobody budgeted for that.'],
    beat6: ['Start in the emptiest one.'],
  },
  knowledge: ['North is at 41% disk use.', 'West is at 82% disk use.', 'East is at 77% disk use.'],
  depth: ['Disk use grows by 2% a week, and faster after a deploy.'],
  challenges: ['If West is the one that needs it most, why not begin there?'],
  concerns: ["I asked for disks in spring and I'm still asking."],
  document: {
    title: 'Regions by the hour',
    kind: 'capacity sheet',
    lines: ['North: 41%', 'West: 82%', 'East: 77%', 'Growth: 2% a week', 'The new engine wants no more than 70%'],
  },
  decisionFacts: ['The new engine wants no more than 70% disk use, and West and East are above it.'],
  keyReveal: null,
  opinion: null,
  goal: { objective: 'find-the-room', endCondition: 'The learner has said which region has the room.' },
  next: { npc: 'tomas', why: 'Tomas can tell you what happens above the line.' },
  owns: 'the regions and how full they are',
  subjects: ['region', 'regions', 'disk', 'disk use', 'capacity', 'north', 'west', 'east', 'how full'],
  rehearsal: {
    ...tomas.rehearsal,
    nodes: {},
    answers: [],
    acknowledgements: [{ groups: [['70%'], ['west', 'east', 'above', 'too full']] }],
    redirects: [{ npc: 'tomas', say: ['Tomas wrote that, ask him.', "That's Tomas's engine."] }],
  },
}

/** A sample scenario of tier `EXPERT`: people who know a storage engine discuss its rollout. */
export const expertScenario: Scenario = {
  id: 'slow-commits',
  version: 1,
  title: 'The commit that waits',
  tier: 'EXPERT',
  role: 'a staff engineer who signs the rollout',
  situation: {
    where: 'the operations room, on Thursday afternoon',
    what: 'A new storage engine is to go to every region on Friday, and now and then it stands still.',
  },
  decision: {
    question: 'Where does the engine go on Friday?',
    options: [
      { id: 'everywhere', title: 'Everywhere' },
      { id: 'one-region', title: 'One region, and watch it' },
      { id: 'back', title: 'Back to the old one' },
    ],
  },
  objectives: [
    { id: 'find-the-stall', title: 'Find out why commits wait' },
    { id: 'find-the-room', title: 'Find out which region has the room' },
  ],
  npcs: [tomas, petra],
  synonyms: [['pause', 'stall']],
}
