import type { Document } from 'yaml'
import { LineCounter, isMap, isNode, isPair, isScalar, parseDocument } from 'yaml'
import type { Finding, Problem } from './problem.ts'

/** Where something stands in a text; both count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** The data of a text and where each part of it stands, or what its parser objects to. */
export type YamlReading =
  | { readonly ok: true; readonly value: unknown; readonly placeOf: (path: Problem['path']) => Position }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Reads YAML, and with it JSON, into plain data. Never throws: an alias that leads nowhere or to itself, or nesting
 * beyond what the parser can follow, is a finding like any other.
 *
 * @param text the file's content
 * @param file its name, for the findings
 */
export function readYaml(text: string, file: string): YamlReading {
  try {
    return read(text, file)
  } catch (error) {
    // The parser recurses, and throws where an alias cannot be followed.
    const message = error instanceof RangeError ? 'is nested too deeply to be read' : messageOf(error)
    return { ok: false, findings: [{ file, line: 1, column: 1, path: [], message }] }
  }
}

/** Problems as findings of a file, in the order in which they stand in it. */
export function placed(
  problems: readonly Problem[],
  file: string,
  placeOf: (path: Problem['path']) => Position,
): readonly Finding[] {
  const findings = problems.map((problem) => ({ ...problem, file, ...placeOf(problem.path) }))
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function read(text: string, file: string): YamlReading {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0) {
    const findings = document.errors.map(({ pos, code, message }) => ({
      file,
      ...position(pos[0]),
      path: [],
      message: code === 'BLOCK_AS_IMPLICIT_KEY' ? `${message}. ${COLON}` : message,
    }))
    return { ok: false, findings }
  }
  return { ok: true, value: document.toJS(), placeOf: (path) => position(offsetOf(document, path)) }

  function position(offset: number): Position {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
}

/** What its author most often did where the parser speaks of mappings. */
const COLON = 'A text with a colon in it stands in quotes'

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'cannot be read'
}

/** Where a path starts in the text: its key, its list item, or the nearest thing above it that is there. */
function offsetOf(document: Document, path: Problem['path']): number {
  for (let length = path.length; length > 0; length -= 1) {
    const offset = startOf(document, path.slice(0, length))
    if (offset !== null) return offset
  }
  return 0
}

function startOf(document: Document, path: Problem['path']): number | null {
  const last = path.at(-1)
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (isMap(parent)) {
    const pair = parent.items.find(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(last),
    )
    return pair && isNode(pair.key) ? (pair.key.range?.[0] ?? null) : null
  }
  const node = document.getIn(path, true)
  return isNode(node) ? (node.range?.[0] ?? null) : null
}
