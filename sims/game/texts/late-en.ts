/** What an advice is about. */
interface Advised {
  /** The colleague's first name; empty if the advice names nobody. */
  readonly name: string
  /** True if the decision was the right one. */
  readonly isRight: boolean
  /** The sentence of the ending that tells what went wrong, or the fact to use; empty for other advice. */
  readonly text: string
  /** The fact that the learner had heard; empty for the other kinds. */
  readonly heard: string
}

/**
 * The texts of the debrief: first the verdict and what to do next, then the details. The words of authors and colleagues come from the
 * service and not from this file.
 */
const debrief = {
  loading: 'Loading the debrief',
  undecided: 'The debrief comes after your decision.',
  toDecision: 'Go to the decision',
  failed: "The debrief couldn't be loaded. Your decision is kept.",
  tryAgain: 'Try again',

  youDecided: 'You decided',
  whatHappened: 'What happened next',
  toVerdict: 'How it was judged',

  verdict: {
    right: 'It was the right call.',
    defensible: 'It can be defended.',
    wrong: 'It was the wrong call.',
  },
  /** The same where something in the ending went wrong for want of a fact. */
  rightAndShort: 'It was the right call, and it could have gone better.',
  /** The same where the reason has none of the facts that decide it, and none was ticked. */
  verdictBare: {
    right: "It was the right call. Your reason doesn't say why.",
    defensible: 'It can be defended, only not with what you wrote.',
    wrong: 'It was the wrong call, and nothing you wrote speaks for it.',
  },
  /** The sentence that the debrief adds to each verdict if the learner had heard every deciding fact. */
  heardAll: {
    right: 'You had heard every fact that decides it.',
    defensible: 'What speaks for a better one had all been said to you.',
    wrong: 'What speaks against it had all been said to you.',
  },
  notAll: {
    right: 'You got there without having heard every fact that decides it.',
    defensible: 'Part of what speaks for a better one never reached you.',
    wrong: 'Part of what speaks against it never reached you.',
  },
  turning: 'The fact that mattered',
  toTry: 'What to try',
  /** What to try, by the kind of advice. */
  advice: {
    meet: ({ name }: Advised) => `Talk with ${name} before you decide.`,
    ask: ({ name }: Advised) => `Hear ${name} out before you decide. There is more to ask.`,
    use: ({ name, text, isRight }: Advised) =>
      isRight
        ? `Your reason leaves out what ${name} told you: ${text} Put it in, and others can follow you.`
        : `Weigh what ${name} told you, and decide once more.`,
    mind: ({ name, text, heard }: Advised) =>
      `This went wrong afterwards: “${text}” ${name} had told you what bears on it: ${heard} Say in your next reason what is to be done about it.`,
    find: ({ name, text }: Advised) =>
      `This went wrong afterwards: “${text}” ${name} knows what helps against that. Ask ${name} about it, and say in your next reason what is to be done.`,
    weigh: () => 'You used every fact. Set them against each other, and decide once more.',
    finish: ({ name }: Advised) => `Talk with ${name} again, and say in your own words what it comes to.`,
    vary: () => 'Read how the other options would have ended.',
  },
  nextIs: 'Next:',

  practisedTitle: 'What you practised',
  /** How many of the facts that show a skill the learner used. */
  used: ({ deciding, cited }: { deciding: number; cited: number }) => `${cited} of ${deciding} used`,
  noSkill: 'What else decides it',
  tally: ({ deciding, heard, cited }: { deciding: number; heard: number; cited: number }) =>
    `Of ${deciding} ${deciding === 1 ? 'fact that decides' : 'facts that decide'} it you heard ${heard} and used ${cited}.`,
  /** After the count, if the reason lacks one fact only (`text`), which `name` told. */
  lacksOne: (name: string, text: string) => `It leaves out what ${name} told you: ${text}`,
  yourReason: 'Your reason',
  noReason: 'You gave no reason.',
  yourEvidence: 'Named or ticked besides',

  factsTitle: 'What it rested on',
  factState: { cited: 'You used it', ignored: 'Heard, not used' },
  showFact: (name: string) => `Show what ${name} knows`,
  missedFrom: (name: string, count: number) =>
    `${name} knew ${count === 1 ? 'something' : `${count} things`} that you didn't hear.`,
  missedUnmet: (name: string, count: number) =>
    `${name} knew ${count === 1 ? 'something' : `${count} things`}. You two never spoke.`,
  inDocument: (name: string) => `In the document from ${name}`,
  readIt: (where: string) => `${where}. Read it in the transcript`,

  peopleTitle: 'The conversations',
  /** Why a decision can be right although a conversation missed its objective. */
  rightWithout:
    'The call is judged by what you chose, and a conversation by whether you said in your own words what it came to. So the call can be right although a conversation missed its objective.',
  unmet: (name: string) => `You didn't talk with ${name}.`,
  completion: {
    earned: 'Came to its end, and its objective was met',
    forced: 'Came to its end without its objective',
    none: 'Left open',
  },

  relationship: 'Where you stood',
  chartLabel: (name: string) => `Where you stood with ${name}`,
  turn: (turn: number) => `Turn ${turn}`,
  choiceIn: (turn: number) => `Your choice in turn ${turn}`,
  turns: (from: number, to: number) => (from === to ? `Turn ${from}` : `Turns ${from} to ${to}`),
  afterTurn: (turn: number, level: string) => `After turn ${turn}: ${level}`,
  afterChoice: (turn: number, level: string) => `After your choice in turn ${turn}: ${level}`,
  noPoints: 'No turn was finished here.',
  steady: (level: string) => `It stayed ${level} between you, from the first turn to the last.`,
  asTable: 'When it changed',
  when: 'When',
  level: 'Standing',

  accepts: (name: string) => `What ${name} would accept`,
  /** The colleague's view does not come from the conversation: they may never have said it. */
  opinion: (name: string) => `What ${name} wanted before you came`,

  pivotsTitle: 'The moments',
  youSaid: 'You said',
  youCouldHave: 'You could have said',
  /** Describes an answer that the learner typed. `card` is the text of the card that the answer means, or null. */
  inOwnWords: (card: string | null) =>
    card === null ? 'An answer of your own.' : `That came to “${card}”, in your own words.`,
  leftOpen: 'Nothing that you said came to one of these.',
  again: 'Again from here',
  againFrom: (name: string, turn: number) => `Again from here, with ${name} in turn ${turn}`,
  againWhat: 'A new run begins at that moment. This run stays as it is.',
  againWaits: 'Setting the room as it was',
  againFailed: 'The new run did not begin. Nothing is lost.',
  againGone: 'There is no way back to this moment any more.',
  againDecide: 'Again from the decision',
  againDecideWhat: 'All that you have heard stays. Ask more, or decide otherwise. This run stays as it is.',
  againBegun: (name: string | null) =>
    name === null
      ? 'A new run has begun. Nothing is decided in it.'
      : `A new run has begun, with ${name} where you were.`,

  othersTitle: 'How the other options would have ended',
  moreOptions: "There was another way. You hadn't heard what it takes.",
  otherVerdict: {
    right: 'It would have been the right call.',
    defensible: 'It could have been defended.',
    wrong: 'It would have been the wrong call.',
  },

  keepTitle: 'To keep and to show',
  transcriptNote: 'Everything that was said. It stays with you: the files are made in this browser.',
  saveMarkdown: 'Save as text',
  saveJson: 'Save as data (JSON)',
  print: 'Print',
  saved: (name: string) => `Saved as ${name}.`,
  you: 'You',
  nothingSaid: 'Nothing was said.',
  transcriptOf: (count: number) => `What was said: ${count === 1 ? '1 message' : `${count} messages`}`,

  resultNote:
    'The link shows the option, the verdict and the counts, and your nickname if you gave one, but none of your words. Anyone can check that it is genuine, and nobody can open your run with it.',
  resultLink: 'Link to the result',
  copy: 'Copy the link',
  copied: 'Link copied.',
  notCopied: 'The link could not be copied. Select it and copy it by hand.',
  openResult: 'See what it shows',

  toLibrary: 'To the simulations',
  toDesk: 'Back to the desk',
  leave: 'Other pages',
  backToFact: 'Back to where you were',

  /** The texts of the printed debrief and of the saved files. */
  paper: {
    decided: (when: string) => `Decided ${when}`,
    by: 'By',
    inClass: 'Class',
    role: 'Role',
    question: 'The question',
    decision: 'The decision',
    reason: 'Reason',
    evidence: 'Evidence',
    noEvidence: 'None was cited.',
    conversation: (name: string, role: string) => (role === '' ? `With ${name}` : `With ${name}, ${role}`),
    made: (version: number) => `Transcript of a Walkon simulation, version ${version} of it.`,
  },
}

/** The texts of the page that checks a signed result. */
const result = {
  title: 'A result',
  checking: 'Checking the signature',
  genuine: 'This result is genuine',
  genuineNote: 'It was signed by this service, and nothing in it has been changed since.',
  notGenuine: 'This result cannot be confirmed',
  notGenuineNote:
    'It was not signed with a key that this service has. Its link may be cut off or changed, or its key may have been retired. Ask for the whole link again.',
  unchecked: 'The result could not be checked',
  uncheckedNote: 'That says nothing about it. Check your connection, then try again.',
  tryAgain: 'Try again',
  simulation: 'Simulation',
  learner: 'Learner',
  anonymous: 'no name was given',
  inClass: 'Class',
  run: 'Run',
  again: 'Played again',
  againFrom: 'from a moment of an earlier run, after its decision',
  decision: 'Decision',
  verdict: 'Verdict',
  verdicts: { right: 'the right call', defensible: 'can be defended', wrong: 'the wrong call' },
  facts: 'Facts that decide it',
  factsLine: ({ deciding, heard, cited }: { deciding: number; heard: number; cited: number }) =>
    `${heard} of ${deciding} heard, ${cited} cited`,
  objectives: 'Objectives',
  objectivesLine: ({ met, of }: { met: number; of: number }) => `${met} of ${of} met`,
  began: 'Begun',
  decided: 'Decided',
  since: (when: string) => `Unchanged since ${when}.`,
  note: 'The nickname is what the learner called themselves. Nothing here says who they are.',
  classNote:
    "Anyone can begin a class under any name. If this run was played in yours, it is in your class's CSV, under “run”.",
  toLibrary: 'To the simulations',
}

/** The texts of the teacher's pages, on which a teacher begins a class and sees the class's progress. */
const teach = {
  title: 'Play it with a class',
  lead: 'You get two links: one for the learners to join, and one for you, to see how they get on. Nobody needs an account or a name; a nickname or a code will do.',
  className: 'Name of the class',
  classNameHint: 'The learners see it when they join.',
  classNameMissing: 'Give the class a name, such as “Thursday, group B”.',
  simulation: 'Which simulation',
  simulationMissing: 'Pick a simulation.',
  noSimulations: "The simulations couldn't be loaded. Nothing you typed is lost.",
  begin: 'Begin the class',
  beginning: 'Beginning the class',
  failed: 'The class has not begun. What you typed is kept.',
  tooFast: 'Too many classes at once. Wait a minute, then try again. What you typed is kept.',
  offline: 'There was no answer. What you typed is kept. Check your connection, then try again.',
  tryAgain: 'Try again',

  begun: (title: string) => `${title} has begun`,
  joinLink: 'For the learners',
  joinNote: 'Show it on the wall, or hand it out. Anyone who has it joins with a nickname.',
  scan: "Point a phone's camera at the picture.",
  qr: "QR code of the learners' link",
  typeAt: 'Or type the code at',
  code: 'Code',
  secretLink: 'For you alone',
  secretNote: "Anyone with this link sees the class. It can't be shown again: save it before you leave this page.",
  copyJoin: "Copy the learners' link",
  copySecret: 'Copy your link',
  keep: 'Keep your link in this browser',
  keepNote: 'Not on a computer that others use too.',
  kept: 'Kept in this browser.',
  notKept: 'This browser keeps nothing. Copy your link.',
  letGo: 'Remove it here',
  letGoOf: (title: string) => `Remove the link to ${title} from this browser`,
  letGone: 'This browser no longer has the link.',
  open: 'Open the class',
  another: 'Begin another class',
  yours: 'Classes kept in this browser',

  classTitle: 'The class',
  loading: 'Loading the class',
  gone: "This link doesn't lead to a class, or no longer does.",
  goneNote: 'Check that the link is complete. If it is, it has expired, or the class was deleted.',
  notGot: "The class couldn't be loaded.",
  unreachable: 'There was no answer. Check your connection, then try again.',
  begunAt: (when: string) => `begun ${when}`,
  asOf: (when: string) => `As of ${when}`,
  stale: (when: string) => `As of ${when}. Reloading failed; the page keeps trying.`,
  refresh: 'Refresh',
  refreshed: 'The class is up to date.',

  learners: 'Who is where',
  learnerCount: (count: number) => (count === 1 ? '1 learner' : `${count} learners`),
  decidedCount: (count: number, of: number) => `${count} of ${of} decided`,
  nobody: 'Nobody has joined yet.',
  nobodyNote: 'Learners appear here as soon as they have joined.',
  nickname: 'Learner',
  where: 'Where they are',
  heard: 'Facts heard',
  heardOf: (heard: number, deciding: number) => `${heard} of ${deciding}`,
  decision: 'Decision',
  active: 'Last active',
  undecided: 'not yet',
  notBegun: "hasn't talked with anybody",
  talkingWith: (names: string) => `talking with ${names}`,
  doneWith: (count: number, of: number) => `${count} of ${of} conversations done`,
  allDone: 'has talked with everybody',
  verdicts: { right: 'right', defensible: 'defensible', wrong: 'wrong' },

  isOpen: 'The class is open.',
  openNote: 'Anyone with the code can join.',
  isClosed: 'The class is closed.',
  closedNote: 'Nobody can join. Learners who have joined play on.',
  close: 'Close the class',
  reopen: 'Open it again',
  hasClosed: 'The class is closed. Nobody can join now.',
  hasReopened: 'The class is open again, with the same code.',
  newCode: 'Make a new code',
  newCodeSure: 'Make a new code?',
  newCodeNote:
    'The code and the link that you handed out before then let nobody in any more. Learners who have joined stay.',
  newCodeMade: 'The class has a new code.',
  remove: 'Remove',
  removeOf: (nickname: string) => `Remove ${nickname} from the class`,
  removeSure: (nickname: string) => `Remove ${nickname} from the class?`,
  removeNote:
    "Their run stays theirs, and they can play on with its link. It leaves this page for good: you can't put it back.",
  removed: (nickname: string) => `${nickname} was removed.`,
  removeIdle: (count: number) => `Remove the ${count} who haven't talked with anybody`,
  removeIdleSure: (count: number) => `Remove ${count} learners from the class?`,
  removedIdle: (count: number) => `${count} learners were removed.`,
  notSure: 'Cancel',
  notChanged: 'Nothing was changed. Try again.',

  joined: (count: number) => (count === 1 ? '1 has joined' : `${count} have joined`),
  /** The buttons that show a part of the page on the wall. */
  wall: {
    code: 'Show the code on the wall',
    choices: 'Show the choices on the wall',
    facts: 'Show the facts on the wall',
  },
  leaveWall: 'Leave the wall',
  undecidedLook: (count: number) =>
    count === 1
      ? "1 learner hasn't decided yet. The wall would tell them."
      : `${count} learners haven't decided yet. The wall would tell them.`,

  missed: 'What they missed',
  missedNote: 'The facts that decide it, and how many decided without having heard them.',
  missedBy: (missed: number, of: number) => `missed by ${missed} of ${of}`,
  heldBy: (name: string) => `${name} holds it.`,
  /** Precedes a question in quotation marks. */
  askFor: 'One way to ask:',
  /** Precedes the title of a document. */
  inPaper: 'Also in the paper:',
  inTalk: 'It comes up in the course of the talk.',
  heardByAll: 'Heard by all who decided',

  options: 'What they chose, and why',
  chosenBy: (n: number, of: number) => `${n} of ${of} ${of === 1 ? 'learner' : 'learners'}`,
  reasonsNote:
    'Reasons come without names and in the order of the alphabet, always three or more together. The learners were told before they decided.',
  waiting: (waiting: number, shown: number) =>
    waiting > 2
      ? `The first ${shown} reasons are shown.`
      : shown === 0
        ? 'Reasons are shown once three have chosen this. With fewer, the list of learners would tell whose they are.'
        : waiting === 1
          ? '1 more reason waits until there are three.'
          : `${waiting} more reasons wait until there are three.`,
  reasonsOf: (n: number) => (n === 1 ? '1 reason' : `${n} reasons`),
  leaveOut: 'Leave this reason off the wall',
  putBack: 'Put back',
  showVerdicts: 'Show the verdicts',
  resultsLater:
    'Once somebody has decided, this page shows what they chose and why, which facts they heard, and which they missed.',

  exportTitle: 'To keep',
  exportNote: 'A line for each learner, for any spreadsheet.',
  exportCsv: 'Save as CSV',
  exporting: 'Preparing the file',
  exported: (name: string) => `Saved as ${name}.`,
  notExported: "The file couldn't be loaded. Try again.",
}

/** The English texts of the lazily loaded screens. */
export const lateEn = { debrief, result, teach }
