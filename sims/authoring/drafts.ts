import { isDeepStrictEqual } from 'node:util'
import { isMap, isNode, isPair, isScalar, isSeq, parseDocument, stringify, type Node, type YAMLMap } from 'yaml'
import * as z from 'zod'
import { type Finding, pointerTo } from '../../worker/core/graph/finding.ts'
import type { DataPath } from './finding.ts'
import { readYaml } from './read-yaml.ts'
import { hasKeys } from './plain-data.ts'
import { rehearsal } from './scenario-schema.ts'
import { schemaErrors, wordsForAuthors } from './schema-errors.ts'

/**
 * The drafts of a scenario's file, by colleague. A draft has the form of `rehearsal`, or of a part of it. Nobody speaks
 * a draft: the key `drafts` is no part of a scenario. `npm run sim -- draft ID --accept` moves drafts to their place.
 */
export type LineDrafts = Readonly<Record<string, LineDraft>>
export type LineDraft = Readonly<Record<string, unknown>>

const KEY = 'drafts'

const draftsSchema = z.record(z.string(), rehearsal())

/** Splits a file's data into the scenario's data and the drafts; `drafts` is undefined if there are none. */
export function splitDrafts(value: unknown): { readonly data: unknown; readonly drafts: unknown } {
  if (!hasKeys(value)) return { data: value, drafts: undefined }
  const { [KEY]: drafts, ...data } = value
  return { data, drafts: drafts ?? undefined }
}

type DraftReading =
  | { readonly ok: true; readonly drafts: LineDrafts }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/** Reads the value of the key `drafts`. Its findings point into the file. */
export function readDrafts(drafts: unknown): DraftReading {
  if (drafts === undefined) return { ok: true, drafts: {} }
  const read = draftsSchema.safeParse(drafts, { error: wordsForAuthors })
  // The drafts are returned as written, because the parsed ones have a list for every key that the author left out.
  if (read.success) return { ok: true, drafts: drafts as LineDrafts }
  return { ok: false, findings: schemaErrors(read.error).map((each) => ({ ...each, at: `/${KEY}${each.at}` })) }
}

/** Returns the index of a colleague in a scenario's data; -1 if there is no such colleague. */
export function indexOfNpc(data: unknown, id: string): number {
  const npcs: unknown = hasKeys(data) ? data['npcs'] : []
  return Array.isArray(npcs) ? npcs.findIndex((npc: unknown) => hasKeys(npc) && npc['id'] === id) : -1
}

/** The pointer into the file for each drafted line and list item, by the pointer that it would have in the scenario. */
export type DraftPlaces = ReadonlyMap<string, string>

/** Returns a scenario's data with the drafts in their places. Drafts of unknown colleagues are left out. */
export function withDrafts(
  data: unknown,
  drafts: LineDrafts,
): { readonly merged: unknown; readonly places: DraftPlaces } {
  const places = new Map<string, string>()
  const merge = createMerge(places)
  const merged = structuredClone(data)
  for (const [id, draft] of Object.entries(drafts)) {
    const index = indexOfNpc(merged, id)
    if (index < 0 || !hasKeys(merged) || !Array.isArray(merged['npcs'])) continue
    const npc = merged['npcs'][index] as Record<string, unknown>
    npc['rehearsal'] = merge(npc['rehearsal'], draft, ['npcs', index, 'rehearsal'], [KEY, id])
  }
  return { merged, places }
}

/** Adds a draft to an earlier draft of the same colleague. */
export function joinDrafts(before: LineDraft, added: LineDraft): LineDraft {
  return createMerge(new Map())(before, added, [], []) as LineDraft
}

/** Returns a function that adds a draft to lines, and writes into `places` where each drafted part goes. */
function createMerge(places: Map<string, string>) {
  return merge

  function mergeAnswers(known: readonly unknown[], added: readonly unknown[], to: DataPath, from: DataPath): unknown {
    const answers = [...known]
    for (const [i, item] of added.entries()) {
      const at = sameQuestion(known, item)
      const answer = answers[at]
      if (!hasKeys(answer)) {
        answers.push(merge(undefined, item, [...to, answers.length], [...from, i]))
        continue
      }
      const more = paraphrasesIn(item)
      const asks: readonly unknown[] = Array.isArray(answer['asks']) ? answer['asks'] : []
      // The draft's first entry of `asks` is the known question, so the places of the others begin at 1.
      for (const k of more.asks.keys())
        places.set(pointerTo(...to, at, 'asks', asks.length + k), pointerTo(...from, i, 'asks', k + 1))
      answers[at] = {
        ...answer,
        asks: [...asks, ...more.asks],
        say: merge(answer['say'], more.say, [...to, at, 'say'], [...from, i, 'say']),
      }
    }
    return answers
  }

  function merge(before: unknown, added: unknown, to: DataPath, from: DataPath): unknown {
    if (Array.isArray(added)) {
      const known: readonly unknown[] = Array.isArray(before) ? before : []
      if (to.at(-1) === 'answers') return mergeAnswers(known, added, to, from)
      const items = added.map((item: unknown, i) => merge(undefined, item, [...to, known.length + i], [...from, i]))
      return [...known, ...items]
    }
    // The items of lists are moved as a whole, so a finding within an item belongs to the item.
    const isItem = typeof from.at(-1) === 'number'
    if (isItem || !hasKeys(added)) places.set(pointerTo(...to), pointerTo(...from))
    if (!hasKeys(added)) return added
    const known = hasKeys(before) ? before : {}
    const parts = Object.entries(added).map(([key, value]) => [
      key,
      merge(known[key], value, [...to, key], [...from, key]),
    ])
    return { ...known, ...Object.fromEntries(parts) }
  }
}

/** Returns the index of the answer to the same question, that is with the same first entry of `asks`; -1 if there is none. */
function sameQuestion(answers: readonly unknown[], item: unknown): number {
  const first = (answer: unknown) =>
    hasKeys(answer) && Array.isArray(answer['asks']) ? (answer['asks'][0] as unknown) : null
  return first(item) === null ? -1 : answers.findIndex((answer) => first(answer) === first(item))
}

/** Returns what a drafted answer adds to the answer to the same question: other ways to ask, and other wordings. */
function paraphrasesIn(item: unknown): { readonly asks: readonly unknown[]; readonly say: readonly unknown[] } {
  const { asks, say } = hasKeys(item) ? item : {}
  return { asks: Array.isArray(asks) ? asks.slice(1) : [], say: Array.isArray(say) ? say : [] }
}

/** Returns the pointer to the draft that a finding in the merged scenario is about; null if it is about no draft. */
export function placeOfDraft(at: string, places: DraftPlaces): string | null {
  for (let part = at; part !== ''; part = part.slice(0, part.lastIndexOf('/'))) {
    const place = places.get(part)
    if (place !== undefined) return place
  }
  return null
}

const HEADING = `# Proposed lines. Nobody speaks them. Correct them, then move them to their places: npm run sim -- draft ID --accept`

/**
 * Returns the text of a scenario's file with these drafts in place of all earlier ones. Every other line stays as it
 * is. Returns null if the text can't be changed so.
 */
export function writeDrafts(text: string, drafts: LineDrafts): string | null {
  const before = readYaml(text, '')
  if (!before.ok) return null
  const rest = withoutBlock(text)
  const block = Object.keys(drafts).length === 0 ? '' : `\n${HEADING}\n${inYaml({ [KEY]: drafts })}`
  const written = `${rest.trimEnd()}\n${block}`
  const wanted = { ...(splitDrafts(before.value).data as object), ...(block !== '' && { [KEY]: drafts }) }
  return checked(inLineEndsOf(text, written), wanted)
}

/** Returns the text without the key `drafts` and without the heading above it. */
function withoutBlock(text: string): string {
  const { contents } = parseDocument(text)
  const pair = isMap(contents) ? contents.items.find((item) => isPair(item) && keyOf(item.key) === KEY) : undefined
  if (!pair || !isNode(pair.key) || !pair.key.range) return text
  const [start] = pair.key.range
  const end = isNode(pair.value) && pair.value.range ? pair.value.range[1] : start + KEY.length + 1
  const above = text.slice(0, start).replace(/(?:\r?\n)?# Proposed lines\.[^\n]*\n$/, '')
  return above + text.slice(end).replace(/^[^\S\n]*\n/, '')
}

/**
 * Returns the text of a scenario's file with the drafts of one colleague moved to their places. Every other line stays
 * as it is, comments included. Returns null if the text can't be changed so.
 */
export function acceptDrafts(text: string, drafts: LineDrafts, id: string): string | null {
  const source = readYaml(text, '')
  const draft = drafts[id]
  if (!source.ok || draft === undefined) return null
  const { data } = splitDrafts(source.value)
  const { merged } = withDrafts(data, { [id]: draft })
  const { [id]: _, ...others } = drafts
  const left = writeDrafts(text, others)
  if (left === null) return null
  const written = insert(left, ['npcs', indexOfNpc(data, id), 'rehearsal'], draft)
  const wanted = { ...(merged as object), ...(Object.keys(others).length > 0 && { [KEY]: others }) }
  return written === null ? null : checked(inLineEndsOf(text, written), wanted)
}

/** Returns the text if it has this data, and otherwise null. */
function checked(text: string, wanted: unknown): string | null {
  const read = readYaml(text, '')
  return read.ok && isDeepStrictEqual(read.value, wanted) ? text : null
}

function insert(text: string, path: DataPath, value: unknown): string | null {
  if (Array.isArray(value) && value.length === 0) return text
  const document = parseDocument(text)
  const node: unknown = document.getIn(path, true)
  if (isMap(node) && node.items.length > 0 && hasKeys(value)) {
    return Object.entries(value).reduce<string | null>(
      (written, [key, part]) => (written === null ? null : insert(written, [...path, key], part)),
      text,
    )
  }
  if (isSeq(node) && node.items.length > 0 && Array.isArray(value)) {
    if (path.at(-1) !== 'answers') return appended(text, node, value)
    const known = node.toJSON() as readonly unknown[]
    const fresh = value.filter((item: unknown) => sameQuestion(known, item) < 0)
    const begun = fresh.length === 0 ? text : appended(text, node, fresh)
    return value.reduce<string | null>((written, item: unknown) => {
      const at = sameQuestion(known, item)
      return written === null || at < 0 ? written : insert(written, [...path, at], paraphrasesIn(item))
    }, begun)
  }
  // An empty list or mapping, as in `answers: []`, is replaced.
  const range = isNode(node) && node.range
  if (range) return `${text.slice(0, range[0])}${JSON.stringify(value)}${text.slice(range[1])}`
  const parent: unknown = document.getIn(path.slice(0, -1), true)
  return isMap(parent) ? withKey(text, parent, String(path.at(-1)), value) : null
}

function withKey(text: string, parent: YAMLMap, key: string, value: unknown): string | null {
  const first = parent.items[0]
  if (!first || !isNode(first.key) || !first.key.range || !parent.range) return null
  if (parent.flow === true) return beforeBracket(text, parent, `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
  return afterLast(text, parent, indented(inYaml({ [key]: value }), columnOf(text, first.key.range[0])))
}

function appended(text: string, list: Node & { flow?: boolean; items: unknown[] }, items: readonly unknown[]) {
  const [first] = list.items
  if (list.flow === true) return beforeBracket(text, list, items.map((item) => JSON.stringify(item)).join(', '))
  if (!isNode(first) || !first.range) return null
  const start = first.range[0]
  const dash = text.lastIndexOf('-', start)
  return afterLast(text, list, indented(inYaml(items), columnOf(text, dash)))
}

function beforeBracket(text: string, { range }: Node, written: string): string | null {
  if (!range) return null
  const end = range[1] - 1
  return `${text.slice(0, end).trimEnd()}, ${written}${text.slice(end)}`
}

/** Adds lines below the last line of a list or mapping. */
function afterLast(text: string, { range }: Node, lines: string): string | null {
  if (!range) return null
  const last = text.slice(0, range[1]).trimEnd().length
  const end = text.indexOf('\n', last)
  return end < 0 ? `${text}\n${lines}` : `${text.slice(0, end + 1)}${lines}${text.slice(end + 1)}`
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1)
}

function indented(lines: string, columns: number): string {
  return lines.replaceAll(/^(?=.)/gm, ' '.repeat(columns))
}

function keyOf(key: unknown): unknown {
  return isScalar(key) ? key.value : key
}

function inYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 })
}

function inLineEndsOf(text: string, written: string): string {
  return /\r\n/.test(text) ? written.replaceAll(/\r?\n/g, '\r\n') : written
}
