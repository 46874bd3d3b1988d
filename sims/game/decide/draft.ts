import { clean } from '../../../widget/clean.ts'
import type { DecisionView, RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { optionsOnShow } from '../library/stand.ts'
import { textKeeper } from '../text-keeper.ts'

/** A decision that has not been made yet. */
export interface Draft {
  readonly option: string | null
  readonly reason: string
  readonly evidence: readonly string[]
  /** The facts that the page had ticked by itself, and the learner unticked. */
  readonly unticked: readonly string[]
}

/** A decision as the page sends it. */
export interface SentDecision {
  readonly option: string
  readonly reason: string
  readonly evidence: readonly string[]
  /** Absent if there are none. */
  readonly unticked?: readonly string[]
}

/** The longest reason that the service accepts, in UTF-16 code units. */
export const LONGEST_REASON = 2_000

export const NO_DRAFT: Draft = { option: null, reason: '', evidence: [], unticked: [] }

/** The first reason why a draft can't be sent yet. */
export type Lack = 'no-option' | 'no-reason' | 'too-long'

export function lackOf({ option, reason }: Draft): Lack | null {
  if (option === null) return 'no-option'
  if (reasonOf(reason) === '') return 'no-reason'
  return overBy(reason) > 0 ? 'too-long' : null
}

/** Returns a reason as the page sends it: without invisible characters and without white space around it. */
export function reasonOf(reason: string): string {
  return clean(reason).trim()
}

/** Returns by how many code units a reason is too long; 0 if the reason is short enough. */
export function overBy(reason: string): number {
  return Math.max(0, reasonOf(reason).length - LONGEST_REASON)
}

/**
 * Removes from a draft an option that isn't open to the learner, and facts that the learner hasn't heard in this
 * run.
 */
export function fitted(
  draft: Draft,
  card: Pick<SimulationCard, 'options'>,
  run: Pick<RunView, 'facts' | 'options'>,
): Draft {
  const heard = new Set(run.facts.map(({ id }) => id))
  return {
    option: optionsOnShow(run, card).some(({ id }) => id === draft.option) ? draft.option : null,
    reason: draft.reason,
    evidence: [...new Set(draft.evidence)].filter((fact) => heard.has(fact)),
    unticked: [...new Set(draft.unticked)].filter((fact) => heard.has(fact)),
  }
}

/**
 * Returns the decision to send for a draft. The caller has to make sure with `lackOf` that the draft is complete.
 *
 * @throws TypeError if the draft has no option
 */
export function decisionOf(draft: Draft): SentDecision {
  const { option, reason, evidence, unticked } = draft
  if (option === null) throw new TypeError('no option')
  return { option, reason: reasonOf(reason), evidence, ...(unticked.length > 0 && { unticked }) }
}

/**
 * Returns a draft after the learner has ticked or unticked a fact.
 *
 * @param isGiven whether the page ticks this fact by itself
 */
export function tick(draft: Draft, fact: string, isTicked: boolean, isGiven: boolean): Draft {
  const without = (facts: readonly string[]) => facts.filter((id) => id !== fact)
  const evidence = without(draft.evidence)
  const unticked = without(draft.unticked)
  return isTicked
    ? { ...draft, evidence: [...evidence, fact], unticked }
    : { ...draft, evidence, unticked: isGiven ? [...unticked, fact] : unticked }
}

/** Reads a draft from a stored text. An unreadable text gives an empty draft. */
export function readDraft(text: string | null): Draft {
  if (text === null) return NO_DRAFT
  try {
    const kept: unknown = JSON.parse(text)
    if (typeof kept !== 'object' || kept === null) return NO_DRAFT
    return {
      option: 'option' in kept && typeof kept.option === 'string' ? kept.option : null,
      reason: 'reason' in kept && typeof kept.reason === 'string' ? kept.reason : '',
      evidence: 'evidence' in kept ? textsIn(kept.evidence) : [],
      unticked: 'unticked' in kept ? textsIn(kept.unticked) : [],
    }
  } catch {
    return NO_DRAFT
  }
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
}

export function isEmpty({ option, reason, evidence, unticked }: Draft): boolean {
  return option === null && reason === '' && evidence.length + unticked.length === 0
}

/** Returns true if a draft is the same as a decision, apart from white space. */
export function saysTheSame(draft: Draft, decision: DecisionView): boolean {
  const plain = (reason: string) => reasonOf(reason).normalize('NFC').replace(/\s+/g, ' ').trim()
  const sorted = (facts: readonly string[] = []) => facts.toSorted().join()
  return (
    draft.option === decision.option &&
    plain(draft.reason) === plain(decision.reason) &&
    sorted(draft.evidence) === sorted(decision.evidence) &&
    sorted(draft.unticked) === sorted(decision.unticked)
  )
}

const keeper = textKeeper('walkon-game|decision|')

/** Reads the draft that this browser keeps for a run. */
export function keptDraft(run: string): Draft {
  return readDraft(keeper.read(run))
}

export function keepDraft(run: string, draft: Draft): void {
  if (isEmpty(draft)) keeper.forget(run)
  else keeper.write(run, JSON.stringify(draft))
}

export function forgetDraft(run: string): void {
  keeper.forget(run)
}
