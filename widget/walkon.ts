import { fetchModule } from './fetch-module.ts'
import type { Emit, HostEvents, HostPage, Identity, IdentitySource, LauncherOptions } from './host-events.ts'
import type { Launcher } from './launcher.ts'

/**
 * The methods of a launcher's handle. All of them can be called before the widget has loaded. `open`, `toggle`,
 * `sendMessage`, `prefill` and `reset` load it.
 */
export interface Handle {
  readonly name: string
  /** Resolves when the panel is open. Rejects if the widget can't be loaded. */
  open(): Promise<void>
  close(): Promise<void>
  toggle(): Promise<void>
  /** Removes the launcher and its panel from the page. Data in the browser's storage stays. */
  destroy(): Promise<void>
  /** Forgets this launcher's conversations, keys and drafts in this browser, as when somebody signs out. */
  reset(): Promise<void>
  /**
   * Tells the widget who the learner is. If `source` is a function, the widget calls the function each time it needs a
   * proof.
   */
  identify(source: IdentitySource): Promise<void>
  /**
   * Describes the page to the colleague, from the next message on: a text, or for an assistant what it can work with.
   * Call it again whenever the page has changed; it is sent only with a message, and only if it has changed. Null says
   * that there is nothing to tell any more.
   */
  setPage(page: string | HostPage | null): Promise<void>
  setTheme(theme: 'light' | 'dark' | 'auto'): Promise<void>
  /** Changes the language of the widget's own words. */
  setLocale(lang: string): Promise<void>
  /** Opens the panel and sends a message as if the learner had typed it. */
  sendMessage(text: string): Promise<void>
  /** Opens the panel and puts a text into the composer. */
  prefill(text: string): Promise<void>
  /** Calls `handler` for each event until the returned function is called or `signal` aborts. */
  on: On
}

export type On = <E extends keyof HostEvents>(
  event: E,
  handler: (detail: HostEvents[E]) => void,
  options?: { signal?: AbortSignal },
) => () => void

type Named<Method> = Method extends (...args: infer Args) => infer Result
  ? (...args: [...Args, name?: string]) => Result
  : never

/**
 * The global `Walkon` object of a page that embeds the widget. It has the methods of a handle, each with a launcher's
 * name as last argument. Without a name, `open`, `toggle`, `sendMessage` and `prefill` act on the first launcher, and
 * the other methods on all launchers.
 */
export interface Walkon extends Omit<{ [Method in keyof Handle]: Named<Handle[Method]> }, 'name' | 'on'> {
  on: On
  /**
   * Adds a launcher: in the page's corner, or in `element`. If there is one of that name, puts it back on the page. Also
   * takes a script tag or a `<walkon-chat>`, whose attributes are the options.
   */
  add(options: LauncherOptions | Element, element?: Element | null): Handle
  /**
   * Runs calls. A page can queue calls before the script has loaded: `(window.Walkon ??= []).push(['open', 'maya'])`.
   */
  push(...calls: QueuedCall[]): void
  /** Prints what keeps the widget from working on this page, and the Content Security Policy that it needs. */
  diagnose(): Promise<void>
}

export type QueuedCall = readonly [method: string, ...args: unknown[]]
export type { HostEvents, HostPage, Identity, IdentitySource, LauncherOptions }

type Handler = (detail: never) => void

declare const DIAGNOSE_INTEGRITY: string

/** The methods of a handle: 1 if without a name only the first launcher is meant, and 2 more if the method takes a value. */
const METHODS: Record<string, number> = {
  open: 1,
  toggle: 1,
  sendMessage: 3,
  prefill: 3,
  close: 0,
  destroy: 0,
  reset: 0,
  identify: 2,
  setPage: 2,
  setTheme: 2,
  setLocale: 2,
}

/**
 * Makes the global `Walkon` object.
 *
 * @param make makes a launcher (`makeLauncher`)
 * @param src the address of the first script tag; '' if there is none
 */
export function createWalkon(
  make: (name: string, options: LauncherOptions, src: string, emit: Emit, place: Element | null) => Launcher,
  src: string,
): Walkon {
  const launchers = new Map<string, Launcher>()
  const handlers: Partial<Record<string, Set<Handler>>> = {}

  const emit: Emit = (event, detail) => {
    // The loop uses a copy, because a handler may remove itself or add another handler.
    for (const handler of [...(handlers[event] ?? [])]) {
      try {
        ;(handler as (detail: unknown) => void)(detail)
      } catch (error) {
        // The console shows the page's error, and the conversation goes on.
        reportError(error)
      }
    }
    return handlers[event]
  }
  const on: On = (event, handler, { signal } = {}) => {
    const set = (handlers[event] ??= new Set())
    const off = () => void set.delete(handler as Handler)
    if (signal?.aborted) return off
    set.add(handler as Handler)
    signal?.addEventListener('abort', off)
    return off
  }
  const walkon: Record<string, (...args: never[]) => unknown> = {
    on,
    push(...calls) {
      for (const [method, ...args] of calls as QueuedCall[]) {
        const call = Object.hasOwn(walkon, method) && walkon[method]
        if (!call) console.error('Walkon: no method ' + method)
        // A queued call has no caller that could catch its error, so the console shows the error.
        else (async () => call(...(args as never[])))().catch(reportError)
      }
    },
    add(from: LauncherOptions | Element, place: Element | null = null) {
      const options: LauncherOptions = from instanceof Element ? optionsOf(from) : { ...from }
      if (place && place !== from) options.mode ??= 'inline'
      let name = options.name || options.npc || options.scenario || 'walkon'
      let launcher = launchers.get(name)
      // Two elements of a page with the same colleague are two launchers. A tag that runs again, as a framework does
      // that draws the page again, finds its launcher, so that the conversation goes on.
      while (place && launcher && launcher.place !== place) launcher = launchers.get((name += ' 2'))
      const base = (from instanceof HTMLScriptElement && from.src) || (src ||= options.service + '/embed.js')
      launcher ??= make(name, options, base, emit, place)
      launchers.set(name, launcher)
      launcher.restore()
      const handle: Record<string, unknown> = {
        name,
        on: ((event, handler, options) =>
          on(event, (detail) => void (detail.name === name && handler(detail)), options)) satisfies On,
      }
      for (const method in METHODS)
        handle[method] = (value: never) =>
          walkon[method]!(...((METHODS[method]! > 1 ? [value, name] : [name]) as never[]))
      return handle
    },
    async diagnose() {
      const { href } = new URL('diagnose.js', src)
      const loaded = (await fetchModule(href, DIAGNOSE_INTEGRITY)) as { diagnose: (src: string) => Promise<void> }
      await loaded.diagnose(src)
    },
  }
  for (const method in METHODS)
    walkon[method] = async (...args: string[]) => {
      const flags = METHODS[method]!
      const name = args[flags > 1 ? 1 : 0]
      const all = [...launchers.values()]
      for (const launcher of name ? [launchers.get(name)] : flags % 2 ? [all[0]] : all) {
        if (!launcher) throw Error(`Walkon: no launcher ${name ?? ''}`)
        if (method === 'destroy') launchers.delete(launcher.name)
        await launcher.call(method, args[0])
      }
    }
  return walkon as unknown as Walkon
}

/** Reads the options from an element's attributes, with or without `data-` before their names. */
function optionsOf({ attributes }: Element): LauncherOptions {
  return Object.fromEntries([...attributes].map(({ name, value }) => [name.replace(/^data-/, ''), value]))
}
