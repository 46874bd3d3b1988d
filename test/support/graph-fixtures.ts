import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { formatFinding } from '../../sims/authoring/finding.ts'
import { readGraph } from '../../sims/authoring/read-graph.ts'
import type { GraphDocument } from '../../worker/core/graph/document/document.ts'

/** Where a graph of `test/fixtures/graphs` stands, by the name of its file. */
export function graphFile(name: string): string {
  return `test/fixtures/graphs/${name}.yaml`
}

export function graphText(name: string): string {
  return readFileSync(new URL(`../../${graphFile(name)}`, import.meta.url), 'utf8')
}

/** Its plain data, as its author spelt it. */
export function graphData(name: string): Record<string, unknown> {
  return parse(graphText(name)) as Record<string, unknown>
}

/** It read. Fails the test that asks for one with findings. */
export function graphDocument(name: string): GraphDocument {
  const reading = readGraph(graphText(name), graphFile(name))
  if (!reading.ok) throw new Error(reading.findings.map(formatFinding).join('\n'))
  return reading.document
}
