import { type Document, isCollection, isMap, isNode, isPair, isScalar, parseDocument } from 'yaml'
import { readYaml } from '../../sims/read-yaml.ts'
import { asTyped } from '../../worker/core/graph/document/lints/typed.ts'
import type { Change } from './changes.ts'

/**
 * Makes one change in a YAML text and leaves every other line of it as it was written, folded texts and brackets
 * included. Where that can't be done the whole text is set anew. Null where it cannot take the change at all, as behind
 * an alias.
 */
export function changeText(text: string, change: Change): string | null {
  const yaml = parseDocument(text)
  const inPlace = 'value' in change ? withValue(text, yaml, change) : withoutLines(text, yaml, change.path)
  try {
    if ('value' in change) yaml.setIn(change.path, change.value)
    else yaml.deleteIn(change.path)
  } catch {
    return null
  }
  const wanted = JSON.stringify(yaml.toJS())
  const anew = yaml.toString({ lineWidth: 0 })
  return [...inPlace, anew].find((candidate) => says(candidate, wanted)) ?? null
}

function says(text: string, wanted: string): boolean {
  const read = readYaml(text, '')
  return read.ok && JSON.stringify(read.value) === wanted
}

/** As it is written but for the signs that are not plain, then bare, then in quotes. */
function withValue(text: string, yaml: Document, { path, value }: Extract<Change, { value: unknown }>): string[] {
  const node = yaml.getIn(path, true)
  if (!isScalar(node) || !node.range) return []
  const [from, to] = node.range
  return [asTyped(text.slice(from, to)), String(value), JSON.stringify(value)].map(
    (written) => text.slice(0, from) + written + text.slice(to),
  )
}

/** Without the lines of an item or of a key, where it has lines of its own. What is said before the next one stays. */
function withoutLines(text: string, yaml: Document, path: Change['path']): string[] {
  const parent = path.length === 1 ? yaml.contents : yaml.getIn(path.slice(0, -1), true)
  if (!isCollection(parent) || parent.flow === true) return []
  const pair = isMap(parent)
    ? parent.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === path.at(-1))
    : undefined
  const node = yaml.getIn(path, true)
  const first = isPair(pair) ? pair.key : node
  if (!isNode(first) || !isNode(node) || !first.range || !node.range) return []

  const start = text.lastIndexOf('\n', first.range[0] - 1) + 1
  const indent = /^ *(?=(?:- +)?$)/.exec(text.slice(start, first.range[0]))?.[0].length
  if (indent === undefined) return []
  const lines = text.slice(start, node.range[2]).split('\n')
  const last = lines.findLastIndex((line) => line.trim() !== '' && (indentOf(line) > indent || line === lines[0]))
  const end = start + lines.slice(0, last + 1).join('\n').length + 1
  return [text.slice(0, start) + text.slice(end)]
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
