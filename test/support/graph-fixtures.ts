import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { formatFinding } from '../../sims/authoring/finding.ts'
import { readGraph } from '../../sims/authoring/read-graph.ts'
import type { GraphDocument } from '../../worker/core/graph/document/document.ts'

/** Returns the path of a graph in `test/fixtures/graphs`, by the file's name. */
export function graphFile(name: string): string {
  return `test/fixtures/graphs/${name}.yaml`
}

export function graphText(name: string): string {
  return readFileSync(new URL(`../../${graphFile(name)}`, import.meta.url), 'utf8')
}

/** Returns a graph's plain data, as the author wrote it. */
export function graphData(name: string): Record<string, unknown> {
  return parse(graphText(name)) as Record<string, unknown>
}

/** Reads a graph into a document. @throws when there are findings */
export function graphDocument(name: string): GraphDocument {
  const reading = readGraph(graphText(name), graphFile(name))
  if (!reading.ok) throw new Error(reading.findings.map(formatFinding).join('\n'))
  return reading.document
}
