import { pointerTo, type Finding, hasErrors } from '../../worker/core/graph/finding.ts'
import { whatToDo } from './advice.ts'

/** The keys that lead from the root of a file's data to a part of the data. */
export type DataPath = readonly (string | number)[]

/** A position in a file. Lines and columns are numbered from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A finding with its position in a file. */
export interface FileFinding extends Finding, Position {
  readonly file: string
}

/**
 * Makes an error of form: the file's data does not have the required shape. It belongs to no numbered rule, so its code
 * is `form`. The build refuses the file.
 */
export function formError(path: DataPath, message: string): Finding {
  return { code: 'form', severity: 'error', at: pointerTo(...path), message }
}

/** Adds the positions in a file to findings, and sorts the findings by position. */
export function inFile(
  findings: readonly Finding[],
  file: string,
  positionOf: (pointer: string) => Position,
): readonly FileFinding[] {
  return findings
    .map((finding) => ({ ...finding, file, ...positionOf(finding.at) }))
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
}

/** Makes a finding about a whole file. */
export function ofWholeFile(file: string, message: string): FileFinding {
  return { ...formError([], message), file, line: 1, column: 1 }
}

/** Formats a finding as one line: `graphs/x.yaml:12:7 error G001 /states/greet/exit_conditions/0  leads to …` */
export function formatFinding({ file, line, column, severity, code, at, message }: FileFinding): string {
  return `${file}:${line}:${column} ${severity} ${code} ${at === '' ? '/' : at}  ${message}`
}

/**
 * Formats a finding for the author of a simulation. An error of form is shown without its code. A second line gives
 * advice.
 */
export function linesWithAdvice(finding: FileFinding): readonly string[] {
  const line = formatFinding(finding).replace(' error form ', ' ')
  const advice = whatToDo(finding.message)
  return advice === '' ? [line] : [line, `    ${advice}`]
}

/** Returns a number with its noun: `1 option`, `2 options`. */
export function amountOf(n: number, one: string, more = `${one}s`): string {
  return `${n} ${n === 1 ? one : more}`
}

/** Counts findings by severity: `2 errors, 1 warning, 0 infos` */
export function countsOf(findings: readonly Finding[]): string {
  const count = (severity: Finding['severity']) =>
    amountOf(findings.filter((finding) => finding.severity === severity).length, severity)
  return `${count('error')}, ${count('warning')}, ${count('info')}`
}

export function isSound(findings: readonly Finding[]): boolean {
  return !hasErrors(findings)
}
