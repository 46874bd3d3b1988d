import { typeset } from './clean.ts'
import { loadFile } from './load-file.ts'

/** Writes the text of one reply into an element. */
export interface ReplyWriter {
  /**
   * Shows the text of a reply so far. If `text` continues the text of the last call, the writer only adds to it.
   * Otherwise the writer empties the element and starts again.
   */
  show(text: string, complete: boolean): void
}

type MakeWriter = (root: HTMLElement) => ReplyWriter

let makeWriter: MakeWriter | null = null
let loading: Promise<void> | null = null

/** Gives all later replies this writer of Markdown, so that none has to be loaded. */
export function useMarkdown(make: MakeWriter): void {
  makeWriter = make
}

/**
 * Makes a writer that shows plain text as it is, with its blank lines, and loads `markdown.js` for the first text that may be
 * Markdown. Most replies are plain, and the parser would be a tenth of the panel. Until it has loaded, the text is shown
 * as it is; if it can't be loaded, the text stays so.
 */
export function replyWriter(root: HTMLElement): ReplyWriter {
  let writer = makeWriter?.(root)
  let shown = ''
  let isComplete = false
  const showPlain = () => {
    const [paragraph = document.createElement('p')] = root.children
    if (paragraph.parentNode !== root) root.replaceChildren(paragraph)
    paragraph.className = 'plain'
    const text = typeset(shown)
    const [last] = paragraph.childNodes
    if (last instanceof Text && text.startsWith(last.data)) last.appendData(text.slice(last.length))
    else paragraph.textContent = text
  }
  return {
    show(text, complete) {
      ;[shown, isComplete] = [text, complete]
      if (writer) return writer.show(text, complete)
      if (text) showPlain()
      if (!MARKED.test(text)) return
      void (loading ??= loadMarkdown()).then(() => {
        if (writer || !makeWriter) return
        root.replaceChildren()
        writer = makeWriter(root)
        writer.show(shown, isComplete)
      })
    },
  }
}

/** Matches a text that Markdown may show in another way than as paragraphs with a blank line between them. */
const MARKED = /[*_`#>[\]~|\\<$]|(?<!\n)\n(?!\n)|\n\n\n|https?:|(?:^|\n)(?: |[-+] |\d+[.)] )/

async function loadMarkdown(): Promise<void> {
  try {
    const { markdownWriter } = (await loadFile('markdown.js')) as { markdownWriter: MakeWriter }
    makeWriter ??= markdownWriter
  } catch {
    // The next reply tries again.
    loading = null
  }
}
