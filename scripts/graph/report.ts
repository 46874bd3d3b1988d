import type { Finding as FileFinding, Problem } from '../../sims/problem.ts'
import type { Position } from '../../sims/read-yaml.ts'
import { type Finding, hasErrors } from '../../worker/core/graph/finding.ts'
import { pointerTo } from '../../worker/core/graph/document/pointer.ts'

/** A finding with its place in a file. */
export interface PlacedFinding extends Finding, Position {
  readonly file: string
}

/** Findings about a graph, at their places in the file it was read from. In the order of the file. */
export function place(
  findings: readonly Finding[],
  file: string,
  placeOf: (pointer: string) => Position,
): readonly PlacedFinding[] {
  return findings
    .map((finding) => ({ ...finding, file, ...placeOf(finding.at) }))
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
}

/** What a reader objects to is an error of form, and has no code of its own. */
export function asForm({ file, line, column, path, message }: FileFinding): PlacedFinding {
  return { file, line, column, severity: 'error', code: 'form', at: pointerOf(path), message }
}

/** `graphs/x.yaml:12:7 error G001 /states/greet/exit_conditions/0  leads to …` */
export function formatPlaced({ file, line, column, severity, code, at, message }: PlacedFinding): string {
  return `${file}:${line}:${column} ${severity} ${code} ${at === '' ? '/' : at}  ${message}`
}

/** `2 errors, 1 warning, 0 infos` */
export function tally(findings: readonly Finding[]): string {
  const count = (severity: Finding['severity']) => {
    const some = findings.filter((finding) => finding.severity === severity).length
    return `${some} ${severity}${some === 1 ? '' : 's'}`
  }
  return `${count('error')}, ${count('warning')}, ${count('info')}`
}

export function isSound(findings: readonly Finding[]): boolean {
  return !hasErrors(findings)
}

function pointerOf(path: Problem['path']): string {
  return pointerTo(...path)
}
