import { acknowledges, wasTold } from '../../worker/actor/rehearsal/acknowledge.ts'
import { hearMessage } from '../../worker/actor/rehearsal/hear.ts'
import { readHints } from '../../worker/core/text/hints.ts'
import type { FactGroups } from '../../worker/core/scenario/rehearsal-lines.ts'
import type { PivotChoice } from '../../worker/core/scenario/scenario.ts'
import type { Act, Draw, Sight } from './persona.ts'

/** Returns how many messages the learner has sent. */
export function sentBy({ lines }: Sight): number {
  return lines.filter(({ who }) => who === 'learner').length
}

function lastLine({ lines }: Sight): string {
  return lines.findLast(({ who }) => who === 'npc')?.text ?? ''
}

/** Returns one of the texts, if possible one that the learner has not said yet. */
export function fresh(texts: readonly string[], { lines }: Sight, draw: Draw): string {
  const said = new Set(lines.map(({ text }) => text))
  const unsaid = texts.filter((text) => !said.has(text))
  const from = unsaid.length > 0 ? unsaid : texts
  return from[draw(from.length)] ?? ''
}

/** Matches an entry of `asks` that is a whole question. Other entries are only key words. */
const WHOLE_QUESTION = /^(?:what|why|how|who|when|where|which|can|could|do|does|did) \S+ \S+/

/**
 * Returns what the learner says about the subject: a question that the colleague's author foresaw. To a colleague
 * without decision facts, the learner tells the next thing about their own week.
 */
export function onMatter(sight: Sight, draw: Draw): string {
  const { rehearsal, subjects, walk, decisionFacts } = sight.npc
  if (decisionFacts.length === 0 && walk !== 'guide') return ofOwnWeek(sight, draw)
  const questions = [
    ...rehearsal.answers.flatMap(({ asks }) => asks.filter((ask) => WHOLE_QUESTION.test(ask)).slice(0, 1)).map(capital),
    ...subjects.map((subject) => `What about ${subject}`),
  ]
  return fresh(
    questions.length > 0 ? questions.map((each) => `${each}?`) : ['What should I know?', 'What happens now?'],
    sight,
    draw,
  )
}

/**
 * Returns the first line of `OWN_WEEK` that the learner has not said. After the last one, the learner says what they
 * will do, or that they have nothing more to say.
 */
function ofOwnWeek(sight: Sight, draw: Draw): string {
  const said = sight.lines.flatMap(({ who, text }) => (who === 'learner' ? [text] : []))
  const next = OWN_WEEK.find((item) => !said.some((text) => text.includes(item)))
  return next ?? fresh(/\b(?:first|day|time|when)\b/i.test(lastLine(sight)) ? TAKES_ON : THAT_WAS_ALL, sight, draw)
}

const OWN_WEEK = [
  'Yes, now is good.',
  "I've got three projects, and everyone thinks theirs comes first.",
  'Yesterday my manager came by at five with a new request, and I said yes.',
  'I did it after dinner, until eleven.',
  'I could send her a list and ask which one moves.',
  "No, that's all.",
  'The list for my manager.',
  'On Monday at nine.',
]

const TAKES_ON = [
  'The list, on Monday at nine.',
  'I take the list to her on Monday.',
  'Monday, before the first meeting.',
]

const THAT_WAS_ALL = ["That's all.", 'Nothing else, thanks.', "No, I'm done.", 'That was it, thanks.']

/**
 * Returns what a learner says to show that they took in the first deciding fact; null if the colleague has not told
 * that fact, or if the learner has shown it before.
 */
export function takesIn(sight: Sight): string | null {
  const fact = firstFact(sight)
  if (!fact || !isToldIn(toldBy(sight), fact.groups) || hasTakenIn(sight)) return null
  return `So ${small(fact.text).replace(/\.$/, '')}. That settles what I can't do.`
}

function hasTakenIn(sight: Sight): boolean {
  const fact = firstFact(sight)
  if (!fact) return false
  return sight.lines.some(
    ({ who, text }, place) => who === 'learner' && showsTakenIn(text, fact.groups, toldBy(sight, place)),
  )
}

/** Returns true if a message shows that its writer took in a fact that they had been told. */
export function showsTakenIn(text: string, fact: FactGroups, told: readonly string[]): boolean {
  const teller = told.find((line) => wasTold(fact, [line]))
  return teller !== undefined && acknowledges(hearMessage(text), fact, [teller]) === 'registered'
}

/**
 * Returns true if one of the lines states a fact. A line states the fact if it contains a term of each of the fact's
 * groups. Terms in different lines don't count together.
 */
export function isToldIn(lines: readonly string[], fact: FactGroups): boolean {
  return lines.some((line) => wasTold(fact, [line]))
}

function firstFact({ npc }: Sight) {
  const [text, groups] = [npc.decisionFacts[0], npc.rehearsal.acknowledgements[0]]
  return text !== undefined && groups ? { text, groups } : null
}

function toldBy({ lines }: Sight, before = lines.length): readonly string[] {
  return lines.slice(0, before).flatMap(({ who, text }) => (who === 'npc' ? [text] : []))
}

/** Returns what the learner would do: one of the scenario's options, and always the same one in a conversation. */
export function plan({ scenario, lines }: Sight, draw: Draw): string {
  const plans = scenario.decision.options.map(({ title }) => `${PLAN} ${small(title).replace(/\.$/, '')}.`)
  const told = plans.find((each) => lines.some(({ who, text }) => who === 'learner' && text.includes(each)))
  return told ?? plans[draw(plans.length)] ?? ''
}

const PLAN = "I'm leaning this way:"

/** Returns true if the learner has said what they would do. */
export function hasPlan({ lines }: Sight): boolean {
  return lines.some(({ who, text }) => who === 'learner' && text.includes(PLAN))
}

/** Returns a learner's answer to a question of the colleague: the first deciding fact as a reason, or agreement. */
export function ground(sight: Sight, draw: Draw): string {
  const fact = firstFact(sight)
  return fresh([...(fact && hasTakenIn(sight) ? [`Because ${small(fact.text)}`] : []), ...AGREED], sight, draw)
}

const AGREED = [
  'Yes, I see that.',
  'I think so, yes.',
  'That makes sense to me.',
  'Yes, and I would take that seriously.',
]

/** Answers the open fork, with a card's number or in words that mean one of its cards. */
export function answer({ fork }: Sight, draw: Draw, by: 'card' | 'words' = draw(2) === 0 ? 'card' : 'words'): Act {
  const choices = fork?.choices ?? []
  const place = draw(choices.length)
  const choice = choices[place]
  if (by === 'card' || !choice) return { text: String(place + 1), picks: true }
  return { text: cardInWords(choice), answers: true }
}

/** Returns a card's text with a word before it, so that the message is not exactly the card's text. */
export function cardInWords({ text }: PivotChoice): string {
  return `Well, ${small(text)}`
}

/** Returns true if the colleague's latest line ends with a question. */
export function isAsked(sight: Sight): boolean {
  return lastLine(sight).trimEnd().endsWith('?')
}

/** Returns true if the learner says goodbye in a message. */
export function takesLeave(text: string): boolean {
  return readHints(text).goodbye
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the text with a small first letter, unless its first word is a name or an abbreviation. */
function small(text: string): string {
  return /^(?:I\b|[A-Z][A-Z.\d]|C\.)/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)
}
