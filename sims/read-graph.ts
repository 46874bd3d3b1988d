import type { GraphDocument } from '../worker/core/graph/document/document.ts'
import { keysOf } from '../worker/core/graph/document/pointer.ts'
import { parseGraph } from './parse-graph.ts'
import type { Finding, Problem } from './problem.ts'
import { pathOfState } from './read-states.ts'
import { placed, type Position, readYaml } from './read-yaml.ts'

export type GraphReading =
  | {
      readonly ok: true
      readonly document: GraphDocument
      /** Where a JSON pointer into the document stands in the file, or the nearest thing above it that does. */
      readonly placeOf: (pointer: string) => Position
    }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Reads a context graph from YAML or JSON, in the spelling of S0-9. All findings come at once, in the order of the
 * file. What is said here is about form; what a graph says wrongly is for `lintDocument`.
 *
 * @param text the file's content
 * @param file its name, for the findings
 */
export function readGraph(text: string, file: string): GraphReading {
  const source = readYaml(text, file)
  if (!source.ok) return source

  const { value, placeOf } = source
  const parsed = parseGraph(value)
  if (!parsed.ok) return { ok: false, findings: placed(parsed.problems, file, placeOf) }
  return { ok: true, document: parsed.document, placeOf: (pointer) => placeOf(pathOf(pointer, value)) }
}

/** A pointer names a state whatever form the states came in; a pointer into the linked graph names a node. */
function pathOf(pointer: string, value: unknown): Problem['path'] {
  const keys = keysOf(pointer)
  const [root, state, ...rest] = keys
  if ((root === 'states' || root === 'nodes') && state !== undefined) {
    return [...pathOfState(value, state), ...rest.map(asKey)]
  }
  return keys.map(asKey)
}

function asKey(key: string): string | number {
  return /^\d+$/.test(key) ? Number(key) : key
}
