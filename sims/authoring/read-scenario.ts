import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import { nearest } from '../../worker/core/graph/document/lints/nearest.ts'
import type { Finding } from '../../worker/core/graph/finding.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { checkFigures, checkProse, checkReportFields } from './check-texts.ts'
import { checkReferences } from './check-references.ts'
import { checkSimulation } from './check-simulation.ts'
import { checkStates, checkSupply, checkWalks } from './check-walks.ts'
import { type FileFinding, inFile } from './finding.ts'
import { hasKeys, readYaml } from './read-yaml.ts'
import { scenarioSchema } from './scenario-schema.ts'
import { wordsForAuthors, knownKeys, schemaErrors } from './schema-errors.ts'

export type ScenarioReading =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly findings: readonly FileFinding[] }

/**
 * Reads a scenario from YAML. Returns all findings at once, in the order of the file: of the parser, of the schema, of
 * the checks of prose, and of the checks that compare parts of the file. The checks that compare parts can run only on
 * data of the right shape. For these checks, a misspelt key is read as the intended key. Otherwise one misspelt key
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

  const parsed = scenarioSchema.safeParse(source.value, { error: wordsForAuthors })
  const shape = parsed.success ? [] : schemaErrors(parsed.error)
  const readable = parsed.success ? parsed : scenarioSchema.safeParse(withoutSlips(source.value))
  const together = readable.success ? crossChecks(readable.data, library) : []
  const findings = [...shape, ...together, ...checkProse(source.value), ...checkReportFields(source.value)]
  if (parsed.success && findings.length === 0) return { ok: true, scenario: parsed.data }
  return { ok: false, findings: inFile(findings, file, source.positionOf) }
}

/** Returns the data with each misspelt key corrected and every other unknown key removed. */
function withoutSlips(value: unknown): unknown {
  const mended = structuredClone(value)
  // Zod calls the `error` function only when code reads the result's `error`, so this line reads `error`.
  const { error } = scenarioSchema.safeParse(value, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') mendKeys(partAt(mended, issue.path ?? []), issue.keys, knownKeys(issue))
      return undefined
    },
  })
  return error ? mended : value
}

function mendKeys(part: unknown, keys: readonly string[], known: readonly string[]): void {
  if (!hasKeys(part)) return
  for (const key of keys) {
    const meant = nearest(key, known)
    if (meant !== null && !Object.hasOwn(part, meant)) part[meant] = part[key]
    delete part[key]
  }
}

function partAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => {
    if (Array.isArray(part)) return part[Number(key)]
    return hasKeys(part) ? part[String(key)] : undefined
  }, value)
}

function crossChecks(scenario: Scenario, library: GraphLibrary): readonly Finding[] {
  return [
    ...checkReferences(scenario),
    ...checkFigures(scenario),
    ...checkSupply(scenario, library),
    ...checkSimulation(scenario),
    ...checkStates(scenario, library),
    ...checkWalks(scenario, library),
  ]
}
