import { rename, writeFile } from 'node:fs/promises'
import { type Document, isCollection, isMap, isNode, isPair, isScalar, parseDocument } from 'yaml'
import { applyFixes } from '../../worker/core/graph/document/apply-fixes.ts'
import { lintDocument } from '../../worker/core/graph/document/lint-document.ts'
import { asTyped } from '../../worker/core/graph/document/lints/prose.ts'
import type { DataPath } from './finding.ts'
import type { GraphFile } from './open-file.ts'
import { readYaml } from './read-yaml.ts'

/**
 * Applies every safe fix to a graph's file. If possible, the other lines of a YAML file stay as written. Returns the
 * code and the position of each fix. If there is nothing to fix, writes nothing and returns an empty list.
 *
 * @throws Error if the file can't be written; the file then stays as it was
 */
export async function fixFile({ file, text, document, library }: GraphFile): Promise<readonly string[]> {
  const findings = lintDocument(document, { library, npc: null }).filter(({ fix }) => fix !== undefined)
  const source = readYaml(text, file)
  if (!source.ok || findings.length === 0) return []
  const fixed = applyFixes(source.value, findings)
  const written = file.endsWith('.json') ? inJson(text, fixed) : inYaml(text, source.value, fixed)
  if (written === null || written === text) return []
  await replaceFile(file, written)
  return findings.map(({ code, at }) => `${code} ${at}`)
}

/** Applies the changes to a YAML text one after the other. Returns null if one of the changes can't be applied. */
function inYaml(text: string, before: unknown, after: unknown): string | null {
  const changes = changesBetween(before, after)
  const written = changes.reduce<string | null>((now, change) => now && changeText(now, change), text)
  const again = written === null ? null : readYaml(written, '')
  return again?.ok && JSON.stringify(again.value) === JSON.stringify(after) ? written : null
}

function inJson(text: string, after: unknown): string {
  const indent = /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? 2
  return `${JSON.stringify(after, null, indent)}\n`
}

/** Writes the text to a temporary file and renames that file, so that an author's file is never half written. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}.tmp`
  await writeFile(beside, text)
  await rename(beside, file)
}

type Change =
  | { readonly path: DataPath; readonly value: unknown }
  | { readonly path: DataPath; readonly isRemoved: true }

/**
 * Returns the changes that turn `before` into `after`. List items are removed from the last to the first, so that the
 * indexes stay valid.
 */
function changesBetween(before: unknown, after: unknown, path: DataPath = []): readonly Change[] {
  if (isSame(before, after)) return []
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, path)
  if (isRecord(before) && isRecord(after)) return recordChanges(before, after, path)
  return [{ path, value: after }]
}

function recordChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: DataPath,
): readonly Change[] {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  return [
    ...Object.keys(after).flatMap((key) => changesBetween(before[key], after[key], [...path, key])),
    ...removed.map((key): Change => ({ path: [...path, key], isRemoved: true })),
  ]
}

function listChanges(before: readonly unknown[], after: readonly unknown[], path: DataPath): readonly Change[] {
  if (before.length === after.length) {
    return before.flatMap((item, i) => changesBetween(item, after[i], [...path, i]))
  }
  const gone = missingFrom(before, after)
  if (gone === null) return [{ path, value: after }]
  return gone.toReversed().map((i) => ({ path: [...path, i], isRemoved: true }))
}

/** Returns the indexes of the items that `after` lacks, if nothing else differs; otherwise null. */
function missingFrom(before: readonly unknown[], after: readonly unknown[]): readonly number[] | null {
  let met = 0
  const gone = before.flatMap((item, i) => {
    if (met < after.length && isSame(item, after[met])) {
      met += 1
      return []
    }
    return [i]
  })
  return met === after.length ? gone : null
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Makes one change in a YAML text and keeps every other line as written, folded texts and brackets included. If the
 * other lines can't be kept, rewrites the whole text. Returns null if the change can't be applied at all, for example
 * inside a part that is written as a YAML alias.
 */
function changeText(text: string, change: Change): string | null {
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

/**
 * Returns the YAML text with the new value, in up to three spellings, best first: the old value with its typographic
 * characters replaced, the new value without quotes, the new value in double quotes.
 */
function withValue(text: string, yaml: Document, { path, value }: Extract<Change, { value: unknown }>): string[] {
  const node = yaml.getIn(path, true)
  if (!isScalar(node) || !node.range) return []
  const [from, to] = node.range
  return [asTyped(text.slice(from, to)), String(value), JSON.stringify(value)].map(
    (written) => text.slice(0, from) + written + text.slice(to),
  )
}

/**
 * Returns the text without the lines of an item or a key. Returns an empty list if another item or key shares these
 * lines. A comment before the next item stays.
 */
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
