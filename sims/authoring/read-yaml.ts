import { keysOf } from '../../worker/core/graph/finding.ts'
import { type Document, LineCounter, type Node, isMap, isNode, isPair, isScalar, isSeq, parseDocument } from 'yaml'
import { type FileFinding, ofWholeFile, type Position } from './finding.ts'

/** The data of a YAML text and a function that returns the position of each part, or else the parser's findings. */
export type YamlReading =
  | { readonly ok: true; readonly value: unknown; readonly positionOf: (pointer: string) => Position }
  | { readonly ok: false; readonly findings: readonly FileFinding[] }

/**
 * Reads YAML (and so JSON) into plain data. Never throws: a circular or missing alias, and nesting too deep for the
 * parser, become findings.
 *
 * @param text the file's content
 * @param file the file's name, for the findings
 */
export function readYaml(text: string, file: string): YamlReading {
  try {
    return read(text, file)
  } catch (error) {
    // The parser is recursive, so deep nesting overflows the stack. The parser also throws if it can't follow an alias.
    const message = error instanceof RangeError ? 'is nested too deeply to be read' : messageOf(error)
    return { ok: false, findings: [ofWholeFile(file, message)] }
  }
}

function read(text: string, file: string): YamlReading {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0) {
    const findings = document.errors.map(({ pos, code, message }) => ({
      ...ofWholeFile(file, code === 'BLOCK_AS_IMPLICIT_KEY' ? `${message}. ${COLON}` : message),
      ...position(pos[0]),
    }))
    return { ok: false, findings }
  }
  return { ok: true, value: document.toJS(), positionOf: (pointer) => position(offsetOf(document, keysOf(pointer))) }

  function position(offset: number): Position {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
}

/** The hint after a message of the YAML parser about a mapping: usually the author forgot the quotes around a text. */
const COLON = 'A text with a colon in it stands in quotes'

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'cannot be read'
}

/**
 * Returns the offset in the file of the part that the keys lead to. The offset is that of the part's key or of its list
 * item. If the file has no such part, the offset is that of the nearest parent that exists.
 */
function offsetOf({ contents }: Document, keys: readonly string[]): number {
  let offset = 0
  let node: unknown = contents
  for (const key of keys) {
    const child = childOf(node, key)
    if (child === null) break
    offset = child.start
    node = child.node
  }
  return offset
}

function childOf(node: unknown, key: string): { start: number; node: unknown } | null {
  if (isMap(node)) {
    const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === key)
    return pair && isNode(pair.key) ? startingAt(pair.key, pair.value) : null
  }
  const item = isSeq(node) && /^\d+$/.test(key) ? node.items[Number(key)] : undefined
  return isNode(item) ? startingAt(item, item) : null
}

function startingAt({ range }: Node, node: unknown): { start: number; node: unknown } | null {
  return range ? { start: range[0], node } : null
}
