export type Severity = 'error' | 'warning' | 'info'

/** One finding of a check about a graph or a scenario. */
export interface Finding {
  /** The stable code of the check, e.g. `G018`. `docs/reference/lints.md` lists the codes. */
  readonly code: string
  readonly severity: Severity
  /** A JSON pointer into the checked graph, or into the document as its author wrote it. */
  readonly at: string
  /** What is wrong and how to repair it, in a sentence or two. */
  readonly message: string
  /** The repair, if there is exactly one and it is safe to apply automatically. */
  readonly fix?: Fix
}

/** A change to a document: set the value at a JSON pointer, or remove it. */
export type Fix = { readonly at: string; readonly value: unknown } | { readonly at: string; readonly remove: true }

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}

/** Sorts findings by code, then by JSON pointer, so that two runs print the same list. */
export function findingsInOrder(findings: readonly Finding[]): readonly Finding[] {
  const key = (finding: Finding) => `${finding.code} ${finding.at}`
  return findings.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}

/** Returns the JSON pointer (RFC 6901) of the given keys, from the root. */
export function pointerTo(...keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns the keys of a JSON pointer, in order. The empty pointer has no keys. */
export function keysOf(pointer: string): readonly string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}
