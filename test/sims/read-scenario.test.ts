import { SHIPPED_LIBRARY } from '../support/backbones.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkSimulation } from '../../sims/authoring/check-simulation.ts'
import { formatFinding } from '../../sims/authoring/finding.ts'
import { readScenario } from '../../sims/authoring/read-scenario.ts'
import { factsIn } from '../../worker/core/run/facts-in.ts'
import type { Simulation } from '../../worker/core/scenario/scenario.ts'
import { simulationFile } from '../support/play-run.ts'
import { npcOf } from '../support/rehearsal-conversation.ts'
import { WalkedConversation } from '../support/walked-conversation.ts'
import { oneIn, variants } from '../support/runs.ts'

const FILE = 'sims/launch-decision/scenario.yaml'
const shipped = readFileSync(new URL(`../../${FILE}`, import.meta.url), 'utf8')
/**
 * The shipped file with few answers of each colleague: some, and those that alone tell a fact or that a test changes. It
 * is a third as long, and so is the time to check it.
 */
const short = shipped.replaceAll(/(?<=^ {6}answers:\n)(?: {8}.*\n)+/gm, (answers) =>
  answers
    .split(/^(?= {8}- )/m)
    .filter((answer) => !/^ {10}follows: /m.test(answer))
    .filter(
      (answer, place) =>
        place < 3 ||
        /until ten|1,000|general ceiling|Maya'+s rate|painkillers|four or so a day|Maya, then Marcus|day and night, and book|has to sign for/.test(
          answer,
        ),
    )
    .join('')
    .replaceAll(/^ {10}after:\n(?: {12}.*\n)+/gm, ''),
)
const launch = simulationFile('launch-decision')

describe('the shipped scenarios', () => {
  it.each(variants(['launch-decision', 'night-shift', 'night-shift-es', 'third-figure']))(
    '[rehearsal-21] [rehearsal-22] [rehearsal-23] [rehearsal-24] [rehearsal-25] [rehearsal-30] %s has no finding',
    (name) => {
      const text = readFileSync(new URL(`../../sims/${name}/scenario.yaml`, import.meta.url), 'utf8')
      expect(findingsOf(text)).toEqual([])
    },
  )

  it.each(['launch-decision', 'night-shift', 'third-figure'])(
    '[version-19] %s fits into a row of the database',
    (name) => {
      // D1 keeps at most 2,000,000 bytes in a row.
      expect(Buffer.byteLength(JSON.stringify(simulationFile(name)))).toBeLessThan(1_800_000)
    },
  )

  it('[rehearsal-21] the launch decision has no finding with fewer answers either', () => {
    expect(short.length).toBeLessThan(shipped.length / 3)
    expect(findingsOf(short)).toEqual([])
  })

  it('[rehearsal-22] the launch decision cannot be taken from one colleague’s figures', () => {
    const pages = launch.npcs.map((npc) => [...(npc.document?.lines ?? []), ...npc.knowledge].join('\n'))
    const needed = [/23\.4%/, /held back for up to 30 days/, /config change, 20 minutes/]
    expect(pages.map((page) => needed.map((fact) => fact.test(page))).filter((row) => row.every(Boolean))).toEqual([])
    expect(needed.every((fact) => pages.some((page) => fact.test(page)))).toBe(true)
  })

  it('[debrief-23] a skill names facts of its own, and the hook tells none', () => {
    const says = (part: Partial<Simulation>) =>
      checkSimulation({ ...launch, simulation: { ...launch.simulation, ...part } }).map(({ message }) => message)
    expect(
      says({ skills: ['Patience', { title: 'Care', facts: ['gate', 'rain'] }, { title: 'Calm', facts: ['gate'] }] }),
    ).toEqual(['there is no fact "rain"', '"gate" shows another skill already: leave it under one of them'])
    expect(says({ hook: { npc: 'bob', line: 'Hello.' } })).toEqual(['nobody here is called "bob"'])
    expect(says({ hook: { npc: 'maya', line: 'It fails at 23.4%.' } })).toEqual([
      'tells "medical-rate" before anybody plays: take another line',
    ])
  })

  it('[debrief-1] how fast something is, in the launch decision, tells nothing of what it does', () => {
    const ines = npcOf(launch, 'ines')
    const gate = launch.simulation.facts.filter(({ id }) => id === 'gate')
    const told = (text: string) => factsIn(gate, text).map(({ fact }) => fact)
    const { speech } = new WalkedConversation(launch, ines).play(['Hi']).say('How fast is it?')
    const answers = ines.rehearsal.answers.flatMap(({ say, point }) =>
      point === 'the switch takes 20 minutes' ? say : [],
    )
    expect(answers.length).toBeGreaterThan(0)
    expect(speech).toContain(answers[0])
    expect([speech, ...answers].flatMap(told)).toEqual([])
    const opening = ines.rehearsal.nodes['DECISIVE']?.open.map((line) => (typeof line === 'string' ? line : line.say))
    expect(told((opening ?? []).join(' '))).toEqual(['gate'])
    expect(ines.document?.lines.flatMap(told)).toEqual(['gate'])
  })
})

/**
 * Each defect is one change to the shipped file, with the message that the change must cause and the text at the
 * message's position.
 */
const defects: readonly { rule: string; what: string; from: string; to: string; says: string; at: string }[] = [
  {
    rule: 'rehearsal-21',
    what: 'a misspelt key',
    from: '    role: QA lead',
    to: '    rolle: QA lead',
    says: '/npcs/0/rolle  is not a key',
    at: 'rolle: QA lead',
  },
  {
    rule: 'rehearsal-21',
    what: 'a missing key',
    from: '    hue: 200\n',
    to: '',
    says: '/npcs/0/hue  ',
    at: '- id: maya',
  },
  {
    rule: 'rehearsal-21',
    what: 'a wrong type',
    from: '    hue: 200',
    to: '    hue: blue',
    says: '/npcs/0/hue  ',
    at: 'hue: blue',
  },
  {
    rule: 'rehearsal-21',
    what: 'an empty line',
    from: '      - quality\n',
    to: "      - ''\n",
    says: 'is empty',
    at: "''\n    rehearsal",
  },
  {
    rule: 'rehearsal-21',
    what: 'a mood out of bounds',
    from: 'mood: 12',
    to: 'mood: 120',
    says: 'choices/0/mood',
    at: 'mood: 120',
  },
  {
    rule: 'rehearsal-21',
    what: 'a line of neither form',
    from: '            - Before I go on, one thing.',
    to: '            - { says: Before I go on. }',
    says: 'neither a line nor',
    at: '{ says: Before',
  },
  {
    rule: 'rehearsal-21',
    what: 'a quote without its line',
    from: `"{line}".'`,
    to: `"line".'`,
    says: 'where the {line} goes',
    at: `'It''s on the page: "line"`,
  },
  {
    rule: 'rehearsal-22',
    what: 'a colleague twice',
    from: '  - id: ines\n',
    to: '  - id: marcus\n',
    says: 'there is another colleague "marcus"',
    at: 'id: marcus\n    name: Ines',
  },
  {
    rule: 'run-13',
    what: 'a run that a stranger completes',
    from: '  completes: [maya, marcus, ines]',
    to: '  completes: [maya, bob]',
    says: 'nobody here is called "bob"',
    at: 'bob]',
  },
  {
    rule: 'run-13',
    what: 'a run that somebody completes twice',
    from: '  completes: [maya, marcus, ines]',
    to: '  completes: [maya, maya]',
    says: '"maya" is there already',
    at: 'maya]',
  },
  {
    rule: 'run-13',
    what: 'a run that nobody completes',
    from: '  completes: [maya, marcus, ines]',
    to: '  completes: []',
    says: 'is an empty list',
    at: 'completes: []',
  },
  {
    rule: 'run-13',
    what: 'a run that is completed by a word',
    from: '  completes: [maya, marcus, ines]',
    to: '  completes: maya',
    says: 'neither all nor a list of colleagues',
    at: 'completes: maya',
  },
  {
    rule: 'rehearsal-22',
    what: 'an objective twice',
    from: 'id: size-the-risk,',
    to: 'id: get-your-bearings,',
    says: 'there is another objective',
    at: 'id: get-your-bearings, title: Learn',
  },
  {
    rule: 'rehearsal-22',
    what: 'a choice twice',
    from: '          - id: b\n            text: Just the number',
    to: '          - id: a\n            text: Just the number',
    says: 'there is another choice "a"',
    at: 'id: a\n            text: Just',
  },
  {
    rule: 'rehearsal-22',
    what: 'an unknown next person',
    from: '      npc: marcus\n      why',
    to: '      npc: bob\n      why',
    says: 'nobody here is called "bob"',
    at: 'npc: bob',
  },
  {
    rule: 'rehearsal-22',
    what: 'oneself as next',
    from: '      npc: marcus\n      why',
    to: '      npc: maya\n      why',
    says: 'sends the learner to themselves',
    at: 'npc: maya\n      why',
  },
  {
    rule: 'rehearsal-22',
    what: 'an unknown objective',
    from: 'objective: size-the-risk',
    to: 'objective: size-the-boat',
    says: 'there is no objective "size-the-boat"',
    at: 'objective: size-the-boat',
  },
  {
    rule: 'rehearsal-22',
    what: 'a redirect to a stranger',
    from: '        - npc: otto\n',
    to: '        - npc: nora\n',
    says: '"nora" is no colleague',
    at: 'npc: nora',
  },
  {
    rule: 'rehearsal-22',
    what: 'a colleague without redirect',
    from: '        - npc: otto\n',
    to: '        - npc: nora\n',
    says: "for a question that is otto's",
    at: 'redirects:',
  },
  {
    rule: 'rehearsal-22',
    what: 'a right call that is no option',
    from: 'rightCall: Hold everything back a week and test again',
    to: 'rightCall: Hope',
    says: 'not the title of one of the options',
    at: 'rightCall: Hope',
  },
  {
    rule: 'rehearsal-22',
    what: 'a fork with one choice',
    from: oneFork(),
    to: '',
    says: '2 to 4 choices',
    at: 'choices:',
  },
  {
    rule: 'rehearsal-22',
    what: 'a fork without a question',
    from: 'do you want\n          what I actually think?',
    to: 'do you want\n          what I actually think.',
    says: 'has to end on a question',
    at: 'question: >-\n          Everyone',
  },
  {
    rule: 'rehearsal-22',
    what: 'a fork that nothing asks',
    from: "      - id: p2\n        question: >-\n          There's a box",
    to: "      - id: p3\n        question: >-\n          There's a box",
    says: 'is asked in no node that this colleague walks',
    at: 'id: p3',
  },
  {
    rule: 'rehearsal-30',
    what: 'a fact that somebody else says',
    from: 'Regulated advice has its own, a lot lower,',
    to: 'Regulated advice has 2.0%, a lot lower,',
    says: 'tells "ceiling", which counts only from maya',
    at: 'say: >-\n                There are two ceilings',
  },
  {
    rule: 'rehearsal-30',
    what: 'a fact on somebody else’s page',
    from: 'see annex A (held by testing)',
    to: '2.0%',
    says: 'tells "ceiling", which counts only from maya',
    at: "'C.3 Error ceilings",
  },
  {
    rule: 'rehearsal-30',
    what: 'a deciding fact for those alone who get along',
    from: 'heard: [[23.4%, 23%, 23.4 percent, 44 of the 188]]',
    to: 'heard: [[too thin to sign]]',
    says: 'is deciding and not told to everybody who stays to the end',
    at: 'heard: [[too thin',
  },
  {
    rule: 'rehearsal-30',
    what: 'a deciding fact for those alone who registered it',
    from: 'heard: [[23.4%, 23%, 23.4 percent, 44 of the 188]]',
    to: 'heard: [[my version, in the way]]',
    says: 'is deciding and not told to everybody who stays to the end',
    at: 'heard: [[my version',
  },
  {
    rule: 'rehearsal-30',
    what: 'a deciding fact in the handing on of a question',
    from: 'heard: [[23.4%, 23%, 23.4 percent, 44 of the 188]]',
    to: 'heard: [[touch the machinery]]',
    says: 'is deciding and not told to everybody who stays to the end',
    at: 'heard: [[touch the machinery',
  },
  {
    rule: 'rehearsal-23',
    what: 'a rounded figure in knowledge',
    from: '8.1% overall and 23.4%',
    to: '8% overall and 23.4%',
    says: 'states 8% where the document has 8.1%',
    at: 'Run 47 came out at 8%',
  },
  {
    rule: 'rehearsal-23',
    what: 'an unknown figure in knowledge',
    from: 'rest of the run sits at 6.9%.\n      -',
    to: 'rest of the run sits at 61%.\n      -',
    says: 'states 61%, which is not in the document',
    at: 'Leave medical advice out',
  },
  {
    rule: 'rehearsal-23',
    what: 'an unknown figure in speech',
    from: "- 'Overall, 8.1% of the answers were wrong.'",
    to: "- 'Overall, 12% of the answers were wrong.'",
    says: 'states 12%',
    at: 'Overall, 12%',
  },
  {
    rule: 'rehearsal-23',
    what: 'a figure without a document',
    from: 'Maya, then Marcus, then Ines.\n',
    to: 'Maya, then 40% of Marcus.\n',
    says: 'has no document to have it from',
    at: 'Maya, then 40%',
  },
  {
    rule: 'rehearsal-24',
    what: 'a dash',
    from: '- Hold on, let me ask',
    to: '- Hold on \u2014 let me ask',
    says: 'has a dash',
    at: 'Hold on \u2014',
  },
  {
    rule: 'rehearsal-24',
    what: 'a list',
    from: '            - Hold on, let me ask you something first.',
    to: '            - |-\n              Two things.\n              1. Why?',
    says: 'is a list',
    at: '|-\n              Two',
  },
  {
    rule: 'rehearsal-24',
    what: 'an own name',
    from: '- Hold on, let me ask',
    to: '- Maya here, let me ask',
    says: 'own name',
    at: 'Maya here',
  },
  {
    rule: 'rehearsal-24',
    what: 'praise',
    from: '- Hold on, let me ask',
    to: '- Great question, let me ask',
    says: '"Great question"',
    at: 'Great question',
  },
  {
    rule: 'rehearsal-24',
    what: 'a speech',
    from: '- Hold on, let me ask',
    to: '- One. Two. Three. Four, let me ask',
    says: 'past three sentences',
    at: 'One. Two.',
  },
  {
    rule: 'rehearsal-24',
    what: 'a line twice',
    from: '- Hold on, let me ask you something first.',
    to: '- Before I go on, one thing.',
    says: 'is a line this colleague has already',
    at: 'Before I go on, one thing.\n          stay',
  },
  {
    rule: 'rehearsal-24',
    what: 'a separator',
    from: 'role: QA lead',
    to: 'role: QA ---END--- lead',
    says: 'holds the separator',
    at: 'role: QA ---END',
  },
  {
    rule: 'rehearsal-25',
    what: 'a node without lines',
    from: '        PIVOT_1:\n',
    to: '        PIVOT_9:\n',
    says: 'has no lines for PIVOT_1',
    at: 'nodes:',
  },
  {
    rule: 'rehearsal-25',
    what: 'a gate that runs dry',
    from: gateStay(),
    to: '          stay: []\n',
    says: 'runs dry before 6 exchanges',
    at: 'DECISIVE:',
  },
  {
    rule: 'rehearsal-25',
    what: 'a fact nobody can register',
    from: "- ['23.4%', order of magnitude",
    to: "- ['99.9%', order of magnitude",
    says: 'the fact itself holds no term',
    at: "groups:\n            - ['99.9%'",
  },
  {
    rule: 'rehearsal-25',
    what: 'facts without entries',
    from: '    decisionFacts:\n',
    to: '    decisionFacts:\n      - Medical advice fails.\n',
    says: 'has 1 entry for 2 decision facts',
    at: 'acknowledgements:',
  },
  {
    rule: 'rehearsal-25',
    what: 'a gate that does not tell',
    from: "regulated, and we're at 23.4%.\n              point",
    to: 'regulated, and we are not.\n              point',
    says: 'does not tell the first decision fact',
    at: "say: >-\n                It's the contract",
  },
]

describe('a defect', () => {
  it.each(oneIn(4, defects).map((defect) => [`[${defect.rule}] ${defect.what}`, defect] as const))(
    '%s is found, at its line',
    (_, { from, to, says, at }) => {
      const text = changed(from, to)
      const line = lineOf(text, at)
      const found = findingsOf(text).filter((finding) => finding.includes(says))
      expect(found.length).toBeGreaterThan(0)
      expect(found.map((finding) => Number(finding.split(':')[1]))).toContain(line)
    },
  )

  it('[rehearsal-30] of a deciding fact that only CONFIDE tells is found', () => {
    const nightShift = readFileSync(new URL('../../sims/night-shift/scenario.yaml', import.meta.url), 'utf8')
    const text = nightShift.replace('heard: [[18 hours, eighteen hours]]', 'heard: [[second plate]]')
    expect(findingsOf(text)).toEqual([
      expect.stringMatching(/facts\/10\/heard {2}is deciding and not told to everybody who stays to the end$/),
    ])
  })

  it('[rehearsal-30] of a deciding fact that only RESOLVE tells is found: whom the gate turns away never comes there', () => {
    const text = short.replace(/heard: \[\[30 days.*/, 'heard: [[one piece missing]]')
    expect(findingsOf(text)).toEqual([
      // An option needs this fact.
      expect.stringMatching(/needs\/0 {2}"phasing" opens an option and is not told to everybody who stays to the end$/),
      expect.stringMatching(/heard {2}is deciding and not told to everybody who stays to the end$/),
    ])
  })

  it('[rehearsal-21] of the YAML itself is found at its line and column', () => {
    const reading = readScenario('id: a\ntitle: [b\nrole: c\n', 'x.yaml', SHIPPED_LIBRARY)
    expect(reading.ok).toBe(false)
    if (!reading.ok) expect(formatFinding(reading.findings[0]!)).toMatch(/^x\.yaml:3:\d+ error form \/ {2}/)
  })

  it('[rehearsal-21] a key given twice is not the last one wins', () => {
    const reading = readScenario('id: a\nid: b\n', 'x.yaml', SHIPPED_LIBRARY)
    expect(reading.ok ? '' : reading.findings[0]?.message).toMatch(/unique/)
  })

  it.each(['', '[]', '42', 'null', 'npcs: 3', 'npcs: [null, 3, {name: 5}]'])(
    '[rehearsal-21] a file that is %j is refused, not crashed on',
    (text) => {
      expect(readScenario(text, 'x.yaml', SHIPPED_LIBRARY).ok).toBe(false)
    },
  )

  it('[rehearsal-21] comes with all the others, in the order of the file', () => {
    const text = changed('    role: QA lead', '    role: 5')
      .replace('- Hold on, let me ask', '- Hold on \u2014 let me ask')
      .replace('mood: 12', 'mood: x')
    const reading = readScenario(text, FILE, SHIPPED_LIBRARY)
    const lines = reading.ok ? [] : reading.findings.map(({ line }) => line)
    expect(lines).toHaveLength(3)
    expect(lines).toEqual(lines.toSorted((a, b) => a - b))
  })
})

describe('a mistake', () => {
  it.each([
    [
      'a misspelt key that has to be there',
      '    subjects:',
      '    subject:',
      'npcs/0/subjects  is missing',
      'npcs/0/subject  is not a key',
    ],
    [
      'a misspelt key that may be left out',
      'synonyms:',
      'synonim:',
      '/synonim  is not a key',
      '/synonim  is not a key',
    ],
    [
      'a key of nothing near',
      '    role: QA lead',
      '    role: QA lead\n    colour: red',
      '/colour  is',
      '/npcs/0/colour  is',
    ],
    ['a key with two letters swapped', '    owns:', '    onws:', 'owns  is missing', '/onws  is not a key'],
    ['a misspelt key in a line with a point', '              point: ', '              pont: ', 'is neither a line nor'],
    ['a key that is missing', '    hue: 200\n', '', '/npcs/0/hue  is missing'],
    ['a value of the wrong type', 'deciding: true', 'deciding: maybe', 'has to be true or false'],
    ['a node in lower case', '        SURFACE:', '        surface:', 'node ids are upper case'],
  ])('[rehearsal-21] %s hides no other finding', (_, from, to, ...slips) => {
    const found = findingsOf(changed(from, to).replace(/( {8}- npc: )marcus/, '$1bob'))
    for (const slip of slips) expect(found).toContainEqual(expect.stringContaining(slip))
    expect(found).toContainEqual(expect.stringContaining('"bob" is no colleague to send a question to'))
  })

  it('[rehearsal-21] that hides a part leads to no finding about the part that replaces it', () => {
    const slip = changed('    knowledge:\n', '    whatMatters:\n')
    expect(findingsOf(slip).map((finding) => finding.replace(/^.*? /, ''))).toEqual([
      'error form /npcs/0/knowledge  is missing. It has to be a list',
      'error form /npcs/0/whatMatters  is not a key this file knows',
    ])
  })
})

function findingsOf(text: string): readonly string[] {
  const reading = readScenario(text, FILE, SHIPPED_LIBRARY)
  return reading.ok ? [] : reading.findings.map(formatFinding)
}

function changed(from: string, to: string): string {
  if (!short.includes(from)) throw new Error(`the scenario no longer has: ${from}`)
  return short.replace(from, () => to)
}

function lineOf(text: string, at: string): number {
  const offset = text.indexOf(at)
  if (offset < 0) throw new Error(`the changed scenario has no: ${at}`)
  return text.slice(0, offset).split('\n').length
}

/** Returns the source text of the second and third choice of Maya's first fork. */
function oneFork(): string {
  const start = short.indexOf('          - id: b\n            text: Just the number')
  return short.slice(start, short.indexOf('      - id: p2', start))
}

function gateStay(): string {
  const start = short.indexOf('          stay:\n', short.indexOf('        DECISIVE:'))
  return short.slice(start, short.indexOf('          escalated:', start))
}
