import { heardFacts, type RunRecord } from '../../core/run/run-view.ts'
import { commit, committedOrBusy } from '../commit.ts'
import { noneBeingErased, refuseWhileErased } from '../people/tombstones.ts'
import { sameVersion } from '../contexts/read-context.ts'
import type { Scope } from '../scope.ts'
import type { RunHeld } from '../../trust/game-credentials.ts'
import { readRun } from './read-run.ts'
import { nextVersion } from './run-writes.ts'

/** A learner's decision, with its reason and evidence. */
export interface DecisionRequest {
  readonly option: string
  readonly reason: string
  /** Ids of the facts that support the decision. */
  readonly evidence: readonly string[]
  /** Ids of the facts that the learner unticked; undefined if they unticked none. */
  readonly unticked?: readonly string[] | undefined
}

export type DecideResult =
  /** The decision is stored, by this request or by an earlier equal request. */
  | { readonly type: 'decided'; readonly standing: RunRecord }
  /** An earlier request has stored another decision. */
  | { readonly type: 'other'; readonly standing: RunRecord }
  /** `facts` are the cited facts that the learner has not heard; `missing` also has those that the option needs. */
  | {
      readonly type: 'not-heard'
      readonly facts: readonly string[]
      readonly missing: readonly string[]
      readonly standing: RunRecord
    }
  /** The learner has not heard the facts in `missing`, which the option needs. */
  | { readonly type: 'not-earned'; readonly missing: readonly string[]; readonly standing: RunRecord }
  | { readonly type: 'unknown-run' }

/**
 * Stores the decision of a run, unless the run has a decision already. The write that stores the decision also
 * completes the run, if the run is active.
 *
 * @param needs the facts that the learner must have heard to choose the option
 * @throws ChainError BUSY, ERASURE_RUNNING
 */
export function recordDecision(
  scope: Scope,
  held: Pick<RunHeld, 'id' | 'learner'>,
  deciding: DecisionRequest,
  needs: readonly string[] = [],
): Promise<DecideResult> {
  return committedOrBusy(() => decideOnce(scope, held, deciding, needs))
}

async function decideOnce(
  scope: Scope,
  held: Pick<RunHeld, 'id' | 'learner'>,
  deciding: DecisionRequest,
  needs: readonly string[],
): Promise<DecideResult | null> {
  const run = await readRun(scope, held)
  if (run === null) return { type: 'unknown-run' }
  const { standing, root } = run
  if (standing.decision !== null) return { type: isSame(standing.decision, deciding) ? 'decided' : 'other', standing }
  const heard = new Set(heardFacts(standing.plays).map(({ id }) => id))
  const missing = [...deciding.evidence, ...needs].filter((fact) => !heard.has(fact))
  const facts = deciding.evidence.filter((fact) => !heard.has(fact))
  if (facts.length > 0) return { type: 'not-heard', facts, missing, standing }
  if (missing.length > 0) return { type: 'not-earned', missing, standing }
  const { option, reason, evidence, unticked } = deciding
  const decision = {
    option,
    reason,
    evidence: [...evidence],
    ...(unticked && { unticked: [...unticked] }),
    at: scope.now(),
  }
  const status = root.status === 'active' ? 'completed' : null
  const committed = await commit(scope, {
    guards: [sameVersion(scope, held.id, root.version), ...(await noneBeingErased(scope, [held.learner.id]))],
    writes: [nextVersion(scope, held.id, { status, data: { decision }, at: decision.at })],
  })
  if (committed.ok) return { type: 'decided', standing: { ...standing, decision } }
  await refuseWhileErased(scope, [held.learner.id])
  return null
}

function isSame(made: DecisionRequest, asked: DecisionRequest): boolean {
  return (
    made.option === asked.option &&
    made.reason === asked.reason &&
    areSame(made.evidence, asked.evidence) &&
    areSame(made.unticked ?? [], asked.unticked ?? [])
  )
}

function areSame(made: readonly string[], asked: readonly string[]): boolean {
  return made.length === asked.length && made.every((fact, place) => fact === asked[place])
}
