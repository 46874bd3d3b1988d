import type { Scenario, ScenarioFact } from '../scenario/scenario.ts'
import { contentStems } from '../text/stems.ts'
import { type Figure, figuresAmong, readAuthored, readWords, sameFigure, type Token } from '../text/words.ts'
import { factsIn, isAsking } from './facts-in.ts'

/**
 * Finds the facts that a learner's reason states. The reason states a fact if it contains a term of each of the fact's
 * groups, those of `heard` or those of `stated`, if one sentence has a figure that only this fact has beside one of its
 * meaningful words, or if one sentence has two meaningful words of the fact. A time counts in every way to say it. Of these two words, one has to be the fact's own: no
 * other fact has it, neither has the question nor an option, because repeating an option states nothing, and it is no word that
 * goes with any subject (`GENERAL`).
 *
 * @returns the ids of the facts
 */
export function statedIn(
  reason: string,
  facts: readonly ScenarioFact[],
  { question, options }: Scenario['decision'],
): ReadonlySet<string> {
  // "Who pays if we slip a week?" states no price.
  const stated = reason.split(ENDS).filter((sentence) => !isAsking(sentence))
  const told = inTerms(withTimes(stated.join('\n')), facts)
  const asked = stemsOf([question, ...options.map(({ title }) => title)].join(' '))
  const said = stated.map(readWords)
  const sentences = said.map((tokens) => contentStems(tokens))
  const meanings = facts.map(({ id, text }) => ({ id, stems: [...stemsOf(text)] }))
  const uses = Map.groupBy(
    meanings.flatMap(({ stems }) => stems),
    (stem) => stem,
  )
  const isOwn = (stem: string) => !asked.has(stem) && !GENERAL.has(stem) && uses.get(stem)?.length === 1
  const inOwnWords = meanings.filter(({ stems }) =>
    sentences.some((said) => {
      const both = stems.filter((stem) => said.has(stem))
      return both.length >= 2 && both.some(isOwn)
    }),
  )
  const figures = facts.map(({ id, text }) => ({ id, own: figuresAmong(readAuthored(text)).filter(isUnmistakable) }))
  const byFigure = figures.filter(({ id, own }) => {
    const others = figures.flatMap((each) => (each.id === id ? [] : each.own))
    const only = own.filter((figure) => !others.some((other) => isSame(figure, other)))
    const words = contentStems(readAuthored(facts.find((fact) => fact.id === id)?.text ?? '').filter(isWord))
    return said.some((tokens) => {
      const isNamed = [...contentStems(tokens.filter(isWord))].some((stem) => words.has(stem))
      // "8%" may be short for 8.1% as well as for 7.5%.
      const isOnly = (figure: Figure) => !others.some((other) => isSame(figure, other))
      return (
        isNamed && figuresAmong(tokens).some((figure) => only.some((meant) => isSame(figure, meant)) && isOnly(figure))
      )
    })
  })
  return new Set([...told, ...inOwnWords.map(({ id }) => id), ...byFigure.map(({ id }) => id)])
}

/** Matches between two sentences as learners write them, who often begin one with a small letter. */
const ENDS = /(?<=[.!?;])\s+|\n+/

/** The stems of words that go with any subject: two facts that have them may have nothing else in common. */
const GENERAL = stemsOf(
  'without because break rest normal own happen let go late near start need use ask know take make come get give look see keep still more other new time day thing part through',
)

/** Returns the ids of the facts of which a text has a term of each group: those of `heard`, or those of `stated`. */
export function inTerms(text: string, facts: readonly ScenarioFact[]): readonly string[] {
  const stated = facts.flatMap((fact) => (fact.stated ? [{ ...fact, heard: fact.stated }] : []))
  return [...factsIn(facts, text), ...factsIn(stated, text)].map(({ fact }) => fact)
}

/** Returns true for a figure that can only mean one thing: one with a unit, a decimal, or from 10 on. */
export function isUnmistakable({ value, unit }: Figure): boolean {
  return unit !== 'plain' || value >= 10 || !Number.isInteger(value)
}

function isWord({ figure }: Token): boolean {
  return figure === null
}

function isSame(figure: Figure, meant: Figure): boolean {
  return figure.unit === meant.unit && sameFigure(figure, meant)
}

/** Adds to a text, after it, every other way to say the times of day that it has: "3:45" is "quarter to four". */
function withTimes(text: string): string {
  const times = [...text.toLowerCase().matchAll(TIME)].flatMap(({ groups }) => {
    const { past, spoken = '', hour = '', minute = '00', at = '' } = groups ?? {}
    const named = HOURS.indexOf(spoken) + 1 || Number(spoken) || HOURS.indexOf(at) + 1 || Number(at)
    if (past !== undefined)
      return sayings(past.startsWith('half') ? named : past.endsWith('to') ? named - 1 : named, past)
    return hour === '' ? sayings(named, '') : sayings(Number(hour), MINUTES[minute] ?? minute)
  })
  return [text, ...times].join('\n')
}

/** Returns the ways to say a time: the hour, and what goes before it ("quarter to", "half past") or its minutes. */
function sayings(hour: number, part: string): readonly string[] {
  const place = (((hour - 1) % 12) + 12) % 12
  const name = HOURS[place] ?? ''
  const next = HOURS[(place + 1) % 12] ?? ''
  const minute = Object.entries(MINUTES).find(([, words]) => words === part)?.[0] ?? '00'
  const digits = [place + 1, place + 13].map((each) => `${each}:${minute}`)
  if (part.endsWith('to')) return [`${part} ${next}`, ...digits]
  if (part.endsWith('past')) return [`${part} ${name}`, ...digits]
  return part === '' || part === '00'
    ? [`${name} o'clock`, `at ${name}`, `${name} tonight`, `${name} in the evening`, ...digits]
    : digits
}

const HOURS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const MINUTES: Readonly<Record<string, string>> = { '15': 'quarter past', '30': 'half past', '45': 'quarter to' }
const HOUR = `(?:${HOURS.join('|')}|1[0-2]|[1-9])`
const TIME = new RegExp(
  [
    `(?<past>quarter to|quarter past|half past) (?<spoken>${HOUR})\\b`,
    String.raw`\b(?<hour>[01]?\d|2[0-3])(?:[:h]|\.(?=(?:15|30|45)\b))(?<minute>[0-5]\d)\b`,
    `\\b(?<at>${HOUR})(?= ?(?:o'clock|[ap]\\.?m\\b|tonight|this evening|in the (?:evening|morning)))`,
  ].join('|'),
  'g',
)

function stemsOf(text: string): ReadonlySet<string> {
  return contentStems(readAuthored(text))
}
