import { jsonrepair } from 'jsonrepair'
import { parseGraph } from '../../../sims/authoring/parse-graph.ts'
import { brief } from '../../../worker/core/briefing/brief.ts'
import { instantiate } from '../../../worker/core/graph/backbones/instantiate.ts'
import { link } from '../../../worker/core/graph/document/link.ts'
import { readReport } from '../../../worker/core/reply/read-report.ts'
import { guidelinesFor } from '../../../worker/core/walk/brief-node.ts'
import { beginWalk, walkOn } from '../../../worker/core/walk/engine.ts'
import { legacyGraphFor } from '../../../worker/core/walk/legacy-graph.ts'
import { migrate } from '../../../worker/core/walk/migrate.ts'

/**
 * All functions that a case can test. Usually these are the deployed functions. A literal reading of the source
 * documents replaces some of them (`literal-readings.ts`).
 */
export interface Implementation {
  readonly parse: typeof parseGraph
  readonly instantiate: typeof instantiate
  readonly countBased: typeof legacyGraphFor
  readonly link: typeof link
  readonly begin: typeof beginWalk
  readonly step: typeof walkOn
  readonly takeOver: typeof migrate
  readonly guidelines: typeof guidelinesFor
  readonly brief: typeof brief
  readonly readReport: (text: string | null) => ReturnType<typeof readReport>
}

/** The implementation that is deployed. */
export const SERVED: Implementation = {
  parse: parseGraph,
  instantiate,
  countBased: legacyGraphFor,
  link,
  begin: beginWalk,
  step: walkOn,
  takeOver: migrate,
  guidelines: guidelinesFor,
  brief,
  readReport: (text) => readReport(text, { repair: jsonrepair }),
}
