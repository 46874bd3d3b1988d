import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import type { Finding } from '../../worker/core/graph/finding.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { checkData } from './check-data.ts'
import { indexOfNpc, type LineDrafts, placeOfDraft, readDrafts, splitDrafts, withDrafts } from './drafts.ts'
import { type FileFinding, formError, inFile } from './finding.ts'
import { readYaml } from './read-yaml.ts'

export type ScenarioReading =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly findings: readonly FileFinding[] }

/**
 * Reads a scenario from YAML. Returns all findings at once, in the order of the file: of the parser, of the schema, of
 * the checks of prose, and of the checks that compare parts of the file. The checks that compare parts can run only on
 * data of the right shape. For these checks, `readAnyway` corrects what the schema refuses. Otherwise one misspelt key
 * would hide all findings of these checks.
 *
 * @param text the file's content
 * @param file the file's name, for the findings
 * @param library the backbones and context graphs that the scenario's colleagues may walk
 * @param source the file's data, if the caller has read it
 */
export function readScenario(
  text: string,
  file: string,
  library: GraphLibrary,
  source = readYaml(text, file),
): ScenarioReading {
  if (!source.ok) return source

  const { data, drafts } = splitDrafts(source.value)
  const { scenario, findings: found } = checkData(data, library)
  const findings = [...found, ...checkDrafts(data, drafts, library)]
  if (scenario !== null && findings.length === 0) return { ok: true, scenario }
  return { ok: false, findings: inFile(findings, file, source.positionOf) }
}

/** Checks the drafts: their shape, and each drafted line by the same rules as the lines of the file. */
function checkDrafts(data: unknown, drafts: unknown, library: GraphLibrary): readonly Finding[] {
  if (drafts === undefined) return []
  const read = readDrafts(drafts)
  if (!read.ok) return read.findings
  const strangers = Object.keys(read.drafts).filter((id) => indexOfNpc(data, id) < 0)
  return [
    ...strangers.map((id) => formError(['drafts', id], `nobody here is called "${id}"`)),
    ...findingsInDrafts(data, read.drafts, library),
  ]
}

/**
 * Returns the findings in drafted lines, each with its place in the file. The checks run on the scenario as it would be
 * with the drafts in it. What the drafts still lack is no finding.
 */
export function findingsInDrafts(data: unknown, drafts: LineDrafts, library: GraphLibrary): readonly Finding[] {
  const { merged, places } = withDrafts(data, drafts)
  return checkData(merged, library).findings.flatMap((finding) => {
    const place = placeOfDraft(finding.at, places)
    return place === null ? [] : [{ ...finding, at: place }]
  })
}
