import * as smd from 'streaming-markdown'
import { clean, typeset } from './clean.ts'

/** Writes the text of one reply into an element, as Markdown. */
export interface MarkdownWriter {
  /**
   * Shows the text of a reply so far. If `text` continues the text of the last call, the writer only adds nodes.
   * Otherwise the writer empties the element and starts again.
   */
  show(text: string, complete: boolean): void
}

/**
 * Makes a writer that renders Markdown in `root`. The writer adds nodes one by one and never replaces a node, so
 * nothing flickers. No text is ever parsed as HTML, so there is nothing to sanitise. Links lead only to `https:` and
 * `mailto:` and show their host. Images, HTML and other addresses stay text ([embed-30] to [embed-34]).
 */
export function markdownWriter(root: HTMLElement): MarkdownWriter {
  let parser = start(root)
  let written = ''
  let ended = false

  return {
    show(text, complete) {
      if (text === written && (ended || !complete)) return
      if (ended || !text.startsWith(written)) {
        root.replaceChildren()
        parser = start(root)
        written = ''
        ended = false
      }
      feed(parser, text.slice(written.length))
      written = text
      if (complete) finish(parser)
      ended = complete
    },
  }
}

/**
 * The deepest nesting that the writer renders; a reply that nests deeper continues as plain text. streaming-markdown
 * keeps its open tokens in an array of 24 and silently writes past the array's end, and deeper nodes would close in the
 * wrong order. Replies usually nest two or three deep.
 */
const DEEPEST = 20

interface Writing {
  readonly root: HTMLElement
  readonly parser: smd.Parser
  readonly open: HTMLElement[]
  /**
   * The address of the link that is being written; empty if there is none. At the link's end, the writer adds the
   * address's host.
   */
  href: string
  plain: boolean
}

function start(root: HTMLElement): Writing {
  const writing: Writing = {
    root,
    open: [root],
    href: '',
    plain: false,
    parser: smd.parser({
      data: null,
      add_token: (_, token) => open(writing, token),
      end_token: () => close(writing),
      add_text: (_, text) => write(writing, text),
      set_attr: (_, attribute, value) => describe(writing, attribute, value),
    }),
  }
  return writing
}

function feed(writing: Writing, text: string): void {
  const chunk = clean(text)
  for (let at = 0; at < chunk.length && !writing.plain; at += 1) {
    smd.parser_write(writing.parser, chunk[at] ?? '')
    if (writing.open.length > DEEPEST) {
      writing.plain = true
      return appendText(innermost(writing), chunk.slice(at + 1))
    }
  }
  if (writing.plain) appendText(innermost(writing), chunk)
}

function finish(writing: Writing): void {
  if (!writing.plain) smd.parser_end(writing.parser)
}

function open(writing: Writing, token: smd.Token): void {
  const element = document.createElement(TAGS[token] ?? 'span')
  if (token >= smd.HEADING_1 && token <= smd.HEADING_6) element.className = 'heading'
  innermost(writing).append(element)
  writing.open.push(element)
  writing.href = ''
}

function close(writing: Writing): void {
  const element = writing.open.length > 1 ? writing.open.pop() : undefined
  if (element?.localName !== 'a' || writing.href === '') return
  // A bare address ends before the full stop or the bracket that stands after it.
  const after = writing.href.includes('(') ? /[.,;:!?]+$/ : /[).,;:!?]+$/
  const [end] = (element.textContent === writing.href && after.exec(writing.href)) || ['']
  if (end) {
    writing.href = writing.href.slice(0, -end.length)
    ;(element.lastChild as Text).data = writing.href
    element.setAttribute('href', addressOf(writing.href)?.href ?? '')
    appendText(innermost(writing), end)
  }
  const place = placeOf(addressOf(writing.href))
  if (![writing.href, place].includes(element.textContent)) appendText(innermost(writing), ` (${place})`)
  writing.href = ''
}

function write(writing: Writing, text: string): void {
  appendText(innermost(writing), text)
}

function describe(writing: Writing, attribute: smd.Attr, value: string): void {
  const element = innermost(writing)
  if (attribute === smd.START && element.localName === 'ol') element.setAttribute('start', String(Number(value) || 1))
  if (attribute === smd.CHECKED) appendText(element, '✓ ')
  const address = addressOf(value)
  if (attribute !== smd.HREF || element.localName !== 'a' || !placeOf(address)) return
  writing.href = value
  element.setAttribute('href', address?.href ?? '')
  element.setAttribute('target', '_blank')
  element.setAttribute('rel', 'noopener noreferrer nofollow')
}

/**
 * Parses an address without the page's base URL. The link's `href` is this parsed address, because with a base URL
 * `https:x` would lead to different places on different pages.
 */
function addressOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

/** Returns the host of an `https:` address or the recipient of a `mailto:` address; empty for any other address. */
function placeOf(address: URL | null): string {
  if (address?.protocol === 'https:') return address.host
  return address?.protocol === 'mailto:' ? address.pathname : ''
}

/**
 * Appends text to the element's last text node, so that a paragraph of 700 pieces stays one node. Words are typeset,
 * code and addresses are not. A curly mark may take the place of a straight one that is there already.
 */
function appendText(element: HTMLElement, text: string): void {
  const print = /^(a|code|pre)$/.test(element.localName) ? String : typeset
  const last = element.lastChild
  if (last?.nodeType !== 3) return element.append(print(text))
  const { data } = last as Text
  if (/['"]/.test(data.slice(-1) + text)) (last as Text).data = print(data + text)
  else (last as Text).appendData(text)
}

function innermost({ open, root }: Writing): HTMLElement {
  return open.at(-1) ?? root
}

const TAGS: Partial<Record<number, string>> = {
  [smd.PARAGRAPH]: 'p',
  // A heading inside a reply would break the page's outline.
  [smd.HEADING_1]: 'p',
  [smd.HEADING_2]: 'p',
  [smd.HEADING_3]: 'p',
  [smd.HEADING_4]: 'p',
  [smd.HEADING_5]: 'p',
  [smd.HEADING_6]: 'p',
  [smd.CODE_BLOCK]: 'pre',
  [smd.CODE_FENCE]: 'pre',
  [smd.CODE_INLINE]: 'code',
  [smd.ITALIC_AST]: 'em',
  [smd.ITALIC_UND]: 'em',
  [smd.STRONG_AST]: 'strong',
  [smd.STRONG_UND]: 'strong',
  [smd.STRIKE]: 's',
  [smd.LINK]: 'a',
  [smd.RAW_URL]: 'a',
  [smd.BLOCKQUOTE]: 'blockquote',
  [smd.LINE_BREAK]: 'br',
  [smd.RULE]: 'hr',
  [smd.LIST_UNORDERED]: 'ul',
  [smd.LIST_ORDERED]: 'ol',
  [smd.LIST_ITEM]: 'li',
  [smd.TABLE]: 'table',
  [smd.TABLE_ROW]: 'tr',
  [smd.TABLE_CELL]: 'td',
}
