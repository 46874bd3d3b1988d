import type { GraphDocument } from '../worker/core/graph/document/document.ts'
import type { Scenario } from '../worker/core/scenario/scenario.ts'
import { checkFigures } from './check-figures.ts'
import { checkProse } from './check-prose.ts'
import { checkReferences } from './check-references.ts'
import { checkReportFields } from './check-report-fields.ts'
import { checkSimulation } from './check-simulation.ts'
import { checkStates } from './check-states.ts'
import { checkSupply } from './check-supply.ts'
import { checkWalks } from './check-walks.ts'
import { inWords } from './in-words.ts'
import type { Finding, Problem } from './problem.ts'
import { placed, readYaml } from './read-yaml.ts'
import { scenarioSchema } from './schema.ts'
import { shapeProblems } from './shape-problems.ts'

export type ScenarioReading =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Reads a scenario from YAML. All findings come at once, in the order of the file: what the parser, the shape and
 * the prose object to; and, once the shape is right, what does not fit together.
 *
 * @param text the file's content
 * @param file its name, for the findings
 * @param documents the context graphs its colleagues may walk
 */
export function readScenario(text: string, file: string, documents: readonly GraphDocument[] = []): ScenarioReading {
  const source = readYaml(text, file)
  if (!source.ok) return source

  const parsed = scenarioSchema.safeParse(source.value, { error: inWords })
  const shape = parsed.success ? crossChecks(parsed.data, documents) : shapeProblems(parsed.error)
  const problems = [...shape, ...checkProse(source.value), ...checkReportFields(source.value)]
  if (parsed.success && problems.length === 0) return { ok: true, scenario: parsed.data }
  return { ok: false, findings: placed(problems, file, source.placeOf) }
}

function crossChecks(scenario: Scenario, documents: readonly GraphDocument[]): readonly Problem[] {
  return [
    ...checkReferences(scenario),
    ...checkFigures(scenario),
    ...checkSupply(scenario),
    ...checkSimulation(scenario),
    ...checkStates(scenario, documents),
    ...checkWalks(scenario, documents),
  ]
}
