import { englishTexts } from '../../../widget/texts/en.ts'
import type { ConversationTexts } from '../../../widget/texts/en.ts'
import { createFormat } from './format.ts'

const { number, plural } = createFormat('en')

const shell = {
  // Every screen
  skip: 'Skip to the content',
  home: 'Walkon, to the library',
  language: 'Language',
  keys: 'Keyboard shortcuts',
  close: 'Close',
  waiting: 'Loading',
  toDesk: 'To the desk',
  toLibrary: 'To the library',
  notes: 'Notes',
  screen: {
    library: 'Simulations',
    join: 'Join a class',
    link: 'Opening a run',
    briefing: 'Briefing',
    desk: 'The desk',
    talk: 'Conversation',
    notebook: 'Notebook',
    decide: 'Decision',
    debrief: 'Debrief',
    result: 'Result',
    teach: 'For a class',
    class: 'Class',
  },
  title: (screen: string, about: string) => (about === '' ? `${screen} · Walkon` : `${screen} · ${about} · Walkon`),

  // The library
  libraryTitle: 'Somebody has to decide. Today it’s you.',
  libraryLead:
    'You have a job and a decision to make. Each colleague knows a part of it, and none knows it all. Ask them in a chat, in your own words, decide, and see what comes of it.',
  isWritten: 'On this server no AI speaks: colleagues answer with lines that an author wrote.',
  inEnglish: 'in English',
  leftOff: 'Where you left off',
  doneRuns: 'What you have decided',
  allSimulations: 'Simulations',
  startHere: 'Start here',
  tier: { TECHNICAL: 'Easy', ACADEMIC: 'Medium', EXPERT: 'Hard' },
  minutes: (count: number) => plural(count, { one: `About ${count} minute`, other: `About ${count} minutes` }),
  about: 'About this simulation',
  youAre: 'You are',
  practises: 'You practise',
  people: (count: number) =>
    plural(count, { one: `${count} colleague and a guide`, other: `${count} colleagues and a guide` }),
  begin: 'Begin',
  beginAnew: 'Start again',
  goOn: 'Continue',
  seeDebrief: 'See the debrief',
  beginning: 'Beginning',
  stands: {
    begun: 'Begun',
    decided: 'Decided',
    unknown: 'Begun here',
  },
  with: (name: string) => `With ${name}`,
  begun: (when: string) => `Begun ${when}`,
  begunOn: (day: string) => `Begun ${day}`,
  inClass: (title: string) => `In the class “${title}”`,
  againFrom: (name: string | null) => (name === null ? 'Again from the decision' : `Again from a moment with ${name}`),
  runMenu: 'More',
  copyLink: 'Copy its link',
  copied: 'The link is copied. Anyone who has it can open and play this run.',
  notCopied: "Your browser didn't allow copying. Here is the link:",
  forget: 'Forget it here',
  forgetSure: "Forget it? Without its link you can't open this run again.",
  forgetYes: 'Forget',
  forgetNo: 'Keep it',
  forgotten: 'Forgotten in this browser.',
  joinTitle: 'Here with a class?',
  joinLabel: 'Class code',
  joinGo: 'Join',
  joinNone: 'Enter the code that your teacher gave you.',
  forTeachers: 'For teachers: play it with a class',
  embedDemo: 'For the owner of a website',
  keptNote: 'You can stop and come back: this browser remembers what you begin. No account, no cookies.',
  noSimulations: 'There are no simulations here yet.',

  // Joining a class
  joinClass: (title: string) => `Join “${title}”`,
  joinLead: 'Your teacher sees where you stand and what you decided, under the name you pick here.',
  nickname: 'A nickname or a code',
  nicknameHint: "One to 24 characters. It needn't be your name.",
  nicknameNone: 'Pick a nickname first. Any will do.',
  nicknameLong: "That's over 24 characters. Make it shorter.",
  nicknameWrong: "This nickname can't be used. Pick another.",
  unknownClass: 'There is no class with this code. Check it with your teacher.',
  classFull: 'This class is full. Ask your teacher.',
  classClosed: 'This class is closed: nobody can join it now. Ask your teacher to open it again.',
  classClosedNote: 'If you have joined it before, your run is in the library of the browser in which you began it.',
  tooManyCodes: 'Too many wrong codes came from this network. Wait ten minutes, then try again.',

  // The briefing
  situation: 'What is going on',
  options: 'Your options',
  /** Precedes the deadline, as in "Decide by tonight". */
  decideWord: 'Decide',
  whoKnows: 'Who knows something about it',
  talkTo: (name: string) => `Talk to ${name}`,
  startWith: (name: string) => `Start with ${name}`,
  briefingLead: (name: string) =>
    `${name}, your guide, knows who holds what. Ask in your own words, one thing at a time. What matters is noted for you.`,
  skipBriefing: 'Go to your desk',

  // The desk
  peopleTitle: 'People',
  status: {
    new: 'Not talked to yet',
    talking: 'Conversation open',
    settled: 'There for questions',
    over: 'Talked to',
    forced: 'Left before the end',
  },
  nextStep: 'Next',
  next: {
    guide: (name: string) => `${name} sets the scene. When you know enough, begin with the others.`,
    talking: (name: string) =>
      `${name} is waiting for you. When you have heard enough, say in your own words what it comes to, and goodbye.`,
    /** For a conversation whose objective is met. */
    parting: (name: string) => `You have what you came for. You can ask ${name} more, or say goodbye.`,
    sent: (name: string, by: string) => `${by} sent you to ${name}.`,
    new: (name: string) => `You haven't talked to ${name} yet.`,
    tell: (name: string) => `You have talked to everybody. ${name} takes down your decision.`,
    decide: "You have talked to everybody. It's yours to decide.",
    stillToSay: (names: string) => `You can still tell ${names} what it comes to.`,
    debrief: 'You have decided. See what came of it.',
  },
  tellDecision: 'Make your decision',
  goOnWith: (name: string) => `Go on with ${name}`,
  objectives: 'Objectives',
  objective: { open: 'Open', met: 'Met', missed: 'Not met yet' },
  notebook: 'Notebook',
  decide: 'Decide',
  decideHint: 'Decide when you have heard enough.',
  /** How many facts a colleague has told. */
  factsNoted: (n: number) => `${n} noted`,
  debrief: 'See what came of it',
  readBriefing: 'Read the briefing again',
  noted: 'New in your notebook',
  metNow: (title: string) => `Objective met: ${title}`,

  // The talk
  talkWith: (name: string) => `Conversation with ${name}`,
  nobodyHere: 'Nobody with that name is in this simulation.',

  // Missing or unreachable data
  offline: "You're offline. This page stays as it is, and the rest loads when you're back online.",
  backOnline: "You're back online.",
  tryAgain: 'Try again',
  notLoaded: "This couldn't be loaded. Nothing is lost.",
  stale: "This may be out of date: the service didn't answer just now.",
  gone: 'This run is no longer here',
  goneSays: 'It has been deleted, or its link has expired. You can start the simulation again.',
  noKey: 'This run belongs to another browser',
  noKeySays:
    "Its address alone doesn't open it. In that browser, copy the run's link from the library, then open the link here.",
  badLink: "This link doesn't work",
  badLinkSays: 'Part of it may be missing. Copy the whole link again.',
  unknownSimulation: 'This simulation is no longer available',
  unknownSimulationSays: 'The simulation that this run plays has been removed.',
  needsModel: 'Needs a language model',
  needsModelSays:
    'This simulation needs a language model, and this server has none. The person who runs the server sets OPENAI_API_KEY and starts it again.',
  notStarted: "The simulation didn't start. Try again in a moment.",
  begunMeanwhile: 'Your new run has begun. It is in the library.',
  tooMany: 'Too many runs were started from here. Wait a minute, then try again.',

  // The keyboard shortcuts
  keysTitle: 'Keyboard shortcuts',
  keysList: [
    ['?', 'This list'],
    ['Escape', 'One step back: to the desk, then to the library'],
    ['Alt 1 … 9', 'Talk to a colleague, in the order of the desk'],
    ['Alt 0', 'The desk'],
    ['Alt N', 'The notebook'],
    ['Enter', 'Sends a message; Shift Enter begins a new line'],
    ['1 … 9', 'Answers a question in a conversation, or picks an option of the decision'],
    ['/', 'Searches the notebook'],
  ],
}

const notebook = {
  title: 'Notebook',

  search: 'Search the notebook',
  searchKey: 'Press / to search',
  clear: 'Clear',
  found: (facts: number, documents: number) => {
    const both = [
      ...(facts > 0 ? [facts === 1 ? '1 thing you heard' : `${facts} things you heard`] : []),
      ...(documents > 0 ? [documents === 1 ? '1 document' : `${documents} documents`] : []),
    ]
    return both.length === 0 ? 'Nothing found' : `Found: ${both.join(' and ')}`
  },
  nothingFound: 'The notebook keeps what bears on the decision. What else was said is in your talks. Or ask somebody:',
  showAll: 'Show everything',
  from: 'From whom',
  everybody: 'Everybody',

  objectives: 'Objectives',
  missedWith: (name: string) =>
    `The talk with ${name} ended before you had said back the part that decides. You can still say it there.`,

  ownWords: 'What you make of it',
  ownWordsHint: 'A thought, a doubt, a question',
  ownWordsHelp: 'Only for you, on this device. When you decide, your reason can begin with it.',
  ownWordsKept: 'Only for you, on this device.',

  heard: 'What you heard',
  nothingHeard: 'Nothing yet. What your colleagues tell you that bears on the decision is written down here.',
  nothingFrom: (name: string) => `Nothing from ${name} yet.`,
  inWriting: 'In writing',
  moreInWriting: (n: number) => (n === 1 ? 'One more, from the document' : `${n} more, from the document`),
  onPaper: (name: string) => `${name}, in writing`,
  talkTo: (name: string) => `Talk to ${name}`,
  toPeople: 'See who is there',
  isNew: 'New',
  earlier: (n: number) => (n === 1 ? 'One more in the notebook' : `${n} more in the notebook`),

  documents: 'Documents',
  noDocuments: 'Nothing yet. A colleague hands over their paper at the end of a talk.',
  fromWhom: (name: string) => `From ${name}`,
  handedOver: (name: string, role: string) => `Handed over by ${name}, ${role}`,
  notHere: "This document isn't in your notebook, or not yet.",
  factNotHere: "You haven't heard this yet.",
  back: 'Back to the notebook',
  close: 'Close the document',
  print: 'Print',
  ringHint: 'Press a figure to draw a ring round it. Rings stay on this device.',
}

const decide = {
  options: 'What you can do',
  keys: 'Pick one, or press its number',
  more: 'There may be another way. It opens when the right people have told you enough.',

  reason: 'Your reason',
  reasonHelp: 'In your own words: why this one and not the others, and what it takes to make it work.',
  inClass:
    'Your teacher sees which option you choose. They may show your reason to the class: without your name, and only together with others.',
  kept: 'Kept on this device until you decide.',
  counted: (n: number, most: number) => `${number(n)} of ${number(most)} characters`,
  over: (n: number) =>
    n === 1
      ? 'Too long by 1 character. Nothing is cut: shorten it before you decide.'
      : `Too long by ${number(n)} characters. Nothing is cut: shorten it before you decide.`,

  evidence: 'What you rest it on',
  evidenceHelp:
    "What your reason seems to name is ticked. Untick what you didn't mean, and tick what else it rests on.",
  /** Beside a fact that the page ticked because the reason names it, or because it opened the chosen option. */
  namedIt: 'In your reason',
  openedIt: 'It opened this option',
  /** How much of the notebook the reason names, as it stands. */
  names: (n: number) =>
    n === 1 ? 'It names one thing that you heard, ticked below.' : `It names ${n} things that you heard, ticked below.`,
  noEvidence:
    "You haven't heard anything yet that bears on this, so there is no evidence to tick. You can decide all the same; your reason then stands alone.",
  /** How much a colleague told, and how much of it is ticked. */
  toTick: (n: number, ticked: number) => (ticked === 0 ? `${n} heard` : `${n} heard, ${ticked} ticked`),
  reread: (title: string) => `Read again: ${title}`,
  openedAtDesk: 'Another option is open to you',
  seeOptions: 'See the options',
  /** The label of a button that puts the learner's own note into the field of the reason. */
  useNote: 'Begin with what you wrote in the notebook',
  /** `names`: the colleagues whose words opened it. */
  openedBy: (names: string) => `Opened by what ${names} told you`,
  ticked: (n: number) => (n === 0 ? 'Nothing ticked yet' : `${n} ticked`),

  never: (names: string) => `You haven't talked with ${names}.`,
  unfinished: (names: string) => `You're not done talking with ${names}.`,
  allTheSame: "You can decide all the same. What you weren't told won't be in it.",

  toLook: 'Read it over and decide',
  lookTitle: 'A last look',
  youDecide: 'You decide:',
  because: 'because',
  strength: 'on the strength of',
  onNothing: 'nothing you heard.',
  once: 'A decision is made once, and stays.',
  decide: 'Decide',
  sending: 'Sending your decision',
  change: 'Change something',
  /** In place of `change`, if nothing is ticked. */
  tickFirst: 'Tick what you heard',

  noOption: 'Pick one of the options first.',
  noReason: 'Write your reason first. One sentence is enough.',

  offline: "You're offline. What you write is kept on this device. Decide when you're back.",
  unreachable:
    'There was no answer, so nobody knows whether it arrived. Everything is kept here. Try again: it counts once.',
  notHeard:
    "Something you ticked isn't in your notebook any more. It is unticked now; the rest is kept. Look once more.",
  unknownOption: "This simulation doesn't offer that option any more. Your reason is kept. Pick another one.",
  notEarned: "That isn't open to you yet: you haven't heard what it takes. Your reason is kept. Pick another one.",
  tooFast: 'Too many requests. This one was refused, and everything is kept. Wait a minute, then try again.',
  notAdmitted:
    'This link no longer opens the run, so nothing can be decided with it. What you wrote is kept on this device.',
  failed:
    "That didn't work just now, and nobody knows whether it was decided. Everything is kept here. Try again in a moment: it counts once.",
  arrived: 'Your decision has arrived.',

  decided: 'You decided',
  toDebrief: 'See what came of it',
  elsewhere:
    'This run was decided with other words than those you have here. A decision is made once, so this is the one that counts.',
  unsent: 'What you had written here, not sent',
  throwAway: 'Throw it away',
}

const startOver = 'Open it again'

/**
 * The texts of a conversation, where they differ from the widget's. A run has only one conversation with each
 * colleague, so the learner reopens that conversation instead of starting a new one. The close button leads back to the
 * desk.
 */
const widget: ConversationTexts = {
  ...englishTexts,
  close: 'Back to the desk',
  startOver,
  startedOver: 'This conversation has been opened again.',
  again: (refusal) => (refusal?.next === 'start-over' ? startOver : englishTexts.tryAgain),
}

/** All English texts of the screens before the debrief. The texts of the lazily loaded screens are in `late-en.ts`. */
export const en = { shell, notebook, decide, widget }
