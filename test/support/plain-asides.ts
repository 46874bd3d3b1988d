import type { Asides } from '../../worker/core/scenario/rehearsal-lines.ts'

/** Lines with which any colleague answers a message that is off topic. */
export const plainAsides: Asides = {
  unknown: ["I haven't got that one.", 'No figure for that, not here.', "That isn't on my page."],
  noIdea: ["I couldn't tell you.", "I don't know that.", 'Not something I follow.'],
  inOtherWords: ['Another way, then.', "I'll try again.", 'More plainly.'],
  again: ['As I said.', 'Same as before.', "It hasn't changed."],
  pushback: ["I wouldn't wave that off.", "You can leave it out, but it won't go away.", 'Look at it once more.'],
  offTopic: ['Another time.', 'Not today.', "Let's stay with this."],
  hello: ['Hello again.', 'Yes, hello.'],
  thanks: ["You're welcome.", 'Any time.'],
  wordless: ['Sorry, what was that?', "I didn't get that.", 'Say it in words?'],
  foreign: ['In English, please.', 'I only have English.', 'English would help me.'],
  insult: ["I'll let that go.", 'Noted.', "We can stop if you'd like."],
  idle: ['Take your time.', "I'm listening.", 'Go on.', "There's no hurry.", 'Mm.', 'What else?'],
  quoting: ['It says, "{line}".', '"{line}", word for word.'],
}
