import { shortName } from './clean.ts'
import type { Emit, Identity, Mount, Widget, WidgetConfig } from './host-events.ts'
import { css } from './styles/launcher.css'

/** A launcher on the page: a button, and also the panel once `open` has loaded it. */
export interface Launcher {
  readonly name: string
  open(): Promise<void>
  close(): void
  toggle(): Promise<void>
  identify(source: IdentitySource): void
  setPage(text: string): void
  destroy(): void
  /** Puts the launcher on the page, if the page does not contain it. */
  restore(): void
}

/** The longest page description that the service accepts, in UTF-16 code units. */
const LONGEST_PAGE = 2_000

/** A proof of identity, or a function that returns a new proof for each call, because tokens expire. */
export type IdentitySource = Identity | (() => Identity | Promise<Identity>)

const TAG = 'walkon-chat'

/** The launcher's own texts. The conversation's texts load with the panel. */
const texts = {
  talkTo: (name: string) => (name ? `Talk to ${name}` : 'Talk it through'),
  unread: (name: string) => `${name} has replied`,
  failed: 'The chat could not be loaded. Try again.',
}

/**
 * Makes a launcher from a script tag's `data-` attributes. Only `restore` adds the launcher to the page, and only
 * `open` sends a request.
 *
 * The shadow root is open. The page's scripts can get at any shadow root, so a closed shadow root would only keep out
 * test tools.
 *
 * @returns null if the tag can't work; the function then logs the reason to the console
 */
export function makeLauncher(script: HTMLScriptElement, emit: Emit): Launcher | null {
  const { dataset, src } = script
  if (!src) {
    console.error('Walkon: the script tag needs a src; the widget is loaded from beside it.')
    return null
  }
  const { scenario = '', npc = '' } = dataset
  let identity: IdentitySource = dataset.identity ?? ''
  let page = dataset.page ?? ''
  const name = dataset.name ?? (npc || scenario || 'walkon')
  let label = dataset.label ?? texts.talkTo(npc.charAt(0).toUpperCase() + npc.slice(1))
  const host = createHost()
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets.push(sheet)
  for (const key of ['theme', 'position'] as const) if (dataset[key]) host.setAttribute(`data-${key}`, dataset[key])

  const words = document.createElement('span')
  words.setAttribute('aria-live', 'polite')
  words.dir = 'auto'
  const button = createButton(words)
  if (dataset.launcher !== 'none') root.append(button)
  words.textContent = label

  let loading: Promise<Widget> | null = null
  let widget: Widget | null = null
  let returnTo: Element | null = null
  let failures = 0
  let isOpen = false
  let isGone = false

  const config: WidgetConfig = {
    name,
    scenario,
    npc,
    emit,
    origin: new URL(src).origin,
    identity: async () => (typeof identity === 'function' ? identity() : identity),
    page: () => page.slice(0, LONGEST_PAGE),
    closed(who) {
      isOpen = false
      // The learner may have moved on to another colleague since the panel was opened.
      if (who && !dataset.label) words.textContent = label = texts.talkTo(shortName(who))
      button.setAttribute('aria-expanded', 'false')
      const target = button.isConnected ? button : returnTo
      if (target instanceof HTMLElement) target.focus()
      emit('close', { name })
    },
    unread(who) {
      words.textContent = texts.unread(who)
      button.setAttribute('data-unread', '')
    },
  }
  const load = async (): Promise<Widget> => {
    // A browser may remember that a module failed to load, and then loads it again only under another address.
    const url = new URL(failures ? `widget.js?again=${failures}` : 'widget.js', src)
    try {
      const { mount } = (await import(url.href)) as { mount: Mount }
      return mount(root, config)
    } catch (error) {
      failures += 1
      loading = null
      throw error
    }
  }
  const open = async () => {
    if (isGone) return
    const focused = document.activeElement
    button.setAttribute('aria-busy', 'true')
    try {
      widget = await (loading ??= load())
    } catch (error) {
      words.textContent = texts.failed
      throw error
    } finally {
      button.removeAttribute('aria-busy')
    }
    // The page called `destroy` while the widget was loading.
    if (isGone) return widget.destroy()
    if (!isOpen) returnTo = focused
    const wasOpen = isOpen
    isOpen = true
    button.removeAttribute('data-unread')
    // A screen reader would read the label again if the same text were set again.
    if (words.textContent !== label) words.textContent = label
    widget.open()
    button.setAttribute('aria-expanded', 'true')
    if (!wasOpen) emit('open', { name })
  }
  const toggle = async () => (isOpen ? widget?.close() : open())

  button.addEventListener('click', () => void open().catch(() => undefined))
  host.addEventListener('walkon-back', () => void (isOpen && widget?.open()))

  return {
    name,
    open,
    toggle,
    close: () => widget?.close(),
    identify: (source) => void (identity = source),
    setPage: (text) => void (page = text),
    destroy() {
      isGone = true
      isOpen = false
      widget?.destroy()
      host.remove()
    },
    restore() {
      if (isGone || host.isConnected) return
      if (document.body) document.body.append(host)
      else document.addEventListener('DOMContentLoaded', () => isGone || document.body.append(host), { once: true })
    },
  }
}

/**
 * Makes the launcher's element. A framework that replaces the whole body also removes the launcher, so the element
 * moves to the new body. If the page removes only the element, the element stays removed.
 */
function createHost(): HTMLElement {
  if (!customElements.get(TAG)) {
    customElements.define(
      TAG,
      class extends HTMLElement {
        connectedCallback() {
          this.dispatchEvent(new Event('walkon-back'))
        }
        disconnectedCallback() {
          queueMicrotask(() => {
            if (!this.isConnected && this.parentNode && document.body) document.body.append(this)
          })
        }
      },
    )
  }
  return document.createElement(TAG)
}

function createButton(words: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'launcher'
  button.setAttribute('part', 'launcher')
  button.setAttribute('aria-haspopup', 'dialog')
  button.setAttribute('aria-expanded', 'false')
  button.append(icon(), words)
  return button
}

/** Makes the icon: a speech bubble, with a lamp while there is an unread reply. */
function icon(): SVGElement {
  const svg = svgElement('svg', { viewBox: '0 0 24 24', width: '24', height: '24', 'aria-hidden': 'true' })
  svg.append(
    svgElement('path', {
      class: 'line',
      d: 'M5 4A2 2 0 0 0 3 6V15A2 2 0 0 0 5 17H6V21L11 17H19A2 2 0 0 0 21 15V6A2 2 0 0 0 19 4ZM7 8.5H17M7 12.5H14',
    }),
    svgElement('circle', { class: 'glow', cx: '19', cy: '5', r: '5' }),
  )
  return svg
}

function svgElement(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}
