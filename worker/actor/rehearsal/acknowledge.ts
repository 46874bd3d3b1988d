import type { FactGroups } from '../../core/scenario/rehearsal-lines.ts'
import type { HeardMessage, Sentence } from './hear.ts'
import { isGeneral } from './closeness.ts'
import { dismisses } from './dismiss.ts'
import { termPlaces, hearsOne } from './terms.ts'
import type { Figure, Token } from '../../core/text/words.ts'
import { readAuthored, readWords, sameFigure } from '../../core/text/words.ts'

/** The verdict on whether the learner registered a fact: `registered`, or the reason why the learner did not. */
export type FactVerdict = 'registered' | 'not-told-yet' | 'no-statement' | 'not-the-fact' | 'waved-away'

/**
 * Judges whether the learner registered a fact in this message, that is, stated it and took it seriously. A fact has
 * groups of terms, and the message must state one term of each group. A question, or an order to say something, states
 * nothing. The statement must not wave the fact away, give a wrong figure instead of the fact's figure, or mix up two
 * of the fact's figures. The learner cannot register a fact that the colleague has not told yet, even by a correct
 * guess.
 *
 * @param isSummary true if the learner was asked what it comes to: then a question for confirmation states it too, and
 * a long message waves nothing away
 */
export function acknowledges(
  heard: HeardMessage,
  fact: FactGroups,
  told: readonly string[],
  { isSummary = false }: { readonly isSummary?: boolean } = {},
): FactVerdict {
  if (!wasTold(fact, told)) return 'not-told-yet'
  if (heard.manner !== 'plain') return 'no-statement'
  if (dismisses(heard) && !(isSummary && heard.tokens.length >= LEAST_SUMMARY)) return 'waved-away'
  const statements = heard.sentences.filter(({ form }) => isSummary || form === 'statement' || form === 'echo')
  const stated = statements.flatMap(({ tokens }) => tokens)
  if (stated.length === 0) return 'no-statement'
  if (stated.every(isBareFigure)) return 'not-the-fact'
  const isOff = misquotes(stated, fact) || statements.some((sentence) => crosses(sentence, fact))
  return holdsFact(stated, fact) && !isOff ? 'registered' : 'not-the-fact'
}

const LEAST_SUMMARY = 12

/** Returns true for a word of a mere list of figures: "30.4% and 3.1%" says nothing of them. */
function isBareFigure({ word, figure }: Token): boolean {
  return figure !== null || isGeneral(word)
}

/** Returns true if the colleague's lines so far contain one term of each of the fact's groups of terms. */
export function wasTold(fact: FactGroups, told: readonly string[]): boolean {
  const heard = tokensOf(told)
  return fact.groups.every((group) => heard.some((tokens) => hearsOne(tokens, group)))
}

/** Returns the tokens of lines, with a cache, because a turn asks several times what the same lines told. */
function tokensOf(lines: readonly string[]): readonly (readonly Token[])[] {
  const known = TOKENS.get(lines) ?? lines.map(readWords)
  TOKENS.set(lines, known)
  return known
}

const TOKENS = new WeakMap<readonly string[], readonly (readonly Token[])[]>()

function holdsFact(stated: HeardMessage['tokens'], fact: FactGroups): boolean {
  const isWrong = hearsOne(stated, fact.not ?? [])
  return !isWrong && fact.groups.every((group) => hearsOne(stated, group))
}

function figuresOf(fact: FactGroups): readonly (readonly Figure[])[] {
  return fact.groups.map((group) => group.flatMap(readAuthored).flatMap(({ figure }) => figure ?? []))
}

/**
 * Returns true if the message misquotes the fact: it has a percentage that is not in the fact, and lacks the fact's own
 * figures ("8% breaks the contract"), or it has a wrong span of time (`mistimes`).
 */
function misquotes(stated: HeardMessage['tokens'], fact: FactGroups): boolean {
  if (mistimes(stated, fact)) return true
  const figuresByGroup = figuresOf(fact)
  const percentages = percentagesIn(stated.flatMap(({ figure }) => figure ?? []))
  const strange = percentages.filter((heard) => !figuresByGroup.flat().some((meant) => sameFigure(heard, meant)))
  if (strange.length === 0 || FRACTION.test(stated.map(({ word }) => word).join(' '))) return false
  // A span of time is nothing that a percentage could be instead.
  const figured = figuresByGroup.map(percentagesIn).filter((figures) => figures.length > 0)
  if (figured.length === 0) return false
  // "The 8% hides it, medical is 23.4" has the fact's figure too.
  const named = stated.flatMap(({ figure }) =>
    figure?.unit === 'plain' ? [{ ...figure, unit: 'percent' as const }] : [],
  )
  return !figured.every((figures) =>
    [...percentages, ...named].some((heard) => figures.some((meant) => sameFigure(heard, meant))),
  )
}

function percentagesIn(figures: readonly Figure[]): readonly Figure[] {
  return figures.filter(({ unit }) => unit === 'percent')
}

/** Matches a share in words, which stands for the fact's figure as well as a percentage: "nearly one in four". */
const FRACTION = /\b(?:(?:one|1) (?:in|of|out of) (?:every )?(?:two|three|four|five|\d)|a quarter|a third)\b/

/**
 * Returns true if the message has a span of time that is not in the fact, and lacks the fact's own span: "in writing,
 * an hour before".
 */
function mistimes(stated: HeardMessage['tokens'], fact: FactGroups): boolean {
  const meant = figuresOf(fact)
    .flat()
    .filter(({ unit }) => !['percent', 'times', 'plain'].includes(unit))
  const heard = stated.flatMap(({ figure }) => figure ?? [])
  return meant.some(({ unit }) => {
    const inUnit = heard.filter((figure) => figure.unit === unit)
    return inUnit.length > 0 && !inUnit.some((figure) => meant.some((other) => sameFigure(figure, other)))
  })
}

/**
 * Returns true if the learner calls one of the fact's figures by the name of another of its figures: "23.4% is the
 * ceiling", "the contract allows 23%".
 */
function crosses({ tokens }: Sentence, fact: FactGroups): boolean {
  const figures = figuresOf(fact)
  return fact.groups.some((group, side) => {
    const own = figures[side] ?? []
    const foreign = figures.flatMap((others, index) => (index === side ? [] : others))
    if (own.length === 0 || foreign.length === 0) return false
    // A plain number may be a name: "box 7 is spoiled".
    const isForeign = (token: Token | undefined) =>
      token?.figure?.unit !== 'plain' && isOneOf(token, foreign) && !isOneOf(token, own)
    const hasOwn = tokens.some((token) => isOneOf(token, own))
    return group
      .filter((term) => readAuthored(term).every(({ figure }) => figure === null))
      .flatMap((term) => termPlaces(tokens, term))
      .some((place) => {
        const before = skip(tokens, place.start - 1, -1, ARTICLES)
        const after = skip(tokens, place.end + 1, 1, MEASURES)
        const link = tokens[place.end]?.word ?? ''
        const named = IS.has(tokens[before]?.word ?? '') && isForeign(tokens[before - 1])
        return named || (isForeign(tokens[after]) && (IS.has(link) || (ALLOWS.has(link) && !hasOwn)))
      })
  })
}

const IS = new Set(['is', 'are', 'was', 's'])
const ALLOWS = new Set(['says', 'say', 'said', 'allows', 'allow', 'permits', 'for', 'of', 'sets'])
const ARTICLES = new Set(['the', 'our', 'a', 'what', 'contractual', 'actually'])
const MEASURES = new Set(['at', 'most', 'up', 'to', 'only', 'about', 'around'])

function isOneOf(token: Token | undefined, figures: readonly Figure[]): boolean {
  const { figure } = token ?? { figure: null }
  return figure !== null && figures.some((meant) => sameFigure(figure, meant))
}

/** Returns the first index, from `at` on in the direction of `step`, whose word is not in `words`. */
function skip(tokens: readonly Token[], at: number, step: 1 | -1, words: ReadonlySet<string>): number {
  let index = at
  while (words.has(tokens[index]?.word ?? '')) index += step
  return index
}
