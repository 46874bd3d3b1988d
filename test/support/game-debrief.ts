import type { ClassView, DebriefView, ResultView, RunView, SimulationCard } from '../../worker/wire/run.ts'

/** The start of the fixtures' day, in milliseconds since 1970: 9 March 2026, 09:00 UTC. */
const MORNING = Date.UTC(2026, 2, 9, 9)
const MINUTE = 60_000

/** Returns the launch decision as the library lists it. */
export function launchCard(): SimulationCard {
  return {
    id: 'launch-decision',
    language: 'en',
    translates: null,
    version: 1,
    title: 'The launch decision',
    tier: 'TECHNICAL',
    role: 'a machine learning engineer who has to decide by Thursday',
    where: 'the product floor at Tern, on Tuesday morning, with the launch two days off',
    what: 'Larkfield, a health insurer, puts your team’s assistant into its member app on Thursday.',
    minutes: 25,
    skills: ['Reading what an average hides', 'Weighing a clause against a figure'],
    hook: { npc: 'maya', line: 'I’d rather you heard about this launch from me than from a slide.' },
    question: 'Larkfield goes live on Thursday at nine. What do you ship?',
    options: [
      { id: 'ship-as-is', title: 'Ship on Thursday as it stands' },
      { id: 'delay-a-week', title: 'Hold everything back a week and test again' },
      { id: 'hold-back-medical', title: 'Ship on Thursday, with medical questions going to the nurse line' },
    ],
    deadline: 'by tonight',
    guide: 'otto',
    people: [
      { id: 'otto', name: 'Otto', role: 'Guide', hue: 110, scene: '', owns: 'who knows what' },
      { id: 'maya', name: 'Maya Patel', role: 'QA lead', hue: 200, scene: '', owns: 'the testing' },
      { id: 'marcus', name: 'Marcus Oyelaran', role: 'Account director', hue: 300, scene: '', owns: 'the contract' },
      { id: 'ines', name: 'Inês Duarte', role: 'Platform engineer', hue: 340, scene: '', owns: 'the release' },
    ],
    objectives: [
      { id: 'size-the-risk', title: 'Learn what the test run really says' },
      { id: 'read-the-contract', title: 'Learn what the contract allows by Thursday' },
    ],
  }
}

/** Returns a run after the learner's decision. */
export function decidedRun(): RunView {
  return {
    id: 'ctx_run-of-the-launch',
    scenario: 'launch-decision',
    version: 1,
    startedAt: MORNING,
    nickname: 'Owl 14',
    class: { id: 'class_1', title: 'Thursday, group B' },
    again: null,
    people: [
      { npc: 'otto', status: 'over', level: 'neutral', completion: 'earned', next: null },
      { npc: 'maya', status: 'over', level: 'trusting', completion: 'earned', next: null },
      { npc: 'marcus', status: 'talking', level: 'guarded', completion: null, next: null },
      { npc: 'ines', status: 'new', level: 'neutral', completion: null, next: null },
    ],
    objectives: [
      { id: 'size-the-risk', title: 'Learn what the test run really says', npc: 'maya', state: 'met' },
      { id: 'read-the-contract', title: 'Learn what the contract allows by Thursday', npc: 'marcus', state: 'open' },
    ],
    facts: [
      {
        id: 'medical-rate',
        npc: 'maya',
        text: 'Medical advice fails at 23.4%.',
        said: 'Ask it for medical advice and you’re at 23.4%.',
        turn: 3,
        at: MORNING,
      },
      {
        id: 'ceiling',
        npc: 'maya',
        text: 'The contract allows 2.0% errors on regulated advice.',
        said: 'Most errors allowed by the contract, regulated advice: 2.0%',
        turn: null,
        at: MORNING,
      },
      {
        id: 'credit',
        npc: 'marcus',
        text: 'Missing Thursday costs $40,000 a week.',
        said: 'Miss Thursday and it’s $40,000 a week.',
        turn: 2,
        at: MORNING,
      },
    ],
    documents: [],
    decision: {
      option: 'hold-back-medical',
      reason:
        'Medical answers fail at 23.4% and a warning doesn’t make a wrong dose right.\nEverything else can go out on Thursday.',
      evidence: ['medical-rate'],
      at: MORNING + 50 * MINUTE,
    },
  }
}

/**
 * Returns the debrief of `decidedRun()`. The learner has had three conversations, of which one is still open, and has
 * never met the fourth colleague. There is a fact in every state.
 */
export function launchDebrief(): DebriefView {
  return {
    run: decidedRun(),
    ending: {
      option: 'hold-back-medical',
      title: 'Ship on Thursday, with medical questions going to the nurse line',
      verdict: 'right',
      after: [
        'The notice goes out on Wednesday before nine, one paragraph, quoting C.4. On Wednesday night Inês moves the switch and watches it for an hour. On Thursday Larkfield launches, and whoever asks about a tablet is put through to a nurse.',
        'The gate lets a few through, as it did in the pilot, and there is a name on the pager for Friday because you asked for one. Maya gets her graders. On the ninth day she has a medical number that somebody could sign.',
      ],
      facts: ['medical-rate', 'ceiling', 'gate'],
    },
    others: [
      {
        option: 'ship-as-is',
        title: 'Ship on Thursday as it stands',
        verdict: 'wrong',
        after: ['Larkfield goes live on Thursday at nine. The first week is quiet.', 'They use the sixty days.'],
        facts: ['medical-rate'],
      },
      {
        option: 'delay-a-week',
        title: 'Hold everything back a week and test again',
        verdict: 'defensible',
        after: ['Marcus makes the call himself, standing up.'],
        facts: ['credit'],
      },
    ],
    facts: [
      {
        id: 'medical-rate',
        npc: 'maya',
        text: 'Medical advice fails at 23.4%; the 8.1% on the slide is an average over questions that mostly aren’t medical.',
        state: 'cited',
        said: 'It isn’t spread evenly, and that’s the bit the average hides. Ask it for medical advice and you’re at 23.4%.',
        turn: 3,
      },
      {
        id: 'ceiling',
        npc: 'maya',
        text: 'The contract allows 2.0% errors on regulated advice, and medical advice is regulated.',
        state: 'ignored',
        said: 'Most errors allowed by the contract, regulated advice: 2.0%',
        turn: null,
      },
      {
        id: 'credit',
        npc: 'marcus',
        text: 'Missing Thursday costs $40,000 for each week or part of a week.',
        state: 'ignored',
        said: 'Miss Thursday and it’s $40,000 a week, or any part of one.',
        turn: 2,
      },
      {
        id: 'phasing',
        npc: 'marcus',
        text: 'C.4 lets you hold back one category of answers for up to 30 days and still launch on time.',
        state: 'missed',
        said: null,
        turn: null,
      },
      {
        id: 'gate',
        npc: 'ines',
        text: 'Medical questions can be sent to the nurse line by a config change that takes 20 minutes and needs no build.',
        state: 'missed',
        said: null,
        turn: null,
      },
    ],
    skills: [
      { title: 'Reading what an average hides', facts: ['medical-rate'] },
      { title: 'Weighing a clause against a figure', facts: ['ceiling', 'phasing'] },
    ],
    talks: [talkWithOtto(), talkWithMaya(), talkWithMarcus()],
    result: 'eyJhbGciOiJIUzI1NiJ9.eyJzY2VuYXJpbyI6ImxhdW5jaC1kZWNpc2lvbiJ9.c2lnbmF0dXJl-of_a-fixture',
  }
}

type Talk = DebriefView['talks'][number]

function linesOf(pairs: readonly (readonly [string, string])[]): Talk['transcript'] {
  return pairs.flatMap(([said, reply], index) => [
    { id: `say-${index + 1}`, who: 'learner' as const, text: said, at: MORNING + index * MINUTE },
    { id: `reply-${index + 1}`, who: 'npc' as const, text: reply, at: MORNING + index * MINUTE + 20_000 },
  ])
}

function talkWithOtto(): Talk {
  return {
    npc: 'otto',
    completion: 'earned',
    relationship: [{ turn: 1, level: 'neutral', by: 'turn' }],
    walk: [
      { node: 'WELCOME', kind: 'speak', from: 1, to: 1, reason: 'satisfied' },
      { node: 'SITUATION', kind: 'speak', from: 2, to: 2, reason: 'satisfied' },
      { node: 'OPTIONS', kind: 'speak', from: 3, to: 3, reason: 'satisfied' },
      { node: 'PEOPLE', kind: 'speak', from: 4, to: 4, reason: 'satisfied' },
      { node: 'CLOSE', kind: 'speak', from: 5, to: 5, reason: 'max-turns' },
    ],
    engagement: [{ turn: 1, score: 0, said: 'Ready.' }],
    accepts: [],
    opinion: null,
    pivots: [],
    transcript: linesOf([
      ['Ready.', 'Good. Larkfield goes live on Thursday, and somebody has to say with what. That’s you.'],
    ]),
  }
}

function talkWithMaya(): Talk {
  return {
    npc: 'maya',
    completion: 'earned',
    relationship: [
      { turn: 1, level: 'neutral', by: 'turn' },
      { turn: 2, level: 'neutral', by: 'turn' },
      { turn: 3, level: 'neutral', by: 'turn' },
      { turn: 4, level: 'neutral', by: 'turn' },
      { turn: 4, level: 'cooperative', by: 'choice' },
      { turn: 5, level: 'cooperative', by: 'turn' },
      { turn: 6, level: 'cooperative', by: 'turn' },
      { turn: 6, level: 'trusting', by: 'choice' },
      { turn: 7, level: 'trusting', by: 'turn' },
      { turn: 8, level: 'trusting', by: 'turn' },
    ],
    walk: [
      { node: 'GROUND', kind: 'speak', from: 1, to: 1, reason: 'satisfied' },
      { node: 'SURFACE', kind: 'speak', from: 2, to: 2, reason: 'satisfied' },
      { node: 'DEEPEN', kind: 'speak', from: 3, to: 3, reason: 'max-turns' },
      { node: 'PIVOT_1', kind: 'pivot', from: 4, to: 4, reason: 'pivot-choice' },
      { node: 'DECISIVE', kind: 'speak', from: 5, to: 5, reason: 'satisfied' },
      { node: 'PIVOT_2', kind: 'pivot', from: 6, to: 6, reason: 'pivot-choice' },
      { node: 'RESOLVE', kind: 'speak', from: 7, to: 7, reason: 'satisfied' },
      { node: 'CLOSE', kind: 'speak', from: 8, to: 8, reason: 'satisfied' },
    ],
    engagement: [
      { turn: 1, score: 0, said: 'Hi Maya. I have to decide by Thursday.' },
      { turn: 2, score: 1, said: 'So it makes answers up, and politely. Where does it do that?' },
      { turn: 3, score: 2, said: 'Then the average hides it: medical is a small part, and that’s where it fails.' },
      { turn: 4, score: 0, said: 'Go on.' },
      { turn: 5, score: 2, said: 'We’re at 23.4% where we signed for 2.0%. That’s a breach on day one.' },
      { turn: 6, score: -1, said: 'Can we hurry this up?' },
      { turn: 7, score: 1, said: 'And if medical questions went to people instead?' },
      { turn: 8, score: 0, said: 'Thanks. I’ll see Marcus.' },
    ],
    accepts: ['I could live with any Thursday where this model doesn’t answer medical questions.'],
    opinion: {
      rightCall: 'Hold everything back a week and test again',
      argument:
        'Medical advice fails at 23.4% against a ceiling of 2.0%, and a week buys a number we can stand behind.',
    },
    pivots: [
      {
        pivot: 'PIVOT_1',
        turn: 4,
        question:
          'Everyone who’s sat in that chair this week wanted a number for a slide. Do you want the number, or do you want what I actually think?',
        choices: [
          { id: 'a', text: 'What you actually think. The slide can wait.' },
          { id: 'b', text: 'Just the number. I’ll do the thinking.' },
          { id: 'c', text: 'Both. The number first, then what you’d do with it.' },
        ],
        choice: { id: 'a', effect: 'Maya puts the coffee down and turns her chair towards you.' },
        said: null,
        again: true,
      },
      {
        pivot: 'PIVOT_2',
        turn: 6,
        question: 'There’s a box on that report for a signature. Would you sign for 23%?',
        choices: [
          { id: 'a', text: 'No. Not for answers people act on.' },
          { id: 'b', text: 'Yes, if every answer carries a warning.' },
        ],
        choice: { id: 'a', effect: 'Maya stops clicking her pen.' },
        typed: 'card',
        said: { turn: 7, text: 'And if medical questions went to people instead?' },
        again: true,
      },
    ],
    transcript: linesOf([
      ['Hi Maya. I have to decide by Thursday.', 'Hi. So you’re who they’ve asked to make the call on Thursday.'],
      ['So it makes answers up, and politely. Where does it do that?', 'It isn’t where the slide makes you look.'],
      [
        'Then the average hides it: medical is a small part, and that’s where it fails.',
        'It isn’t spread evenly, and that’s the bit the average hides. Ask it for medical advice and you’re at 23.4%.',
      ],
      ['Go on.', 'Before I go on, one thing.'],
      ['We’re at 23.4% where we signed for 2.0%. That’s a breach on day one.', 'That’s the bit.'],
      ['Can we hurry this up?', 'So let me put it to you the way it gets put to me.'],
      ['And if medical questions went to people instead?', 'I can live with that.'],
      ['Thanks. I’ll see Marcus.', 'Take run 47 with you, it’s a page.'],
    ]),
  }
}

function talkWithMarcus(): Talk {
  return {
    npc: 'marcus',
    completion: null,
    relationship: [
      { turn: 1, level: 'neutral', by: 'turn' },
      { turn: 2, level: 'guarded', by: 'turn' },
      { turn: 3, level: 'hostile', by: 'turn' },
      { turn: 4, level: 'guarded', by: 'turn' },
    ],
    walk: [
      { node: 'GROUND', kind: 'speak', from: 1, to: 1, reason: 'no-self-loop' },
      { node: 'SURFACE', kind: 'speak', from: 2, to: 2, reason: 'max-turns' },
      { node: 'PIVOT_1', kind: 'pivot', from: 3, to: 3, reason: 'pivot-timeout' },
      { node: 'remember-the-client', kind: 'silent', from: 4, to: 4, reason: 'passed' },
      { node: 'DECISIVE', kind: 'speak', from: 4, to: 4, reason: null },
    ],
    engagement: [
      { turn: 1, score: -1, said: 'I don’t have long.' },
      { turn: 2, score: -2, said: 'Whatever. It’s only money.' },
    ],
    accepts: ['Anything that goes live on Thursday.'],
    opinion: { rightCall: 'Ship on Thursday as it stands', argument: 'They printed a magazine.' },
    pivots: [
      {
        pivot: 'PIVOT_1',
        turn: 3,
        question: 'Do you want to call them, or shall I?',
        choices: [
          { id: 'a', text: 'You call. It’s your client.' },
          { id: 'b', text: 'I’ll call.' },
        ],
        choice: null,
        said: null,
        again: false,
      },
    ],
    transcript: linesOf([
      ['I don’t have long.', 'Nor do I. I’m on with them at eleven.'],
      ['Whatever. It’s only money.', 'Miss Thursday and it’s $40,000 a week, or any part of one.'],
      ['I see.', 'Do you want to call them, or shall I?'],
      ['What does a week cost?', 'The same $40,000.'],
    ]),
  }
}

/** Returns the content of the signed result of `decidedRun()`. */
export function launchResult(): ResultView {
  return {
    run: 'ctx_1',
    scenario: 'launch-decision',
    title: 'The launch decision',
    version: 1,
    nickname: 'Owl 14',
    class: 'Thursday, group B',
    again: false,
    option: 'hold-back-medical',
    optionTitle: 'Ship on Thursday, with medical questions going to the nurse line',
    verdict: 'right',
    facts: { deciding: 5, heard: 3, cited: 1 },
    objectives: { met: 1, of: 2 },
    startedAt: MORNING,
    decidedAt: MORNING + 50 * MINUTE,
  }
}

/** Returns a class of five learners, of whom three have decided. */
export function thursdayClass(): ClassView {
  const people = (...statuses: readonly ('new' | 'talking' | 'over')[]) =>
    ['otto', 'maya', 'marcus', 'ines'].map((npc, index) => ({ npc, status: statuses[index] ?? ('new' as const) }))
  const learner = { startedAt: MORNING, activeAt: MORNING + 30 * MINUTE, option: null, verdict: null }
  const heard = (facts: number) => ({ deciding: 5, heard: facts })
  return {
    id: 'class_1',
    title: 'Thursday, group B',
    code: '7K3MQ9',
    closed: false,
    scenario: 'launch-decision',
    startedAt: MORNING,
    learners: [
      {
        ...learner,
        run: 'ctx_1',
        nickname: 'Owl 14',
        people: people('over', 'over', 'talking'),
        facts: heard(3),
        option: 'hold-back-medical',
        verdict: 'right',
      },
      { ...learner, run: 'ctx_2', nickname: 'Sparrow', people: people('over', 'talking', 'talking'), facts: heard(1) },
      { ...learner, run: 'ctx_3', nickname: '=1+1', people: people(), facts: heard(0) },
      {
        ...learner,
        run: 'ctx_4',
        nickname: 'A nickname that goes on for as long as a nickname may go on',
        people: people('over', 'over', 'over', 'over'),
        facts: heard(5),
        option: 'delay-a-week',
        verdict: 'defensible',
      },
      {
        ...learner,
        run: 'ctx_5',
        nickname: 'Owl 14',
        people: people('over'),
        facts: heard(0),
        option: 'ship-as-is',
        verdict: 'wrong',
      },
    ],
    missed: [
      {
        fact: 'gate',
        npc: 'ines',
        text: 'Medical questions can be sent to the nurse line by a config change that takes 20 minutes.',
        missed: 2,
        of: 3,
        question: 'What happens when you press the button?',
        paper: 'Topic gate: pilot log, six weeks',
      },
      {
        fact: 'phasing',
        npc: 'marcus',
        text: 'C.4 lets you hold back one category of answers.',
        missed: 1,
        of: 3,
        question: null,
        paper: 'Larkfield order form, schedule C',
      },
      {
        fact: 'medical-rate',
        npc: 'maya',
        text: 'Medical advice fails at 23.4%.',
        missed: 0,
        of: 3,
        question: null,
        paper: null,
      },
    ],
    options: [
      { option: 'ship-as-is', title: 'Ship on Thursday as it stands', verdict: 'wrong', n: 1, reasons: [] },
      {
        option: 'delay-a-week',
        title: 'Hold everything back a week and test again',
        verdict: 'defensible',
        n: 1,
        reasons: [],
      },
      {
        option: 'hold-back-medical',
        title: 'Ship on Thursday, with medical questions going to the nurse line',
        verdict: 'right',
        n: 1,
        reasons: [],
      },
    ],
  }
}
