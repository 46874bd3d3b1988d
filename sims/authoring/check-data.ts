import type * as z from 'zod'
import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import { nearest } from '../../worker/core/graph/document/lints/nearest.ts'
import { type Finding, pointerTo } from '../../worker/core/graph/finding.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { checkFigures, checkProse, checkReportFields } from './check-texts.ts'
import { checkReferences } from './check-references.ts'
import { checkSimulation } from './check-simulation.ts'
import { checkStates, checkSupply, checkWalks } from './check-walks.ts'
import type { DataPath } from './finding.ts'
import { hasKeys, partAt } from './plain-data.ts'
import { scenarioSchema } from './scenario-schema.ts'
import { wordsForAuthors, knownKeys, schemaErrors } from './schema-errors.ts'

/** Returns all findings of a scenario's data without drafts, and the scenario if its data has the right shape. */
export function checkData(
  data: unknown,
  library: GraphLibrary,
): { readonly scenario: Scenario | null; readonly findings: readonly Finding[] } {
  const parsed = scenarioSchema.safeParse(data, { error: wordsForAuthors })
  const shape = parsed.success ? [] : schemaErrors(parsed.error)
  const readable = parsed.success ? { scenario: parsed.data, replaced: [] } : readAnyway(data)
  const together = readable === null ? [] : crossChecks(readable, library)
  return {
    scenario: parsed.success ? parsed.data : null,
    findings: [...shape, ...together, ...checkProse(data), ...checkReportFields(data)],
  }
}

/** A scenario that could be read only after corrections, and the pointers to the parts that were replaced. */
interface CorrectedScenario {
  readonly scenario: Scenario
  readonly replaced: readonly string[]
}

/** The most rounds of corrections. A part that replaces a wrong one may itself lack parts, which the next round adds. */
const ROUNDS = 8

/**
 * Reads data that the schema refuses. A misspelt key is read as the intended key, and every other unknown key is left
 * out. Any other wrong part is replaced by a part of the right shape. Returns null if the data is still refused.
 */
function readAnyway(value: unknown): CorrectedScenario | null {
  const data = structuredClone(value)
  const replaced: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const parsed = scenarioSchema.safeParse(data, {
      error: (issue) => (issue.code === 'unrecognized_keys' ? knownKeys(issue).join(' ') : undefined),
    })
    if (parsed.success) return { scenario: parsed.data, replaced }
    const { issues } = parsed.error
    const slips = issues.filter((issue) => issue.code === 'unrecognized_keys')
    for (const { path, keys, message } of slips) mendKeys(partAt(data, path), keys, message.split(' '))
    // A misspelt key is also a missing key. So the other issues wait until all keys are mended.
    if (slips.length > 0) continue
    for (const issue of issues) {
      const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)))
      replaced.push(pointerTo(...path))
      replacePart(data, path, issue)
    }
  }
  return null
}

function mendKeys(part: unknown, keys: readonly string[], known: readonly string[]): void {
  if (!hasKeys(part)) return
  for (const key of keys) {
    const meant = nearest(key, known)
    if (meant !== null && !Object.hasOwn(part, meant)) part[meant] = part[key]
    delete part[key]
  }
}

function replacePart(data: unknown, path: DataPath, issue: z.core.$ZodIssue): void {
  const key = path.at(-1)
  const parent = partAt(data, path.slice(0, -1))
  if (key === undefined) return
  if (Array.isArray(parent)) parent[Number(key)] = standInFor(issue, parent[Number(key)])
  else if (hasKeys(parent) && issue.code === 'invalid_key') delete parent[key]
  else if (hasKeys(parent)) parent[key] = standInFor(issue, parent[key])
}

/** A text that is also an id. */
const WORD = 'x'

/** Returns a part that the schema accepts where it has found this issue, or that lacks only parts of its own. */
function standInFor(issue: z.core.$ZodIssue, value: unknown): unknown {
  switch (issue.code) {
    case 'invalid_type':
      return EMPTY[issue.expected] ?? WORD
    case 'invalid_value':
      return issue.values[0]
    case 'too_small':
      return issue.origin === 'array' ? Array.from({ length: Number(issue.minimum) }, () => WORD) : smallest(issue)
    case 'too_big':
      return Array.isArray(value) ? value.slice(0, Number(issue.maximum)) : issue.maximum
    case 'invalid_format':
      return issue.format === 'includes' && 'includes' in issue ? issue.includes : WORD
    default:
      return WORD
  }
}

const EMPTY: Readonly<Record<string, unknown>> = {
  number: 1,
  int: 1,
  boolean: false,
  array: [],
  object: {},
  record: {},
}

function smallest({ origin, minimum }: z.core.$ZodIssueTooSmall): unknown {
  return origin === 'string' ? WORD : minimum
}

interface CrossCheck {
  readonly find: (scenario: Scenario, library: GraphLibrary) => readonly Finding[]
  /**
   * The parts of the file that the check compares, as a pattern of pointers. `npc` is the pointer to the colleague in
   * whom the check has found something.
   */
  readonly compares: (npc: string) => string
}

const CROSS_CHECKS: readonly CrossCheck[] = [
  { find: checkReferences, compares: () => '/(?:decision|objectives)(?:/|$)|/npcs(?:/\\d+(?:/id)?)?$' },
  { find: checkFigures, compares: (npc) => `/npcs$|${npc}(?:/document(?:/|$)|$)` },
  { find: checkSimulation, compares: () => '/(?:simulation|decision|npcs)(?:/|$)' },
  ...[checkSupply, checkStates, checkWalks].map((find) => ({
    find,
    compares: (npc: string) => `/tier$|/npcs$|${npc}(?:/|$)`,
  })),
]

/**
 * Runs the checks that compare parts of the file. A finding is left out if it may come from a part that `readAnyway`
 * has replaced.
 */
function crossChecks({ scenario, replaced }: CorrectedScenario, library: GraphLibrary): readonly Finding[] {
  return CROSS_CHECKS.flatMap(({ find, compares }) => {
    const findings = find(scenario, library)
    if (replaced.length === 0) return findings
    return findings.filter(({ at }) => {
      const compared = new RegExp(`^(?:${compares(/^\/npcs\/\d+/.exec(at)?.[0] ?? '/npcs')})`)
      return !replaced.some((part) => compared.test(part) || `${at}/`.startsWith(`${part}/`))
    })
  })
}
