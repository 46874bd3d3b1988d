import type { GraphDocument } from '../../worker/core/graph/document/document.ts'
import { keysOf, pointerTo } from '../../worker/core/graph/finding.ts'
import { type FileFinding, inFile, type Position } from './finding.ts'
import { parseGraph, pathOfState } from './parse-graph.ts'
import { readYaml } from './read-yaml.ts'

export type GraphReading =
  | {
      readonly ok: true
      readonly document: GraphDocument
      /**
       * Returns the position in the file of a JSON pointer into the document. If the file has no part at the pointer,
       * returns the position of the part's nearest existing parent.
       */
      readonly positionOf: (pointer: string) => Position
    }
  | { readonly ok: false; readonly findings: readonly FileFinding[] }

/**
 * Reads a context graph from YAML or JSON. Returns all errors of form (data without the required shape) at once, in the
 * order of the file. `lintDocument` checks the meaning of the graph.
 *
 * @param text the file's content
 * @param file the file's name, for the findings
 * @param source the file's data, if the caller has read it
 */
export function readGraph(text: string, file: string, source = readYaml(text, file)): GraphReading {
  if (!source.ok) return source

  const { value, positionOf } = source
  const parsed = parseGraph(value)
  if (!parsed.ok) return { ok: false, findings: inFile(parsed.findings, file, positionOf) }
  return { ok: true, document: parsed.document, positionOf: (pointer) => positionOf(inData(pointer, value)) }
}

/**
 * Translates a pointer that names a state or a node (`/states/greet/…`) into a pointer into the file's data, where
 * `states` may be an object or a list.
 */
function inData(pointer: string, value: unknown): string {
  const [root, state, ...rest] = keysOf(pointer)
  const namesState = (root === 'states' || root === 'nodes') && state !== undefined
  return namesState ? pointerTo(...pathOfState(value, state), ...rest) : pointer
}
