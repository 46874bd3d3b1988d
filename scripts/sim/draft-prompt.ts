import { answerSchema, listOf, recordOf, TEXT, TEXTS } from '../../worker/core/briefing/task-sections.ts'
import type { SpeakingNode } from '../../worker/core/graph/graph.ts'
import type { Asides, AuthoredAnswer } from '../../worker/core/scenario/rehearsal-lines.ts'
import { factsIn } from '../../worker/core/run/facts-in.ts'
import type { Npc, Scenario, ScenarioFact } from '../../worker/core/scenario/scenario.ts'
import { LONGEST_STAY, runsDry } from '../../sims/authoring/check-walks.ts'
import { linesSpoken } from '../../sims/authoring/texts.ts'

/** The lines that a colleague lacks. The command asks the model for these lines. */
export interface MissingLines {
  readonly nodes: readonly AskedNode[]
  /** How many answers to foreseen questions. */
  readonly answers: number
  /** The answers that recognise few ways of asking. */
  readonly paraphrases: readonly AuthoredAnswer[]
  /** The facts of this colleague that no line tells. */
  readonly facts: readonly ScenarioFact[]
  /** The decision facts without an entry. */
  readonly acknowledgements: readonly string[]
  /** The colleagues to whom no line sends a learner. */
  readonly redirects: readonly Npc[]
  readonly asides: readonly (keyof Asides)[]
}

interface AskedNode {
  readonly id: string
  readonly purpose: string
  readonly content: readonly string[]
  /** Whether every `stay` line has to ask the node's question again. */
  readonly asksAgain: boolean
  readonly counts: Readonly<Record<'open' | 'stay' | 'escalated' | 'satisfied', number>>
}

/** The cases of asides, with the number of lines for each and its meaning for the model. */
const CASES: Readonly<Record<keyof Asides, readonly [count: number, meaning: string]>> = {
  unknown: [2, 'they ask for a figure that you do not have'],
  noIdea: [2, 'they ask something else that you cannot answer'],
  inOtherWords: [1, 'they did not understand; the next line explains, this one leads to it'],
  again: [1, 'they ask for something that you have said; this leads to saying it again'],
  pushback: [2, 'they wave your main point away'],
  offTopic: [2, 'they talk about something private or far away'],
  hello: [1, 'they greet you in the middle of the talk'],
  thanks: [1, 'they thank you'],
  wordless: [2, 'their message is empty or has no words'],
  foreign: [2, 'they write in a language that you do not read'],
  insult: [2, 'they insult you; stay cool and brief'],
  idle: [6, 'you have nothing new to say; fits anywhere in the talk'],
  quoting: [1, 'you read from your document; the line contains {line}, which is replaced by the quoted text'],
}

/** The fewest foreseen questions that a colleague should have an answer to. */
const FEWEST_ANSWERS = 3
const ANSWERS = 6
/** The fewest ways of asking that an answer should recognise. */
const FEWEST_ASKS = 3

/** Returns what a colleague lacks; null if they lack nothing. */
export function askedOf({ npcs, simulation }: Scenario, npc: Npc, nodes: readonly SpeakingNode[]): MissingLines | null {
  const { rehearsal, decisionFacts } = npc
  // Idle lines are asked for only if there are none.
  const idle = rehearsal.asides.idle.length || CASES.idle[0]
  const asked: MissingLines = {
    nodes: nodes.filter((node) => isShort(node, npc, idle)).map((node) => askedNode(node, idle)),
    answers: rehearsal.answers.length < FEWEST_ANSWERS ? ANSWERS : 0,
    paraphrases: rehearsal.answers.filter(({ asks }) => asks.length < FEWEST_ASKS),
    facts: (simulation?.facts ?? []).filter((fact) => fact.npc === npc.id && !isTold(fact, npc)),
    acknowledgements: decisionFacts.slice(rehearsal.acknowledgements.length),
    redirects: npcs.filter(({ id }) => id !== npc.id && !rehearsal.redirects.some((each) => each.npc === id)),
    asides: asideNames().filter((name) => rehearsal.asides[name].length === 0),
  }
  const isNothing = Object.values(asked).every((part) => part === 0 || (Array.isArray(part) && part.length === 0))
  return isNothing ? null : asked
}

function isTold(fact: ScenarioFact, npc: Npc): boolean {
  return linesSpoken(npc, []).some(({ text }) => factsIn([fact], text).length > 0)
}

function asideNames(): readonly (keyof Asides)[] {
  return Object.keys(CASES) as (keyof Asides)[]
}

function isShort(node: SpeakingNode, { rehearsal }: Npc, idle: number): boolean {
  const lines = rehearsal.nodes[node.id]
  return lines === undefined || runsDry(node, lines, idle)
}

function askedNode(node: SpeakingNode, idle: number): AskedNode {
  const isFork = node.kind === 'pivot'
  const counts = isGate(node)
    ? { open: 1, stay: 4, escalated: 2, satisfied: 1 }
    : { open: 1, stay: Math.max(2, LONGEST_STAY - 1 - idle), escalated: 0, satisfied: isFork ? 0 : 1 }
  const content = node.content.flatMap(({ lines }) => lines)
  return { id: node.id, purpose: node.intent, content, asksAgain: isFork, counts }
}

function isGate(node: SpeakingNode): boolean {
  return node.kind === 'speak' && node.isGate
}

/** The part of the prompt that is the same for every colleague. */
export const SYSTEM = `You write lines for one colleague in a career simulation, which are spoken when no language model is there.
Rules for every line:
- Something a person says aloud at work: one to three short sentences, plain words, in the colleague's own voice.
- No dashes, no lists, no praise ("good question"), no "I understand". The colleague never says their own name.
- A figure only if it is in the colleague's own document, and then as the document has it.
- Never a fact or figure of another colleague.
- One point a line. No line twice.
Answer with one JSON object and nothing else. Give an empty list for what you are not asked for.`

/** The form of the model's answer. */
export const ANSWER = answerSchema('rehearsal_lines', {
  nodes: listOf(recordOf({ node: TEXT, open: TEXTS, stay: TEXTS, escalated: TEXTS, satisfied: TEXTS })),
  answers: listOf(recordOf({ asks: TEXTS, say: TEXTS })),
  acknowledgements: listOf(recordOf({ groups: listOf(TEXTS) })),
  redirects: listOf(recordOf({ npc: TEXT, say: TEXTS })),
  asides: listOf(recordOf({ name: TEXT, say: TEXTS })),
})

/** Returns the request for one colleague: the scenario in its author's words, and what is missing. */
export function promptFor(npc: Npc, scenario: Scenario, asked: MissingLines): string {
  const { title, role, situation, decision, npcs } = scenario
  const { nodes, answers, paraphrases, facts, acknowledgements, redirects, asides } = asked
  return [
    `${title}. ${situation.where}. ${situation.what}`,
    `The learner is ${role}. They have to decide: ${decision.question}`,
    `The options: ${decision.options.map((option) => option.title).join(' / ')}`,
    `\nTHE COLLEAGUE: ${npc.name}, ${npc.role}. ${npc.scene}`,
    `Answers for: ${npc.owns}`,
    `This is how they talk: "${npc.greeting}"`,
    ...section('What they know', npc.knowledge),
    ...section('How it works in detail', npc.depth),
    ...section('What they object', npc.challenges),
    ...section('What worries them', npc.concerns),
    ...section('What they want', npc.goals),
    ...section('What they say early and late', [...npc.beats.beat1, ...npc.beats.beat6]),
    ...(npc.opinion ? section('Their opinion', [`${npc.opinion.rightCall}: ${npc.opinion.argument}`]) : []),
    ...(npc.document
      ? section(`Their document, ${npc.document.title}`, npc.document.lines)
      : ['They have no document, so no figures.']),
    ...section('The point that the learner has to take in', npc.decisionFacts),
    ...section(
      'The others',
      npcs
        .filter(({ id }) => id !== npc.id)
        .map((other) => `${other.id}: ${other.name}, ${other.role}, answers for ${other.owns}`),
    ),
    `\nWRITE:`,
    ...nodes.flatMap(nodeLines),
    ...(answers > 0
      ? [
          `answers: ${answers} questions that a learner is likely to ask this colleague. asks: 4 to 6 ways in which a learner puts the question, in lower case (key words and whole questions). say: two wordings of the answer.`,
        ]
      : []),
    ...paraphrases.map(
      ({ asks, say }) =>
        `answers: for the question "${asks[0]}", which is answered with "${say[0]}". asks: first exactly "${asks[0]}", then 4 other ways in which a learner asks this. say: one other wording of the answer.`,
    ),
    ...facts.map(
      ({ text, heard }) =>
        `answers: one more, whose say tells "${text}" and has these words: ${heard.map((group) => group.join(' or ')).join(', and ')}. asks as above.`,
    ),
    ...acknowledgements.map(
      (fact) =>
        `acknowledgements: one entry for "${fact}": one group for each half of it. A group has 5 or more words or short phrases with which a learner would say that half, and at least one of them is in the sentence itself.`,
    ),
    ...redirects.map(
      ({ id, name, owns }) => `redirects: npc "${id}": two lines that send a question about ${owns} to ${name}.`,
    ),
    ...asides.map((name) => {
      const [count, meaning] = CASES[name]
      return `asides: name "${name}": ${count} lines for when ${meaning}.`
    }),
  ].join('\n')
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${heading}:`, ...lines.map((line) => `- ${line}`)]
}

function nodeLines({ id, purpose, content, asksAgain, counts }: AskedNode): readonly string[] {
  const wanted = Object.entries(counts).flatMap(([list, count]) => (count > 0 ? [`${count} ${list}`] : []))
  return [
    `nodes: node "${id}": ${wanted.join(', ')}. ${purpose}`,
    ...content.map((line) => `    its content: ${line}`),
    ...(asksAgain
      ? [
          '    open leads to the question above. Each stay line asks it again in other words, and ends with a question mark.',
        ]
      : []),
    ...(counts.escalated > 0
      ? ['    open states the content with its figures. stay says it again from other sides, escalated more plainly.']
      : []),
  ]
}
