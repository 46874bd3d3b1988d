import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWidget } from '../../scripts/build-widget.ts'
import type { Walkon } from '../../widget/walkon.ts'

let outdir: string
let embed: string

beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), 'walkon-embed-'))
  await buildWidget({ outdir })
  embed = await readFile(join(outdir, 'embed.js'), 'utf8')
})
afterAll(() => rm(outdir, { recursive: true }))

describe('embed.js, as it is shipped, in a page that watches it', () => {
  it('[embed-2] asks for nothing, keeps nothing and connects to nothing', () => {
    const page = watchedPage()
    page.run({ npc: 'maya' })
    expect(page.touched).toEqual([])
    expect(page.body).toHaveLength(1)
  })

  it('[embed-3] makes one global, and it is Walkon', () => {
    const page = watchedPage()
    const before = page.globals()
    page.run({ npc: 'maya' })
    expect(page.globals().filter((name) => !before.includes(name))).toEqual(['Walkon'])
  })

  it('[embed-1] puts one button on the page, named for the colleague', () => {
    const page = watchedPage()
    page.run({ npc: 'maya' })
    const [button] = page.body[0]?.root.children ?? []
    expect(button?.tag).toBe('button')
    expect(button?.text()).toBe('Talk to Maya')
  })

  it('[embed-1] takes its words, theme and place from the tag', () => {
    const page = watchedPage()
    page.run({ npc: 'maya', label: 'Ask QA', theme: 'dark', position: 'start' })
    expect(page.body[0]?.root.children[0]?.text()).toBe('Ask QA')
    expect(Object.fromEntries(page.body[0]?.attributes ?? [])).toEqual({
      'data-theme': 'dark',
      'data-position': 'start',
    })
  })

  it('[embed-1] shows no button when the page brings its own', () => {
    const page = watchedPage()
    page.run({ npc: 'maya', launcher: 'none' })
    expect(page.body[0]?.root.children).toEqual([])
  })

  it('[embed-6] several tags make several launchers; the same tag again makes none', () => {
    const page = watchedPage()
    for (const npc of ['maya', 'otto', 'maya']) page.run({ npc })
    expect(page.body.map(({ root }) => root.children[0]?.text())).toEqual(['Talk to Maya', 'Talk to Otto'])
  })

  it('[embed-6] puts the launcher back when the same tag runs again on a page that was drawn again', () => {
    const page = watchedPage()
    page.run({ npc: 'maya' })
    const [first] = page.body
    page.body.splice(0)
    page.run({ npc: 'maya' })
    expect(page.body).toEqual([first])
  })

  it('[embed-4] replays the calls that were queued before it came', async () => {
    const page = watchedPage()
    page.context.Walkon = [['destroy', 'maya']]
    page.run({ npc: 'maya' })
    await Promise.resolve()
    expect(page.body).toEqual([])
  })

  it('[embed-5] rejects when the widget cannot be loaded, says so on the button, and loads it again the next time', async () => {
    const page = watchedPage()
    page.run({ npc: 'maya' })
    const walkon = page.context.Walkon as Walkon
    await expect(walkon.open('maya')).rejects.toBeDefined()
    expect(page.body[0]?.root.children[0]?.text()).toBe('The chat could not be loaded. Try again.')
    await expect(walkon.open('maya')).rejects.toBeDefined()
    expect(page.addresses.filter((address) => address.includes('widget.js'))).toEqual([
      'https://walkon.example/widget.js',
      'https://walkon.example/widget.js?again=1',
    ])
    expect(page.touched).toEqual([])
  })

  it('says what is wrong with a tag it cannot use', () => {
    const page = watchedPage()
    page.run(null)
    page.run({ npc: 'maya' }, '')
    expect(page.complaints).toEqual([
      'Walkon: embed.js is a classic script; load it with <script src> and without type="module".',
      'Walkon: the script tag needs a src; the widget is loaded from beside it.',
    ])
    expect(page.body).toEqual([])
  })
})

class FakeElement {
  readonly tag: string
  readonly attributes = new Map<string, string>()
  readonly root = {
    adoptedStyleSheets: [] as unknown[],
    children: [] as FakeElement[],
    append: (child: FakeElement) => void this.root.children.push(child),
  }
  children: (FakeElement | string)[] = []
  parent: FakeElement[] | null = null
  textContent = ''

  constructor(tag: string) {
    this.tag = tag
  }
  setAttribute(name: string, value: string) {
    this.attributes.set(name, value)
  }
  removeAttribute(name: string) {
    this.attributes.delete(name)
  }
  append(...children: (FakeElement | string)[]) {
    this.children.push(...children)
  }
  attachShadow() {
    return this.root
  }
  addEventListener() {}
  get isConnected() {
    return this.parent?.includes(this) ?? false
  }
  remove() {
    this.parent?.splice(this.parent.indexOf(this), 1)
  }
  text(): string {
    return this.textContent + this.children.map((child) => (typeof child === 'string' ? child : child.text())).join('')
  }
}

/** Returns a page in a separate realm. The page records every use of an API for requests, storage or connections. */
function watchedPage() {
  class FakeScript {
    dataset: Record<string, string>
    src: string
    constructor(dataset: Record<string, string>, src: string) {
      this.dataset = dataset
      this.src = src
    }
  }
  const touched: string[] = []
  const complaints: string[] = []
  const addresses: string[] = []
  const body: FakeElement[] = []
  const document: Record<string, unknown> = {
    body: {
      append(element: FakeElement) {
        element.parent = body
        body.push(element)
      },
    },
    createElement: (tag: string) => new FakeElement(tag),
    createElementNS: (_: string, tag: string) => new FakeElement(tag),
    activeElement: null,
  }
  const context = createContext({
    document,
    HTMLScriptElement: FakeScript,
    HTMLElement: FakeElement,
    CSSStyleSheet: class {
      replaceSync() {}
    },
    customElements: { get: () => undefined, define: () => {} },
    console: { error: (line: string) => complaints.push(line) },
    reportError: () => {},
    queueMicrotask,
    URL: class extends URL {
      constructor(address: string, base?: string) {
        super(address, base)
        addresses.push(this.href)
      }
    },
  }) as Record<string, unknown>
  const watch = (target: object, names: string[]) => {
    for (const name of names) {
      Object.defineProperty(target, name, { get: () => void touched.push(name), configurable: true })
    }
  }
  watch(context, ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore'])
  watch(context, ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'RTCPeerConnection', 'navigator', 'Image'])
  watch(context, ['Worker', 'SharedWorker', 'BroadcastChannel'])
  watch(document, ['cookie'])
  const run = (dataset: Record<string, string> | null, src = 'https://walkon.example/embed.js') => {
    document.currentScript = dataset && new FakeScript(dataset, src)
    runInContext(embed, context)
  }
  return { run, context, touched, complaints, addresses, body, globals: () => Object.getOwnPropertyNames(context) }
}
