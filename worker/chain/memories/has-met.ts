import { firstRow, type Scope } from '../scope.ts'

/**
 * Returns true if a person has ever said something to a colleague of a scenario. Opening a conversation is not enough.
 * For an anonymous learner, the caller names one run. A run that begins again at a fork of an earlier run has the
 * earlier run's learner id. What the learner said in the earlier run after that fork does not count in the new run.
 *
 * @param run the run to search; null searches all runs
 */
export async function hasMet(
  scope: Scope,
  {
    userId,
    scenario,
    npc,
    run = null,
  }: { readonly userId: string; readonly scenario: string; readonly npc: string; readonly run?: string | null },
): Promise<boolean> {
  const met = await firstRow(
    scope,
    `SELECT 1 FROM sessions WHERE tenant = ?1 AND user_id = ?2 AND scenario = ?3 AND npc = ?4 AND met_at IS NOT NULL
       AND (?5 IS NULL OR run_id = ?5)
     LIMIT 1`,
    userId,
    scenario,
    npc,
    run,
  )
  return met !== null
}
