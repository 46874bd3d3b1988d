import type { Emit, HostEvents } from './host-events.ts'
import type { IdentitySource, Launcher } from './launcher.ts'

/**
 * The one global of a page that embeds the widget. Every call may name a launcher (`data-name`, else `data-npc`);
 * without a name, `open` and `toggle` mean the first one, `close` and `destroy` all of them.
 */
export interface Walkon {
  /** Resolves when the panel is open; rejects when there is no such launcher, or the widget cannot be loaded. */
  open(name?: string): Promise<void>
  close(name?: string): Promise<void>
  toggle(name?: string): Promise<void>
  /** Says who the learner is. A function is called each time a proof is needed. */
  identify(source: IdentitySource, name?: string): Promise<void>
  /** Describes the page to the colleague. Every message from now on carries the text. */
  setPage(text: string, name?: string): Promise<void>
  /** Removes the launcher and its panel from the page. The browser's storage stays. */
  destroy(name?: string): Promise<void>
  /** Calls `handler` for each event until the returned function is called or `signal` aborts. */
  on<E extends keyof HostEvents>(
    event: E,
    handler: (detail: HostEvents[E]) => void,
    options?: { signal?: AbortSignal },
  ): () => void
  /** Runs calls. A page can queue them before the script has loaded: `(window.Walkon ??= []).push(['open', 'maya'])`. */
  push(...calls: QueuedCall[]): void
  /** Adds the launcher of one more script tag. A second copy of the script calls it instead of making a second global. */
  add(script: HTMLScriptElement): void
}

export type QueuedCall = readonly [method: string, ...args: unknown[]]

type Handler = (detail: never) => void

/** Makes the global. `make` turns a script tag into a launcher. */
export function createWalkon(make: (script: HTMLScriptElement, emit: Emit) => Launcher | null): Walkon {
  const launchers = new Map<string, Launcher>()
  const handlers: Partial<Record<string, Set<Handler>>> = {}

  const emit: Emit = (event, detail) => {
    // A copy, because a handler may remove itself or add another.
    for (const handler of Array.from(handlers[event] ?? [])) {
      try {
        ;(handler as (detail: unknown) => void)(detail)
      } catch (error) {
        // The page sees its own mistake in the console, and the conversation goes on.
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
      // A framework that draws the page again runs the same tag again. The conversation goes on.
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
  // A queued call has no caller that could catch its failure.
  void Promise.resolve((call as (...args: unknown[]) => unknown)(...args)).catch((error: unknown) => reportError(error))
}

const QUEUEABLE = ['open', 'close', 'toggle', 'identify', 'setPage', 'destroy', 'on']
