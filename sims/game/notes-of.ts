import type { RunView } from '../../worker/wire/run.ts'

/** What has come into the notebook between two looks at the same run. */
export interface Gained {
  /** Titles of objectives that are met now. */
  readonly met: readonly string[]
  /** How many facts and documents are new. */
  readonly noted: number
}

/** What the learner has earned since the run was last looked at; nothing on the first look. */
export function gainedBetween(before: RunView | null, after: RunView): Gained {
  if (before === null) return { met: [], noted: 0 }
  const wasMet = new Set(before.objectives.filter(({ state }) => state === 'met').map(({ id }) => id))
  const known = new Set(before.facts.map(({ id }) => id))
  return {
    met: after.objectives.filter(({ id, state }) => state === 'met' && !wasMet.has(id)).map(({ title }) => title),
    noted:
      after.facts.filter(({ id }) => !known.has(id)).length +
      Math.max(0, after.documents.length - before.documents.length),
  }
}
