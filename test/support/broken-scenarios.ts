/**
 * Versions of the example of docs/reference/authoring.md, each with one error. There is one version for every kind of error for
 * which the check gives advice. `finding` is a part of the text of the finding that the check must report.
 */
export const BROKEN: readonly {
  readonly name: string
  readonly change: (yaml: string) => string
  readonly finding: string
}[] = [
  swapped(
    'a figure and no document',
    '- Mind the pen, it stains.',
    '- Mind the 12 pens.',
    'states 12, and this colleague has no document',
  ),
  swapped(
    'a figure a little off',
    'gusts of 52 km/h from eleven on',
    'gusts of 52.4 km/h from eleven on',
    'states 52 where the document has 52.4',
  ),
  swapped(
    'a figure that is nowhere',
    'Come in, mind the boots.',
    'Come in, all 17 of you.',
    'states 17, which is not in the document',
  ),
  swapped('the separator', 'skills:\n', 'skills:\n    - "---END---"\n', 'holds the separator'),
  swapped('a dash', 'Come in, mind the boots.', 'Come in \u2014 mind the boots.', 'has a dash'),
  swapped('a list', '- Come in, mind the boots.', '- "- Come in."', 'is a list'),
  swapped('their own name', 'Come in, mind the boots.', 'Nadia says come in.', 'says the speaker’s own name'),
  swapped('praise', 'I rang them twice.', 'Good question.', 'says "Good question", which nobody says at work'),
  swapped(
    'a speech',
    'I rang them twice.',
    'I rang them. They rang back. I rang again. We talked.',
    'runs past three sentences',
  ),
  swapped('a line twice', 'I rang them twice.', "You've gone quiet.", 'is a line this colleague has already'),
  swapped(
    'a field of the report',
    'Mind the pen, it stains.',
    'Mind the node_satisfied.',
    'names a field of the report',
  ),
  swapped('somebody twice', 'completes: [nadia, joel]', 'completes: [nadia, nadia]', '"nadia" is there already'),
  swapped('a stranger', 'npc: joel\n      why', 'npc: bob\n      why', 'nobody here is called "bob"'),
  swapped('a strange objective', 'objective: know-the-wind', 'objective: know-the-rain', 'there is no objective'),
  swapped('themselves', 'npc: joel\n      why', 'npc: nadia\n      why', 'sends the learner to themselves'),
  swapped(
    'a strange call',
    "rightCall: 'On the lawn, a week later'",
    'rightCall: Whenever',
    'is not the title of one of the options',
  ),
  swapped(
    'a redirect to nobody',
    '- npc: otto\n          say:\n            - Otto will know',
    '- npc: anna\n          say:\n            - Otto will know',
    '"anna" is no colleague to send a question to',
  ),
  swapped(
    'no redirect',
    /        - npc: otto\n          say:\n            - Otto will know.*\n/,
    '',
    'says nothing for a question that is',
  ),
  swapped('an id twice', 'id: slots\n', 'id: hall-limit\n', 'there is another fact'),
  swapped(
    'a node without lines',
    /        GROUND:\n          stay:\n            - Come in.*\n/,
    '',
    'has no lines for GROUND',
  ),
  swapped(
    'a node of another tier',
    'GROUND:\n',
    'ASK:\n          open:\n            - Well?\n        GROUND:\n',
    'is no node that this colleague walks',
  ),
  swapped(
    'a gate that runs dry',
    /            - It isn't a feeling.*\n.*say it back.*\n/,
    '',
    'runs dry before 6 exchanges',
  ),
  swapped('a case without an aside', /        insult:\n(?: {10}- .*\n)+/, '', 'has no aside for insult'),
  swapped('a fork that nothing asks', 'id: p1', 'id: p3', 'is asked in no node that this colleague walks'),
  swapped('a fork without a question', 'Which of the two?', 'One of the two.', 'has to end on a question'),
  swapped(
    'a fact that nothing registers',
    "acknowledgements:\n        - groups:\n            - ['52'",
    "acknowledgements:\n        - groups: [[wind]]\n        - groups:\n            - ['52'",
    'has 2 entries for 1 decision fact',
  ),
  swapped(
    'a group without a term',
    /- \['38', the limit.*/,
    '- [thirty, the boundary]',
    'has a group the fact itself holds no term of',
  ),
  swapped(
    'a group without a question',
    "acknowledgements:\n        - groups:\n            - ['52'",
    "acknowledgements:\n        - questions: ['How strong will it be?']\n          groups:\n            - ['52'",
    'has 1 question for 2 groups',
  ),
  swapped(
    'a gate that tells nothing',
    "Here's what I can't get around. The tent may stand in 38 km/h, and on Saturday it gets 52 km/h.",
    "Here's what I can't get around. It's windy.",
    'does not tell the first decision fact',
  ),
  swapped('a guide who is none', 'guide: otto', 'guide: joel', 'joel does not walk as a guide'),
  swapped(
    'a fact that nobody tells',
    'heard: [[exam, exams]]',
    'heard: [[graduation]]',
    'is in nothing that joel says',
  ),
  swapped(
    'a deciding fact in confidence alone',
    'heard: [[52 km/h, 52 kilometres]]',
    'heard: [[cheap that day]]',
    'is deciding and not told to everybody who stays to the end',
  ),
  swapped(
    'a fact of somebody else',
    'I rang them twice.',
    "There's an exam the week after.",
    'tells "exam-week", which counts only from joel',
  ),
  swapped(
    'endings in another order',
    /option: tent\n([^]*)option: hall\n/,
    'option: hall\n$1option: tent\n',
    'has to have one ending for each',
  ),
  swapped('two right answers', 'verdict: defensible', 'verdict: right', 'has 2 right answers'),
  swapped('a strange fact', 'facts: [gusts, exam-week]', 'facts: [gusts, rain]', 'there is no fact "rain"'),
  swapped(
    'one who holds it all',
    'facts: [gusts, tent-limit, hall-limit, slots]',
    'facts: [gusts, tent-limit]',
    'has a right answer that rests on',
  ),
  swapped(
    'an ending with nothing but conditions',
    /        - >-\n          Everybody is written to[^]*?families come\.\n/,
    '        - { when: { cited: [gusts] }, text: Later. }\n',
    'may tell nothing, because every paragraph has a condition',
  ),
  {
    name: 'an option that few can earn',
    change: (yaml) =>
      yaml
        .replace("'In the hall, in three slots' }", "'In the hall, in three slots', needs: [exam-week] }")
        .replace('whole site reserved, exam', 'whole site reserved'),
    finding: '"exam-week" opens an option and is not told to everybody who stays to the end',
  },
  swapped(
    'one open option',
    /id: (tent|hall), /g,
    'id: $1, needs: [gusts], ',
    'has 1 option that is open from the start',
  ),
  swapped(
    'an answer after nothing',
    /(\n *)- asks:(?= )/,
    '$1- follows: a line of nobody$1  asks:',
    'follows nothing that this colleague says',
  ),
  swapped(
    'a question after nothing',
    /(\n *)- asks:(?= )/,
    '$1- after: [{ line: a line of nobody, asks: [why] }]$1  asks:',
    'follows nothing that this colleague says',
  ),
  {
    name: 'a fact that decides nothing',
    change: (yaml) =>
      yaml
        .replace('heard: [[exam, exams]]\n      deciding: false', 'heard: [[exam, exams]]\n      deciding: true')
        .replace('facts: [gusts, exam-week]', 'facts: [gusts]'),
    finding: '"exam-week" is deciding and speaks about no ending',
  },
]

function swapped(name: string, from: string | RegExp, to: string, finding: string) {
  return { name, change: (yaml: string) => yaml.replace(from, to), finding }
}
