import type { PageView, SearchHit } from '../../worker/wire/messages.ts'
import type { HostPage } from '../host-events.ts'

/** The most UTF-16 code units and UTF-8 bytes of an editor's text that are sent. A socket's frame has at most 64 kB. */
const LONGEST = 24_000
const MOST_BYTES = 48_000

interface Parts {
  editor?: Extract<HostPage, { editor: unknown }>['editor']
  pipeline?: Extract<HostPage, { pipeline: unknown }>['pipeline']
  text?: string
  results?: HostPage['results']
  tools?: HostPage['tools']
}

/**
 * Returns what is sent of a page. Long texts are cut to what the service takes; of an editor's text the part around the
 * cursor is kept. Returns a text that says what is wrong if the page is of no known form.
 */
export function viewOf(page: HostPage): PageView | string {
  const { editor, pipeline, text, results, tools } = page as Parts
  const parts = [editor, pipeline, text].filter((part) => part !== undefined)
  if (parts.length !== 1) return 'give exactly one of editor, pipeline and text.'
  const found = {
    ...(results && { results: hitsOf(results) }),
    ...(tools && { tools: tools.slice(0, 20).map((name) => cut(String(name), 64)) }),
  }
  if (editor) {
    const { filename, content, language, cursor = 0, editable } = editor
    if (!filename || typeof content !== 'string') return 'an editor needs a filename and its content.'
    const start = startOf(content, cursor)
    return {
      editor: {
        filename: cut(filename, 200),
        content: fitting(content.slice(start, start + LONGEST)),
        start,
        length: content.length,
        ...(language && { language: cut(language, 40) }),
        ...(editable === false && { editable }),
      },
      ...found,
    }
  }
  if (pipeline) {
    const { id, title, summary = '', preference } = pipeline
    if (!id || !title) return 'a pipeline needs an id and a title.'
    return {
      pipeline: {
        id: cut(id, 100),
        title: cut(title, 500),
        summary: cut(summary, 2_000),
        ...(preference && { preference }),
      },
      ...found,
    }
  }
  return { text: cut(String(text), 2_000), ...found }
}

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

function fitting(text: string): string {
  let kept = text
  while (new Blob([kept]).size > MOST_BYTES) kept = kept.slice(0, Math.floor(kept.length * 0.9))
  return cut(kept, LONGEST)
}

function hitsOf({ local = [], web = [] }: NonNullable<HostPage['results']>): NonNullable<PageView['results']> {
  const short = (hits: readonly SearchHit[]) =>
    hits.slice(0, 20).map(({ title, url, text }) => ({
      title: cut(String(title), 500),
      url: cut(String(url), 500),
      text: cut(String(text), 2_000),
    }))
  return { local: short(local), web: short(web) }
}

function cut(text: string, most: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
  return text.slice(0, end)
}

/** Returns a hash of a text in 16 hexadecimal digits: two FNV-1a sums. It tells texts apart, and protects nothing. */
export function hashOf(text: string): string {
  return sum(text, 0x811c9dc5) + sum(text, 0x9747b28c)
}

function sum(text: string, basis: number): string {
  let hash = basis
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
