import type { Acknowledgement } from '../../core/scenario/rehearsal-lines.ts'
import type { Heard } from './hear.ts'
import { dismisses } from './dismiss.ts'
import { termsHeard } from './terms.ts'
import { readAuthored, readWords, sameFigure } from './words.ts'

/** Why a message does or does not register a fact. */
export type Verdict = 'registered' | 'not-told-yet' | 'no-statement' | 'not-the-fact' | 'waved-away'

/**
 * Whether the learner registered a fact in this message. It takes a statement (a question asks, it does not
 * register) that holds one term of every group, does not wave the fact away, and does not put a wrong figure in its
 * place. A fact nobody has told yet can not be registered, however well it is guessed.
 */
export function acknowledges(heard: Heard, fact: Acknowledgement, told: readonly string[]): Verdict {
  if (!wasTold(fact, told)) return 'not-told-yet'
  if (heard.manner !== 'plain') return 'no-statement'
  if (dismisses(heard)) return 'waved-away'
  const stated = heard.sentences.filter(({ form }) => form !== 'question').flatMap(({ tokens }) => tokens)
  if (stated.length === 0) return 'no-statement'
  return holdsFact(stated, fact) && !misquotes(stated, fact) ? 'registered' : 'not-the-fact'
}

/** Whether the lines said so far hold the fact: one term of every group, over all of them. */
export function wasTold(fact: Acknowledgement, told: readonly string[]): boolean {
  const heard = told.map(readWords)
  return fact.groups.every((group) => heard.some((tokens) => termsHeard(tokens, group).length > 0))
}

function holdsFact(stated: Heard['tokens'], fact: Acknowledgement): boolean {
  return fact.groups.every((group) => termsHeard(stated, group).length > 0)
}

/** A percentage that is none of the fact's, and none of the fact's beside it: "8% breaks the contract". */
function misquotes(stated: Heard['tokens'], fact: Acknowledgement): boolean {
  const figuresByGroup = fact.groups.map((group) => group.flatMap(readAuthored).flatMap(({ figure }) => figure ?? []))
  const percentages = stated.flatMap(({ figure }) => (figure?.unit === 'percent' ? [figure] : []))
  const strange = percentages.filter((heard) => !figuresByGroup.flat().some((meant) => sameFigure(heard, meant)))
  if (strange.length === 0) return false
  const figured = figuresByGroup.filter((figures) => figures.length > 0)
  return !figured.every((figures) => percentages.some((heard) => figures.some((meant) => sameFigure(heard, meant))))
}
