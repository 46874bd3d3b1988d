import type { GraphDocument } from '../document.ts'
import { type Finding, pointerTo } from '../../finding.ts'
import { moduleOf } from '../linked-set.ts'
import { found } from './found.ts'
import type { Graphs, Subject } from './subject.ts'

/** The greatest depth of calls that gives no warning. The walker's own limit is higher. */
const DEPTH = 4

/** Reports references that form a cycle, or calls that are too deep (G015). */
export function lintReferences({ document, graphs }: Subject): readonly Finding[] {
  const findings: Finding[] = []
  for (const [name, reference] of Object.entries(document.references)) {
    const called = graphs.get(moduleOf(reference))
    if (!called) continue
    const at = pointerTo('references', name)
    const isRound = leadsTo(called, document, graphs)
    if (isRound && !document.allowsRecursion)
      findings.push(
        found(
          'G015',
          at,
          `Leads back to ${moduleOf(document)}. Break the circle, or say allows_recursion: true if it is meant.`,
        ),
      )
    const depth = 1 + depthOf(called, graphs, new Set([document]))
    if (!isRound && depth > DEPTH)
      findings.push({
        ...found(
          'G015',
          at,
          `Calls go ${depth} deep from here; more than ${DEPTH} are hard to follow. Join some of the graphs.`,
        ),
        severity: 'warning',
      })
  }
  return findings
}

function leadsTo(from: GraphDocument, to: GraphDocument, graphs: Graphs): boolean {
  const seen = new Set([from])
  for (const graph of seen) {
    if (graph === to) return true
    for (const called of calledBy(graph, graphs)) seen.add(called)
  }
  return false
}

/**
 * Returns how deep the calls below a graph can nest. A call that leads back to one of the graphs above it in the
 * nesting does not count.
 */
function depthOf(graph: GraphDocument, graphs: Graphs, above: ReadonlySet<GraphDocument>): number {
  // The recursion stops one level past the limit. Otherwise many cross-references could take exponential time.
  if (above.size > DEPTH + 1) return 0
  const within = new Set([...above, graph])
  const deeper = calledBy(graph, graphs).filter((called) => !within.has(called))
  return Math.max(0, ...deeper.map((called) => 1 + depthOf(called, graphs, within)))
}

function calledBy(graph: GraphDocument, graphs: Graphs): readonly GraphDocument[] {
  return [...new Set(Object.values(graph.references).map(moduleOf))].flatMap((id) => graphs.get(id) ?? [])
}
