import type { Document } from 'yaml'
import { LineCounter, isMap, isNode, isPair, isScalar, parseDocument } from 'yaml'
import type { ZodError } from 'zod'
import type { Scenario } from '../worker/core/scenario/scenario.ts'
import { checkFigures } from './check-figures.ts'
import { checkProse } from './check-prose.ts'
import { checkReferences } from './check-references.ts'
import { checkSupply } from './check-supply.ts'
import { checkWalks } from './check-walks.ts'
import type { Finding, Problem } from './problem.ts'
import { scenarioSchema } from './schema.ts'

export type ScenarioReading =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Reads a scenario from YAML. All findings come at once, in the order of the file: what the parser, the shape and
 * the prose object to; and, once the shape is right, what does not fit together.
 *
 * @param text the file's content
 * @param file its name, for the findings
 */
export function readScenario(text: string, file: string): ScenarioReading {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0) return { ok: false, findings: document.errors.map(parserFinding) }

  const raw: unknown = document.toJS()
  const parsed = scenarioSchema.safeParse(raw)
  const shape = parsed.success ? crossChecks(parsed.data) : parsed.error.issues.flatMap(shapeProblems)
  const problems = [...shape, ...checkProse(raw)]
  if (parsed.success && problems.length === 0) return { ok: true, scenario: parsed.data }
  const findings = problems.map((problem) => ({ ...problem, file, ...place(document, problem.path) }))
  return { ok: false, findings: findings.toSorted((a, b) => a.line - b.line || a.column - b.column) }

  function parserFinding({ pos, message }: { pos: [number, number]; message: string }): Finding {
    return { file, ...position(pos[0]), path: [], message }
  }

  function place(source: Document, path: Problem['path']): { line: number; column: number } {
    return position(offsetOf(source, path))
  }

  function position(offset: number): { line: number; column: number } {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
}

function crossChecks(scenario: Scenario): readonly Problem[] {
  return [...checkReferences(scenario), ...checkFigures(scenario), ...checkSupply(scenario), ...checkWalks(scenario)]
}

type Issue = ZodError['issues'][number]

function shapeProblems(issue: Issue): readonly Problem[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: 'is not a key this file knows' }))
  }
  return [{ path, message: issue.message }]
}

/** Where a path starts in the text: its key, its list item, or the nearest thing above it that is there. */
function offsetOf(document: Document, path: Problem['path']): number {
  for (let length = path.length; length > 0; length -= 1) {
    const offset = startOf(document, path.slice(0, length))
    if (offset !== null) return offset
  }
  return 0
}

function startOf(document: Document, path: Problem['path']): number | null {
  const last = path.at(-1)
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (isMap(parent)) {
    const pair = parent.items.find(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(last),
    )
    return pair && isNode(pair.key) ? (pair.key.range?.[0] ?? null) : null
  }
  const node = document.getIn(path, true)
  return isNode(node) ? (node.range?.[0] ?? null) : null
}
