import { pointerTo, type Finding, hasErrors } from '../../worker/core/graph/finding.ts'
import { whatToDo } from './advice.ts'

/** The keys that lead to a part of a file's data. */
export type DataPath = readonly (string | number)[]

/** A line and a column of a file; both count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A finding at its place in a file. */
export interface FileFinding extends Finding, Position {
  readonly file: string
}

/** An error of form, which has no code. The file can't be built until it is gone. */
export function formError(path: DataPath, message: string): Finding {
  return { code: 'form', severity: 'error', at: pointerTo(...path), message }
}

/** Puts findings at their places in a file, in the order of the file. */
export function inFile(
  findings: readonly Finding[],
  file: string,
  positionOf: (pointer: string) => Position,
): readonly FileFinding[] {
  return findings
    .map((finding) => ({ ...finding, file, ...positionOf(finding.at) }))
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
}

/** A finding about a whole file. */
export function ofWholeFile(file: string, message: string): FileFinding {
  return { ...formError([], message), file, line: 1, column: 1 }
}

/** One line: `graphs/x.yaml:12:7 error G001 /states/greet/exit_conditions/0  leads to …` */
export function formatFinding({ file, line, column, severity, code, at, message }: FileFinding): string {
  return `${file}:${line}:${column} ${severity} ${code} ${at === '' ? '/' : at}  ${message}`
}

/**
 * Formats a finding for the author of a simulation, without a code for an error of form; a second line gives advice.
 */
export function linesWithAdvice(finding: FileFinding): readonly string[] {
  const line = formatFinding(finding).replace(' error form ', ' ')
  const advice = whatToDo(finding.message)
  return advice === '' ? [line] : [line, `    ${advice}`]
}

/** `2 errors, 1 warning, 0 infos` */
export function countsOf(findings: readonly Finding[]): string {
  const count = (severity: Finding['severity']) => {
    const some = findings.filter((finding) => finding.severity === severity).length
    return `${some} ${severity}${some === 1 ? '' : 's'}`
  }
  return `${count('error')}, ${count('warning')}, ${count('info')}`
}

export function isSound(findings: readonly Finding[]): boolean {
  return !hasErrors(findings)
}
