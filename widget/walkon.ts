import type { Emit, HostEvents } from './host-events.ts'
import type { IdentitySource, Launcher } from './launcher.ts'

/**
 * The global `Walkon` object of a page that embeds the widget. `name` is a launcher's name: its tag's `data-name`, by
 * default its `data-npc`. Without a name, `open` and `toggle` act on the first launcher, and the other methods on all
 * launchers.
 */
export interface Walkon {
  /** Resolves when the panel is open. Rejects if there is no such launcher, or if the widget can't be loaded. */
  open(name?: string): Promise<void>
  close(name?: string): Promise<void>
  toggle(name?: string): Promise<void>
  /**
   * Tells the widget who the learner is. If `source` is a function, the widget calls the function each time it needs a
   * proof.
   */
  identify(source: IdentitySource, name?: string): Promise<void>
  /** Describes the page to the colleague. The widget sends the text with every message from now on. */
  setPage(text: string, name?: string): Promise<void>
  /** Removes the launcher and its panel from the page. Data in the browser's storage stays. */
  destroy(name?: string): Promise<void>
  /** Calls `handler` for each event until the returned function is called or `signal` aborts. */
  on<E extends keyof HostEvents>(
    event: E,
    handler: (detail: HostEvents[E]) => void,
    options?: { signal?: AbortSignal },
  ): () => void
  /**
   * Runs calls. A page can queue calls before the script has loaded: `(window.Walkon ??= []).push(['open', 'maya'])`.
   */
  push(...calls: QueuedCall[]): void
  /**
   * Adds the launcher of one more script tag. A second tag's script calls `add` instead of making a second global
   * object.
   */
  add(script: HTMLScriptElement): void
}

export type QueuedCall = readonly [method: string, ...args: unknown[]]

type Handler = (detail: never) => void

/** Makes the global `Walkon` object. `make` turns a script tag into a launcher. */
export function createWalkon(make: (script: HTMLScriptElement, emit: Emit) => Launcher | null): Walkon {
  const launchers = new Map<string, Launcher>()
  const handlers: Partial<Record<string, Set<Handler>>> = {}

  const emit: Emit = (event, detail) => {
    // The loop uses a copy, because a handler may remove itself or add another handler.
    for (const handler of Array.from(handlers[event] ?? [])) {
      try {
        ;(handler as (detail: unknown) => void)(detail)
      } catch (error) {
        // The console shows the page's error, and the conversation goes on.
        reportError(error)
      }
    }
  }
  const one = (name?: string): Launcher => {
    const launcher = name === undefined ? [...launchers.values()][0] : launchers.get(name)
    if (!launcher) throw new Error(`Walkon: there is no launcher${name === undefined ? '' : ` named "${name}"`} here.`)
    return launcher
  }
  const some = (name?: string): Launcher[] => (name === undefined ? [...launchers.values()] : [one(name)])

  const walkon: Walkon = {
    open: async (name) => one(name).open(),
    toggle: async (name) => one(name).toggle(),
    async close(name) {
      for (const launcher of some(name)) launcher.close()
    },
    async identify(source, name) {
      for (const launcher of some(name)) launcher.identify(source)
    },
    async setPage(text, name) {
      for (const launcher of some(name)) launcher.setPage(text)
    },
    async destroy(name) {
      for (const launcher of some(name)) {
        launchers.delete(launcher.name)
        launcher.destroy()
      }
    },
    on(event, handler, { signal } = {}) {
      const set = (handlers[event] ??= new Set())
      const off = () => void set.delete(handler as Handler)
      if (signal?.aborted) return off
      set.add(handler as Handler)
      signal?.addEventListener('abort', off, { once: true })
      return off
    },
    push(...calls) {
      for (const [method, ...args] of calls) run(walkon, method, args)
    },
    add(script) {
      const launcher = make(script, emit)
      if (!launcher) return
      const before = launchers.get(launcher.name)
      // A framework that renders the page again runs the same script tag again. The existing launcher stays, so that
      // the conversation goes on.
      if (before) return before.restore()
      launchers.set(launcher.name, launcher)
      launcher.restore()
    },
  }
  return walkon
}

function run(walkon: Walkon, method: string, args: unknown[]): void {
  const call = QUEUEABLE.includes(method) ? walkon[method as 'open'] : undefined
  if (!call) return console.error(`Walkon: "${method}" is not one of ${QUEUEABLE.join(', ')}.`)
  // A queued call has no caller that could catch its error, so the console shows the error.
  void Promise.resolve((call as (...args: unknown[]) => unknown)(...args)).catch((error: unknown) => reportError(error))
}

const QUEUEABLE = ['open', 'close', 'toggle', 'identify', 'setPage', 'destroy', 'on']
