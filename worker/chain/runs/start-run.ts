import type { Scenario } from '../../core/scenario/scenario.ts'
import type { Learner } from '../../trust/learner.ts'
import { type FoundClass, joinClass, type JoinRefusal, whyNotJoined } from '../classes/classes.ts'
import { commit } from '../commit.ts'
import { erasureRunning, noneBeingErased } from '../people/tombstones.ts'
import type { Scope } from '../scope.ts'
import { rootWrite } from './begin-conversation.ts'
import { runContent } from './run-data.ts'

/** A run that is about to begin. */
export interface RunStart {
  readonly scenario: Scenario
  readonly learner: Learner
  readonly nickname: string | null
  /** The class in which the run is played; null if the run belongs to no class. */
  readonly class: Pick<FoundClass, 'id' | 'title'> | null
}

export type StartResult =
  | { readonly ok: true; readonly run: string }
  | { readonly ok: false; readonly why: JoinRefusal }

/**
 * Writes the root of a new run and its membership in a class, in one transaction.
 *
 * @throws ChainError ERASURE_RUNNING
 */
export async function startRun(
  scope: Scope,
  { scenario, learner, nickname, class: joined }: RunStart,
): Promise<StartResult> {
  const at = scope.now()
  const run = scope.newId('ctx')
  const content = runContent(scenario)
  const data = {
    ...content.data,
    ...(nickname !== null && { nickname }),
    ...(joined !== null && { class: { id: joined.id, title: joined.title } }),
  }
  const joining = joined === null ? null : joinClass(scope, { class: joined.id, run, at })
  const committed = await commit(scope, {
    guards: [...(joining?.guards ?? []), ...(await noneBeingErased(scope, [learner.id]))],
    writes: [rootWrite(scope, { id: run, content: { ...content, data }, learner, at }), ...(joining?.writes ?? [])],
  })
  if (committed.ok) return { ok: true, run }
  const why = joined === null ? null : await whyNotJoined(scope, joined.id)
  if (why !== null) return { ok: false, why }
  throw erasureRunning()
}
