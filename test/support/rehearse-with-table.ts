import { wordTable } from '../../scripts/word-table-file.ts'
import { rehearse as rehearseWith, type Rehearsed } from '../../worker/actor/rehearsal/rehearse.ts'
import type { BriefingScene } from '../../worker/core/briefing/briefing.ts'

const table = await wordTable()

/** Makes the rehearsal actor's reply with the table of words, as a deployment does. */
export function rehearse(scene: BriefingScene): Rehearsed {
  return rehearseWith(scene, table)
}
