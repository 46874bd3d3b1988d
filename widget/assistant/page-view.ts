import type { PageView, SearchHit } from '../../worker/wire/messages.ts'
import type { HostPage } from '../host-events.ts'

/** The most UTF-16 code units of an editor's text that are sent, and the most bytes of it as JSON. */
const LONGEST = 24_000
const MOST_BYTES = 48_000
/** The most bytes of all that is sent of a page, as JSON. A socket's frame has at most 64 kB. */
const MOST_OF_ALL = 60_000

/** What a field of a page has to be. With a question mark, it may be missing. */
type Kind = 'any' | 'text' | 'text?' | 'number?' | 'boolean?' | 'list?' | 'object?'

const IS: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  any: () => true,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** What is wrong with a page, as a sentence for the console. */
class Fault extends Error {}

/**
 * Returns what is sent of a page. Long texts are cut to what the service takes; of an editor's text the part around the
 * cursor is kept. If all of it is too much for one frame, the last search results are left out. Returns a text that says
 * what is wrong if the page is of no known form, whatever it is.
 *
 * @param faults gets what is wrong with the parts that are left out, as the rest is sent
 */
export function viewOf(page: HostPage, faults: string[] = []): PageView | string {
  try {
    return withinFrame(read(page, faults))
  } catch (error) {
    return error instanceof Fault ? error.message : String(error)
  }
}

type Part<K extends string> = K extends keyof HostPage ? HostPage[K] : Extract<HostPage, Record<K, unknown>>[K]
interface Parts {
  readonly editor?: Part<'editor'>
  readonly pipeline?: Part<'pipeline'>
  readonly text?: string
  readonly results?: Part<'results'>
  readonly tools?: readonly unknown[]
  readonly agent?: string
}

function read(page: unknown, faults: string[]): PageView {
  const parts = fields<Parts>(page, 'the page', {
    editor: 'object?',
    pipeline: 'object?',
    text: 'text?',
    results: 'any',
    tools: 'any',
    agent: 'any',
  })
  const { editor, pipeline, text, results, tools, agent, ...others } = parts as Parts & Record<string, unknown>
  for (const name of Object.keys(others)) faults.push(`a page has no field ${name}.`)
  if ([editor, pipeline, text].filter((part) => part !== undefined).length !== 1)
    throw new Fault('give exactly one of editor, pipeline and text.')
  /** Returns a part beside the page, or nothing if it is wrong: the rest is sent all the same. */
  const aside = <T>(part: unknown, make: () => T): T | undefined => {
    try {
      return part === undefined ? undefined : make()
    } catch (error) {
      faults.push(`${error instanceof Fault ? error.message : String(error)} It is left out.`)
      return undefined
    }
  }
  const all = <T>(raw: readonly T[], make: (one: T) => NonNullable<unknown>) =>
    raw.slice(0, 20).flatMap((one) => aside(0, () => make(one)) ?? [])
  const found = {
    ...aside(results, () => {
      const { local = [], web = [] } = fields<NonNullable<Part<'results'>>>(results, 'results', {
        local: 'list?',
        web: 'list?',
      })
      return { results: { local: all(local, hitOf) as SearchHit[], web: all(web, hitOf) as SearchHit[] } }
    }),
    ...aside(tools, () => ({
      tools: all(fields<Parts>(page, 'the page', { tools: 'list?' } as never).tools!, toolOf) as string[],
    })),
    ...aside(agent, () => ({ agent: cut(fields<Parts>(page, 'the page', { agent: 'text?' } as never).agent!, 64) })),
  }
  if (editor) return { editor: editorOf(editor, faults), ...found }
  if (pipeline) return { pipeline: pipelineOf(pipeline), ...found }
  if (text!.length > 2_000) faults.push('the text has more than 2,000 characters. Only its beginning is sent.')
  return { text: cut(text!, 2_000), ...found }
}

function editorOf(raw: unknown, faults: string[]): NonNullable<PageView['editor']> {
  const editor = fields<Part<'editor'>>(raw, 'editor', {
    filename: 'text',
    content: 'text',
    language: 'text?',
    cursor: 'number?',
    editable: 'boolean?',
  })
  const { filename, content, language, cursor = 0, editable } = editor
  if (filename === '') throw new Fault('editor.filename is empty.')
  if (!(cursor >= 0 && cursor <= content.length)) faults.push('editor.cursor is not within the text.')
  const start = startOf(content, Math.trunc(cursor))
  return {
    filename: cut(filename, 200),
    content: fitting(content.slice(start, start + LONGEST)),
    start,
    length: content.length,
    ...(language && { language: cut(language, 40) }),
    ...(editable === false && { editable }),
  }
}

function pipelineOf(raw: unknown): NonNullable<PageView['pipeline']> {
  const { id, title, summary, preference } = fields<Part<'pipeline'>>(raw, 'pipeline', {
    id: 'text',
    title: 'text',
    summary: 'text?',
    preference: 'text?',
  })
  if (id === '' || title === '') throw new Fault('pipeline.id or pipeline.title is empty.')
  if (preference !== undefined && !['prefer', 'ignore'].includes(preference))
    throw new Fault('pipeline.preference is neither prefer nor ignore.')
  return {
    id: cut(id, 100),
    title: cut(title, 500),
    summary: cut(summary ?? '', 2_000),
    ...(preference && { preference }),
  }
}

function hitOf(raw: unknown): SearchHit {
  const { title, url, text } = fields<SearchHit>(raw, 'a search result', { title: 'text', url: 'text', text: 'text' })
  return { title: cut(title, 500), url: cut(url, 500), text: cut(text, 2_000) }
}

function toolOf(name: unknown): string {
  if (typeof name !== 'string') throw new Fault('a name in tools is no text.')
  return cut(name, 64)
}

/** Returns a value as it is, if its fields are what they have to be. @throws Fault if not */
function fields<T>(raw: unknown, name: string, kinds: { readonly [K in keyof T]-?: Kind }): T {
  if (!IS['object']?.(raw))
    throw new Fault(`${name} is ${name === 'the page' ? 'neither a text nor an' : 'no'} object.`)
  for (const [key, kind] of Object.entries<Kind>(kinds)) {
    const value = (raw as Readonly<Record<string, unknown>>)[key]
    const type = kind.replace('?', '')
    const isLeftOut = value === undefined && type !== kind
    if (!isLeftOut && !IS[type]?.(value)) throw new Fault(`${name}: ${key} is no ${type}.`)
  }
  return raw as T
}

/** Leaves out the last search results, from the web first, until the page fits into a frame. */
function withinFrame(view: PageView): PageView {
  const [local, web] = [[...(view.results?.local ?? [])], [...(view.results?.web ?? [])]]
  let over = bytesIn(view) - MOST_OF_ALL
  if (over <= 0) return view
  while (over > 0 && local.length + web.length > 0) over -= bytesIn(web.pop() ?? local.pop())
  return { ...view, results: { local, web } }
}

const bytesIn = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/**
 * Returns where the part of a long text begins that is sent: about half of it before the cursor, at a line's beginning
 * if one is near.
 */
function startOf(content: string, cursor: number): number {
  if (content.length <= LONGEST) return 0
  const wanted = Math.min(Math.max(0, cursor - LONGEST / 2), content.length - LONGEST)
  const line = wanted === 0 ? 0 : content.indexOf('\n', wanted) + 1
  const start = line >= wanted && line - wanted < LONGEST / 10 ? line : wanted
  // Not between the two halves of a character.
  return /[\uDC00-\uDFFF]/.test(content.charAt(start)) ? start + 1 : start
}

/** Cuts a text to the most bytes. What is written as an escape in JSON, such as a control character, has six. */
function fitting(text: string): string {
  let kept = text
  while (bytesIn(kept) > MOST_BYTES) kept = kept.slice(0, Math.floor(kept.length * 0.9))
  return cut(kept, LONGEST)
}

function cut(text: string, most: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
  return text.slice(0, end)
}

/** Returns a hash of a text in 16 hexadecimal digits: two FNV-1a sums. It tells texts apart, and protects nothing. */
export function pageHashOf(text: string): string {
  return sum(text, 0x811c9dc5) + sum(text, 0x9747b28c)
}

function sum(text: string, basis: number): string {
  let hash = basis
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
