export type Severity = 'error' | 'warning' | 'info'

/** One thing a check has to say about a graph or a scenario. */
export interface Finding {
  /** Stable, e.g. `G018`; listed in `docs/walker.md`. */
  readonly code: string
  readonly severity: Severity
  /** A JSON pointer into the graph. */
  readonly at: string
  /** What is wrong and how to put it right, in a sentence or two. */
  readonly message: string
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}

/** By code, then place, so that two runs print the same list. */
export function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const key = (finding: Finding) => `${finding.code} ${finding.at}`
  return findings.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}
