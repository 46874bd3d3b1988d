import { acknowledges, wasTold } from '../../worker/actor/rehearsal/acknowledge.ts'
import { hearMessage } from '../../worker/actor/rehearsal/hear.ts'
import { readHints } from '../../worker/core/text/hints.ts'
import type { PivotChoice } from '../../worker/core/scenario/scenario.ts'
import type { Act, Draw, Sight } from './persona.ts'

/** Returns how many messages the learner has sent. */
export function sentBy({ lines }: Sight): number {
  return lines.filter(({ who }) => who === 'learner').length
}

/** Returns the colleague's latest line; empty before the first. */
export function lastLine({ lines }: Sight): string {
  return lines.findLast(({ who }) => who === 'npc')?.text ?? ''
}

/** Returns one of the texts: one that the learner has not said yet, while there is one. */
export function fresh(texts: readonly string[], { lines }: Sight, draw: Draw): string {
  const said = new Set(lines.map(({ text }) => text))
  const unsaid = texts.filter((text) => !said.has(text))
  const from = unsaid.length > 0 ? unsaid : texts
  return from[draw(from.length)] ?? ''
}

const ASKS_ALREADY = /^(?:what|why|how|who|when|where|which|can|could|do|does|did|is|are|should) \S+ \S+/

/** Returns a question that the colleague's author foresaw, as a learner would put it. */
export function question(sight: Sight, draw: Draw): string {
  const { answers } = sight.npc.rehearsal
  const topics = [...answers.flatMap(({ asks }) => asks.slice(0, 2)), ...sight.npc.subjects]
  if (topics.length === 0) return fresh(OPEN_QUESTIONS, sight, draw)
  return fresh(
    topics.map((topic) => (ASKS_ALREADY.test(topic) ? `${capital(topic)}?` : `What about ${topic}?`)),
    sight,
    draw,
  )
}

const OPEN_QUESTIONS = ['What should I know?', 'What happens now?', 'And what would you need from me?']

/**
 * Returns what a learner says to show that they took in a deciding fact; null if the colleague has told none, or if the
 * learner has said so already.
 */
export function takesIn(sight: Sight): string | null {
  const fact = firstFact(sight)
  if (!fact || !wasTold(fact.groups, toldBy(sight)) || hasTakenIn(sight)) return null
  return `So ${small(fact.text).replace(/\.$/, '')}. That settles what I can't do.`
}

/** Tells whether one of the learner's messages shows that they took in the fact that decides the conversation. */
export function hasTakenIn(sight: Sight): boolean {
  const fact = firstFact(sight)
  if (!fact) return false
  return sight.lines.some(
    ({ who, text }, place) => who === 'learner' && showsTakenIn(text, fact.groups, toldBy(sight, place)),
  )
}

/** Tells whether a message shows that its writer took in a fact that they had been told. */
export function showsTakenIn(
  text: string,
  groups: Parameters<typeof acknowledges>[1],
  told: readonly string[],
): boolean {
  return acknowledges(hearMessage(text), groups, told) === 'registered'
}

function firstFact({ npc }: Sight) {
  const [text, groups] = [npc.decisionFacts[0], npc.rehearsal.acknowledgements[0]]
  return text !== undefined && groups ? { text, groups } : null
}

function toldBy({ lines }: Sight, before = lines.length): readonly string[] {
  return lines.slice(0, before).flatMap(({ who, text }) => (who === 'npc' ? [text] : []))
}

/** Returns what the learner would do, as the scenario's own options name it. */
export function plan({ scenario }: Sight, draw: Draw): string {
  const { options } = scenario.decision
  const option = options[draw(options.length)]?.title ?? ''
  return `I'm leaning this way: ${small(option).replace(/\.$/, '')}.`
}

/** Answers the fork on show, by a card or in words that come to one of its cards. */
export function answer({ fork }: Sight, draw: Draw, by: 'card' | 'words' = draw(2) === 0 ? 'card' : 'words'): Act {
  const choices = fork?.choices ?? []
  const place = draw(choices.length)
  const choice = choices[place]
  if (by === 'card' || !choice) return { text: String(place + 1), picks: true }
  return { text: inWords(choice), answers: true }
}

/** Returns the words of a card with a word in front, so that they are not exactly the card's. */
export function inWords({ text }: PivotChoice): string {
  return `Well, ${small(text)}`
}

/** Tells whether the colleague's latest line ends with a question. */
export function isAsked(sight: Sight): boolean {
  return lastLine(sight).trimEnd().endsWith('?')
}

/** Tells whether a message takes leave. */
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
