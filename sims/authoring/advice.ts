/**
 * Advice for findings whose message doesn't say what to do ([authoring-3]). Each row has a pattern, and the advice for
 * the messages that match the pattern. `docs/reference/authoring.md` has the same table.
 */
export const ADVICE: readonly (readonly [finding: RegExp, advice: string])[] = [
  [/^states .* no document/, 'Take the figure out, or give this colleague a document that has it.'],
  [/^states .* where the document has/, 'Say it as the document does; only what is said aloud may be rounded.'],
  [/^states .* not in the document/, 'Add a line to the document, or leave the figure to whoever has it.'],
  [/^holds the separator/, 'Write it some other way: behind that line nothing is ever shown.'],
  [/^has a dash/, 'Make two sentences of it, as somebody would who talks.'],
  [/^is a list/, 'Say the one that matters and leave the rest for when they are asked.'],
  [/own name$/, 'Say "I", or let a colleague name them.'],
  [/which nobody says at work$/, 'Answer the matter instead of the person; react to what was said.'],
  [/^runs past three sentences/, 'Cut it, or make two lines of it.'],
  [/^is a line this colleague has already/, 'Word it anew: the second one would be refused as said before.'],
  [/^names a field of the report/, 'Say it in other words. The names of the fields are in docs/reference/reply.md.'],
  [/is there already$/, 'Take one of the two out.'],
  [/^nobody here is called/, 'Name somebody by their id, or add them to npcs.'],
  [/^there is no objective/, 'Name one of objectives by its id, or add it there.'],
  [/^sends the learner to themselves/, 'Name somebody else, or write null.'],
  [/^is not the title of one of the options/, 'Copy the title from decision.options, to the letter.'],
  [/^".*" is no colleague to send a question to/, 'Name another colleague of this file by their id.'],
  [/^says nothing for a question that is/, 'Add { npc, say } to redirects: everybody knows whose a question is.'],
  [/^there is another/, 'Give one of the two another id.'],
  [
    /^has no lines for/,
    'Write a node of that name with at least an open line; docs/reference/tiers.md says what it is for.',
  ],
  [/^is no node that this colleague walks/, 'Take it out: it belongs to another tier, or to a fork that is not there.'],
  [/^runs dry before/, 'Add lines to stay or escalated; but for a gate, lines in asides.idle do as well.'],
  [/^has no aside for/, 'Write one or two lines for this case; docs/reference/rehearsal.md says when each is said.'],
  [/^is asked in no node/, 'Call it p1 or p2, which TECHNICAL and EXPERT ask, or take it out.'],
  [/^has to end on a question/, 'End it with what you want to know, and a question mark.'],
  [
    /^has \d+ entr(?:y|ies) for \d+ decision facts?/,
    'Write one entry of groups for each decision fact, in their order.',
  ],
  [/^has a group the fact itself holds no term of/, 'Put a word of the fact itself into each group.'],
  [/^has \d+ questions? for \d+ groups?/, 'Write one question for each group, in their order.'],
  [/^does not tell the first decision fact/, 'Say the fact in this line, with a term of every group in it.'],
  [/does not walk as a guide$/, 'Write walk: guide for them, or name whoever does.'],
  [/^is in nothing that .* says$/, 'Put a line in their mouth that tells it, or fit heard to what they say.'],
  [
    /^is deciding and not told to everybody/,
    'Put it in their document, or in what a node opens with that everybody comes to, so not in CONFIDE, PIVOT_2 or RESOLVE.',
  ],
  [/^tells .* which counts only from/, 'Leave it to them, or fit heard so that nothing but the fact tells it.'],
  [/^has to have one ending for each/, 'Write an ending for each option, in the order of decision.options.'],
  [/^has \d+ right answers/, 'Give exactly one ending the verdict right.'],
  [/^there is no fact/, 'Name facts by their id, or add it to simulation.facts.'],
  [
    /^has a right answer that rests on/,
    'Let what decides be told by two people: move a fact, or add one to the ending.',
  ],
  [/^may tell nothing/, 'Give one paragraph of the ending no condition, or an otherwise.'],
  [
    /^".*" opens an option and is not told to everybody/,
    'Let the option need a fact that everybody hears: put this one in the document, or name another.',
  ],
  [
    /^has \d+ options? that (?:is|are) open from the start/,
    'Take needs from an option, so that two can be chosen by everybody.',
  ],
  [/^follows nothing that/, 'Copy a part of the line after which this answer comes, word for word.'],
  [/is deciding and speaks about no ending$/, 'Name it in facts of an ending, or make it deciding: false.'],
]

/** Returns the advice for a finding's message; empty if the message needs no advice. */
export function whatToDo(message: string): string {
  return ADVICE.find(([finding]) => finding.test(message))?.[1] ?? ''
}
