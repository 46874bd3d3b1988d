export const decide = {
  due: 'Decide',

  options: 'What you can do',
  keys: 'Pick one, or press its number',

  reason: 'Your reason',
  reasonHelp: 'In your own words: why this one, and not the others.',
  kept: 'Kept on this device until you decide.',
  counted: (n: number, most: number) => `${n.toLocaleString('en')} of ${most.toLocaleString('en')} characters`,
  over: (n: number) =>
    n === 1
      ? 'Too long by 1 character. Nothing is cut: shorten it before you decide.'
      : `Too long by ${n.toLocaleString('en')} characters. Nothing is cut: shorten it before you decide.`,

  evidence: 'What you rest it on',
  evidenceHelp: 'Tick what you heard that speaks for it.',
  noEvidence:
    'You haven’t heard anything yet that bears on this, so there is nothing to rest it on. You can decide all the same; your reason then stands alone.',
  ticked: (n: number, of: number) => `${n} of ${of} ticked`,

  never: (names: string) => `You haven’t talked with ${names}.`,
  unfinished: (names: string) => `You’re not done talking with ${names}.`,
  allTheSame: 'You can decide all the same. What you weren’t told won’t be in it.',

  toLook: 'Take a last look',
  lookTitle: 'A last look',
  youDecide: 'You decide:',
  because: 'because',
  strength: 'on the strength of',
  onNothing: 'nothing you heard.',
  once: 'A decision is made once, and stays.',
  decide: 'Decide',
  sending: 'Sending your decision',
  change: 'Change something',

  noOption: 'Pick one of the options first.',
  noReason: 'Write your reason first. One sentence is enough.',

  offline: 'You’re offline. What you write is kept on this device. Decide when you’re back.',
  unreachable:
    'There was no answer, so nobody knows whether it arrived. Everything is kept here. Try again: it counts once.',
  notHeard:
    'Something you ticked isn’t in your notebook any more. It is unticked now; the rest is kept. Look once more.',
  unknownOption: 'This simulation doesn’t offer that option any more. Your reason is kept. Pick another one.',
  tooFast: 'Those were many requests. This one was not taken, and everything is kept. Wait a minute, then try again.',
  notAdmitted:
    'This link no longer opens the run, so nothing can be decided with it. What you wrote is kept on this device.',
  failed:
    'That didn’t work just now, and nobody knows whether it was decided. Everything is kept here. Try again in a moment: it counts once.',
  arrived: 'Your decision has arrived.',

  decided: 'You decided',
  toDebrief: 'See what came of it',
  elsewhere:
    'This run was decided with other words than those you have here. A decision is made once, so this is the one that counts.',
  unsent: 'What you had written here, not sent',
  throwAway: 'Throw it away',
}
