import { fetchModule } from './fetch-module.ts'
import type { Emit, LauncherOptions, LauncherParts, Mount, MountedPanel } from './host-events.ts'
import { css } from './styles/launcher.css'

/** A launcher on the page: a button, and also the panel once a call has loaded it. */
export interface Launcher {
  readonly name: string
  /** Where the page wants the launcher; null for the page's corner. */
  readonly place: Element | null
  /** Runs one of `METHODS`. */
  call(method: string, value?: unknown): unknown
  /** Puts the launcher on the page, if the page does not contain it. */
  restore(): void
}

/** The name of the launcher's element, with a hyphen behind it if `defineElement` could not define it. */
export const tag = { name: 'walkon-chat' }

/** The hash of the `widget.js` that was built with this file, as `integrity` takes it; '' in a build without hashes. */
declare const WIDGET_INTEGRITY: string

/** The launcher's own texts by language: with and without a name, and a failure. The panel's texts load with it. */
const WORDS: Record<string, readonly string[] | undefined> = {
  en: ['Talk to ', 'Talk it through', '⚠ Try again'],
  es: ['Habla con ', 'Hablemos', '⚠ Otra vez'],
  de: ['Sprich mit ', 'Sprechen wir', '⚠ Noch einmal'],
  ar: ['تحدّث مع ', 'لنتحدّث', '⚠ أعد المحاولة'],
}

/**
 * Makes a launcher. Only `restore` adds the launcher to the page, and only `open`, `sendMessage`, `prefill` and `reset`
 * send a request.
 *
 * The shadow root is open. The page's scripts can get at any shadow root, so a closed shadow root would only keep out
 * test tools.
 *
 * @param src the address of `embed.js`
 * @param place the element in which the launcher appears, or the `<walkon-chat>` that it fills
 */
export function makeLauncher(
  name: string,
  options: LauncherOptions,
  src: string,
  emit: Emit,
  place: Element | null,
): Launcher {
  const host = (place?.localName === tag.name ? place : document.createElement(tag.name)) as HTMLElement
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  for (const key of ['mode', 'theme', 'position'] as const) host.setAttribute('data-' + key, options[key] ?? '')

  const button = document.createElement('button')
  const words = document.createElement('span')
  button.className = 'launcher'
  button.part = 'launcher'
  button.ariaHasPopup = 'dialog'
  button.ariaExpanded = 'false'
  words.ariaLive = 'polite'
  words.dir = 'auto'
  button.append(document.createElement('i'), words)
  root.replaceChildren(...(options.launcher === 'none' ? [] : [button]))

  const lang = () => options.lang ?? (place ?? document.documentElement).closest<HTMLElement>('[lang]')?.lang ?? 'en'
  const texts = () => WORDS[lang().slice(0, 2)] ?? WORDS.en!
  const { npc = '' } = options
  const say = (text?: string) => {
    const [talkTo, talk] = texts()
    const said = text ?? options.label ?? (npc ? talkTo! + npc[0]!.toUpperCase() + npc.slice(1) : talk!)
    // A screen reader would read the text again if the same text were set again.
    if (words.textContent !== said) words.textContent = said
  }
  say()

  const frame = document.createElement('div')
  frame.className = 'panel'
  const origin = new URL(options.service ?? src).origin
  const parts: LauncherParts = { name, root, button, options, origin, emit, lang, say, isOpen: false }
  let panel: MountedPanel | null = null
  let loading: Promise<MountedPanel | null> | null = null
  let failures = 0
  let isGone = false

  const load = () =>
    (loading ??= fetchPanel().catch((error: unknown) => {
      failures += 1
      loading = null
      parts.isOpen = false
      const message = texts()[2]!
      say(message)
      emit('error', { name, code: 'not-loaded', message })
      console.error('Walkon: no widget.js; see Walkon.diagnose()')
      throw error
    }))
  const fetchPanel = async () => {
    try {
      // A browser may remember that a module failed to load, and then loads it again only under another address.
      const url = new URL('widget.js' + (failures ? '?again=' + failures : ''), src)
      const { mount } = (await fetchModule(url.href, WIDGET_INTEGRITY)) as { mount: Mount }
      // The page may have called `destroy` meanwhile.
      return isGone ? null : (panel = mount(parts))
    } finally {
      frame.remove()
    }
  }
  const show = async (isOpen: boolean, isQuiet?: boolean) => {
    parts.isOpen = isOpen
    if (panel) return panel.sync(isQuiet)
    // The empty panel shows at once that something happens.
    if (isOpen) root.append(frame)
    else frame.remove()
    if (isOpen) (await load())?.sync(isQuiet)
  }
  const calls: Record<string, (value: never) => unknown> = {
    open: () => show(true),
    close: () => show(false),
    toggle: () => show(!parts.isOpen),
    identify: (source: LauncherOptions['identity']) => void (options.identity = source!),
    setPage(page: LauncherOptions['page']) {
      options.page = page!
      panel?.setPage()
    },
    setTheme: (theme: string) => host.setAttribute('data-theme', theme),
    setLocale(now: string) {
      options.lang = now
      say()
      panel?.setLocale()
    },
    destroy() {
      isGone = true
      panel?.destroy()
      root.replaceChildren()
      if (host !== place) host.remove()
    },
  }
  button.addEventListener('click', () => void show(true).catch(() => {}))
  host.addEventListener('walkon-back', () => panel?.sync())

  return {
    name,
    place,
    async call(method, value) {
      const own = calls[method]
      if (own) return own(value as never)
      return (await load())?.[method as 'prefill'](value as string)
    },
    restore() {
      // Beside the body and not in it: a `filter` or `transform` on the body would move what is fixed to the window,
      // and a framework may replace the body or what is in it.
      if (!host.isConnected) (place ?? document.documentElement).append(host)
      try {
        // The learner had the panel open on the page before this one.
        if (sessionStorage.getItem(`walkon|${origin}|${name}|open`)) show(true, true).catch(() => {})
      } catch {
        // This page may read no storage.
      }
    },
  }
}
