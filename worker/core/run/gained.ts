import type { DocumentView, Gained, GainedFact, NewEvent, RelationshipLevel } from '../../wire/messages.ts'
import type { ScenarioFact, Scenario } from '../scenario/scenario.ts'
import { factsIn, isAsking, splitSentences } from './facts-in.ts'
import { tellsBetter } from './wording.ts'

/** The relationship level of a colleague before the first conversation. */
export const FIRST_LEVEL: RelationshipLevel = 'neutral'

/**
 * Adds what the learner gained to the events of a turn's end or of a choice: new facts, facts told better than before, the objective, documents and a
 * new level. Returns the events unchanged if the scenario has no simulation.
 *
 * @param npc the colleague in the conversation, whose facts the function looks for
 * @param before the log so far
 * @param named the ids of the facts that the reply's report names
 * @returns the same events; the reply, or the answer to a choice, has `gained` if the learner gained something
 */
export function withGained(
  { simulation }: Pick<Scenario, 'simulation'>,
  npc: string,
  before: readonly NewEvent[],
  events: readonly NewEvent[],
  named: readonly string[] = [],
): readonly NewEvent[] {
  if (!simulation) return events
  const answer = events.find(isAnswer)
  if (!answer) return events
  const gained = gainedBy(
    simulation.facts.filter((fact) => fact.npc === npc),
    before,
    events,
    named,
  )
  return gained === null ? events : events.map((event) => (event === answer ? { ...answer, gained } : event))
}

type AnswerEvent = Extract<NewEvent, { type: 'turn' | 'pivot-end' }>

/**
 * Tells whether an event contains the colleague's words. The event of a failed turn does not contain them, because this
 * event has only a line in place of a reply. The event of a turn that the learner stopped (`cut`) contains them,
 * because the learner saw the reply up to the stop.
 */
function isAnswer(event: NewEvent): event is AnswerEvent {
  return event.type === 'turn'
    ? event.outcome !== 'failed'
    : event.type === 'pivot-end' && event.choice !== null && !event.typed
}

function gainedBy(
  own: readonly ScenarioFact[],
  earlier: readonly NewEvent[],
  events: readonly NewEvent[],
  named: readonly string[],
): Gained | null {
  const before = earlier.flatMap((event) => ('gained' in event && event.gained ? [event.gained] : []))
  const known = new Map(before.flatMap(({ facts = [] }) => facts.map((fact) => [fact.id, fact] as const)))
  const fresh = [...events.flatMap(textsIn), ...papersRead(events, earlier, known.size)].flatMap(
    ({ text, turn }): GainedFact[] => {
      const told = factsIn(own, text, turn === null ? [] : named).filter(({ fact, said }) => {
        const first = known.get(fact)
        const authored = own.find(({ id }) => id === fact)
        if (first === undefined || authored === undefined) return first === undefined
        // What a colleague has said stays in their own words, however well a document says it.
        if (turn === null || first.turn === null) return turn !== null
        return tellsBetter(authored, said, first.said)
      })
      const facts = told.map(({ fact, said }) => ({
        id: fact,
        ...textOf(own, fact),
        said: turn === null ? said : standingAlone(said, text),
        turn,
      }))
      for (const fact of facts) known.set(fact.id, fact)
      return facts
    },
  )
  const facts = fresh.filter(({ id }, place) => fresh.findLastIndex((each) => each.id === id) === place)
  const level = events.findLast(isAnswer)?.level
  const lastLevel = before.findLast((gained) => gained.level !== undefined)?.level ?? FIRST_LEVEL
  const gained: Gained = {
    ...(facts.length > 0 && { facts }),
    ...objectiveIn(events),
    ...documentsIn(events, before),
    ...(level !== undefined && level !== lastLevel && { level }),
  }
  return Object.keys(gained).length > 0 ? gained : null
}

function textOf(facts: readonly ScenarioFact[], id: string): Pick<GainedFact, 'text'> {
  const text = facts.find((fact) => fact.id === id)?.text
  return text === undefined ? {} : { text }
}

/** A colleague's text, and the turn in which they said it; null for a line of a document. */
interface Told {
  readonly text: string
  readonly turn: number | null
}

/** Returns what the colleague says in an event: a reply, or the reaction to a choice. */
function textsIn(event: NewEvent): readonly Told[] {
  if (!isAnswer(event)) return []
  const text = event.type === 'turn' ? event.text : (event.choice?.reaction ?? '')
  return [{ text: withoutQuestions(text), turn: event.turn }]
}

/** Removes the sentences of a reply that ask something: a question tells no fact. */
function withoutQuestions(text: string): string {
  return text
    .split(PARAGRAPHS)
    .map((paragraph) =>
      splitSentences(paragraph)
        .filter((sentence) => !isAsking(sentence))
        .join(' '),
    )
    .join('\n')
}

const PARAGRAPHS = /\n+/

/**
 * Returns a quotation with the sentence before it, if the quotation alone does not say what it is about: "On real traffic
 * that's over the general ceiling", and with the sentence after it, if that one goes on with it. Only a sentence of the
 * same paragraph is about the same thing.
 */
function standingAlone(said: string, text: string): string {
  const paragraph = text.split(PARAGRAPHS).find((each) => each.includes(said)) ?? ''
  const before = splitSentences(paragraph.slice(0, paragraph.indexOf(said))).at(-1) ?? ''
  const isWhole = !LEANS.test(said) || before.split(' ').length < LEAST_BEFORE
  const alone = isWhole || before.length + said.length > LONGEST_QUOTED ? withoutOpening(said) : `${before} ${said}`
  const [after = ''] = splitSentences(paragraph.slice(paragraph.indexOf(said) + said.length))
  const goesOn = GOES_ON.test(after) || isFragment(after) || isFragment(alone)
  return after !== '' && goesOn && alone.length + after.length < LONGEST_GOING_ON ? `${alone} ${after.trim()}` : alone
}

/** Returns true for a few words that complete the sentence before them, or need the one after them: "18 hours from when they went in. Nine this evening." */
function isFragment(sentence: string): boolean {
  const words = sentence.trim().split(/\s+/)
  return words.length > 1 && words.length <= LONGEST_FRAGMENT
}

const LONGEST_FRAGMENT = 4

/** Matches a sentence that takes back or completes the one before: "They were fine together. They aren't, and ..." */
const GOES_ON = /^\s*(?:they|that|it|and|but|only|if|then|el|eso|y|pero)\b/i
const LONGEST_GOING_ON = 160

/** Removes a word that only ties a quotation to the question before it: "Because only 7.5% of ..." */
function withoutOpening(said: string): string {
  const rest = said.replace(OPENING, '')
  return rest.slice(0, 1).toUpperCase() + rest.slice(1)
}

const OPENING = /^(?:because|and|but|so|then|yes|no|correct|right|exactly)\b,? (?=\p{Ll})/iu

/** Matches what stands for something named before: a pronoun, a verb that leaves out what it denies ("they aren't, ..."), or bare figures. */
const LEANS = /^\d[\d.]* (?:is|are|was)\b|\b(?:it|its|they|them|their|that|those|these|this|he|she|one)\b|n['’]t,/i
/** A shorter sentence only leads in: "Right, then." */
const LEAST_BEFORE = 4
const LONGEST_QUOTED = 240

/**
 * Returns the lines of the documents that tell facts with these events. What a learner carries off who left without the
 * objective, and after hardly a question, tells none. It does once the objective is earned after all.
 *
 * @param heard how many facts the colleague had told before
 */
function papersRead(events: readonly NewEvent[], earlier: readonly NewEvent[], heard: number): readonly Told[] {
  const isEarned = 'objective' in objectiveIn(events)
  const isTaken = events.some(endsWithout) && heard < LEAST_HEARD
  const given = isEarned ? [...earlier, ...events] : isTaken ? [] : events
  return given.flatMap(papersIn).flatMap(({ lines }) => lines.map((text) => ({ text, turn: null })))
}

/** Who has heard this many facts has asked for the document. */
const LEAST_HEARD = 2

function endsWithout(event: NewEvent): boolean {
  return (
    event.type === 'command' && event.command.name === 'AI_EndConversation' && event.command.completion === 'forced'
  )
}

function objectiveIn(events: readonly NewEvent[]): Pick<Gained, 'objective'> {
  const advance = events
    .map((event) => (event.type === 'command' ? event.command : null))
    .find((command) => command?.name === 'AI_AdvanceObjective')
  return advance ? { objective: advance.objective } : {}
}

/** Returns the documents in these events that the learner did not have before. */
function documentsIn(events: readonly NewEvent[], before: readonly Gained[]): Pick<Gained, 'documents'> {
  const had = new Set(before.flatMap(({ documents = [] }) => documents.map(({ title }) => title)))
  const documents = events.flatMap(papersIn).filter(({ title }) => !had.has(title) && had.add(title))
  return documents.length > 0 ? { documents } : {}
}

function papersIn(event: NewEvent): readonly DocumentView[] {
  if (event.type !== 'command') return []
  const { command } = event
  const document =
    command.name === 'AI_EndConversation' || command.name === 'AI_HandOverDocument' ? command.document : null
  return document ? [document] : []
}
