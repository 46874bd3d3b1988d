import { sameStem, type Synonyms } from '../../core/text/stems.ts'
import { readAuthored, readWords } from '../../core/text/words.ts'
import type { HeardMessage, Sentence } from './hear.ts'
import { type Sense, describedMeaning, meaningOf } from './meaning.ts'
import { termPlaces } from './terms.ts'

/** One of several meanings that a message may have. */
export interface Candidate {
  /** The author's descriptions of the meaning. The description that fits the message best counts. */
  readonly descriptions: readonly string[]
  /** A learner's words or phrases for this meaning. */
  readonly cues: readonly string[]
}

/**
 * Scores how similar a message is to each candidate. The score is the mean of two shares from 0 to 1: how much of the
 * candidate's description is in the message, and how much of the message is in the description. A word that occurs in
 * the descriptions of several candidates counts less. A message that contains less than a third of the description
 * scores 0. If the message contains one of the candidate's cues and does not deny it, the score is 1, plus a tenth for
 * each further word of the cue, plus half of the score by the description.
 */
export function likenesses(
  heard: HeardMessage,
  candidates: readonly Candidate[],
  synonyms: Synonyms,
): readonly number[] {
  const message = new Set(heard.sentences.flatMap((sentence) => [...meaningOf(statedIn(sentence), synonyms)]))
  const described = candidates.map(({ descriptions }) => descriptions.map((text) => describedMeaning(text, synonyms)))
  const weightOf = (sense: Sense) =>
    1 / Math.max(1, described.filter((texts) => texts.some((each) => holds(each, sense))).length)
  return candidates.map(({ cues }, at) => {
    const byWords = Math.max(0, ...(described[at] ?? []).map((text) => overlap(message, text, weightOf)))
    return Math.max(byWords, ...cues.map((cue) => cued(heard, cue) + byWords / 2))
  })
}

/**
 * Returns a sentence's words without a "no" that stands alone. The "no" of "No, stop" denies nothing; the "no" of "no
 * more questions" denies "questions".
 */
function statedIn({ plain, tokens }: Sentence): Sentence['tokens'] {
  return /^no\s*[,:-]/.test(plain) ? tokens.slice(1) : tokens
}

/** The smallest share of a description that a message must contain to score more than 0. */
const LEAST_SHARE = 1 / 3

function overlap(message: ReadonlySet<Sense>, text: ReadonlySet<Sense>, weightOf: (sense: Sense) => number): number {
  const sum = (senses: readonly Sense[]) => senses.reduce((total, sense) => total + weightOf(sense), 0)
  const shared = [...text].filter((sense) => holds(message, sense))
  if (shared.length === 0) return 0
  const ofText = sum(shared) / sum([...text])
  const ofMessage = [...message].filter((sense) => holds(text, sense)).length / message.size
  return ofText < LEAST_SHARE ? 0 : (ofText + ofMessage) / 2
}

/**
 * Returns the score of a cue in this message, or -1 if the message does not contain the cue. A denial applies only
 * within its own clause, so "no, go on" contains the cue "go on".
 */
function cued({ tokens, plain }: HeardMessage, cue: string): number {
  if (termPlaces(tokens, cue).length === 0) return -1
  const clauses = [tokens, ...plain.split(/[.,;:!?]+(?:\s|$)|\s-+\s|\n/).map(readWords)]
  const isHeard = clauses.some((clause) => termPlaces(clause, cue).some(({ start }) => !isDenied(clause, start)))
  return isHeard ? 1 + 0.1 * (readAuthored(cue).length - 1) : -1
}

/** Returns true if one of the two words before `start` is a denial: "I am not quite done" does not say "done". */
function isDenied(tokens: HeardMessage['tokens'], start: number): boolean {
  return tokens.slice(Math.max(0, start - 2), start).some(({ word }) => /^(?:not|no|never)$/.test(word))
}

/** Returns true if a set has this sense, allowing for one typing error. A figure must match exactly. */
function holds(senses: ReadonlySet<Sense>, sense: Sense): boolean {
  return senses.has(sense) || (!sense.includes('#') && [...senses].some((other) => sameStem(other, sense)))
}

/**
 * The index of the highest score in a list (the first if several are equal), the score, and its lead over the next
 * highest.
 */
export interface Best {
  readonly index: number
  readonly score: number
  readonly lead: number
}

export function bestOf(scores: readonly number[]): Best | null {
  const index = scores.reduce((top, score, at) => (score > (scores[top] ?? 0) ? at : top), 0)
  const score = scores[index]
  if (score === undefined) return null
  const others = scores.filter((_, at) => at !== index)
  return { index, score, lead: score - Math.max(0, ...others) }
}
