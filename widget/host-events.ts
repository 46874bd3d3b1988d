import type { Command } from '../worker/wire/messages.ts'

/** The events that the embedding page can listen to, by name: `Walkon.on('command', …)`. */
export interface HostEvents {
  open: { name: string }
  close: { name: string }
  /** A command of the conversation. The widget dispatches each `id` once, even if the page is reloaded. */
  command: { name: string; session: string; npc: string; id: string; command: Command }
}

export type Emit = <E extends keyof HostEvents>(event: E, detail: HostEvents[E]) => void

/** Proof of who the learner is: a token that the page's server signed, or a user id with its HMAC. */
export type Identity = string | { readonly user: string; readonly hash: string }

/** The configuration that the launcher passes to `mount`. */
export interface WidgetConfig {
  readonly name: string
  /** The service's origin, which is the origin of the script. */
  readonly origin: string
  readonly scenario: string
  readonly npc: string
  readonly emit: Emit
  /**
   * Returns the page's proof of who the learner is, or ''. The function runs the page's own code, so the promise may
   * reject.
   */
  readonly identity: () => Promise<Identity>
  /** Returns the page's current description of itself, or ''. */
  readonly page: () => string
  /**
   * Called when the panel has closed. `who` is the full name of the colleague whom the panel shows when it opens again.
   */
  readonly closed: (who: string | undefined) => void
  /** Called when a reply has ended while the panel is closed. */
  readonly unread: (npc: string) => void
}

/** A mounted panel. */
export interface Widget {
  open(): void
  close(): void
  destroy(): void
}

export type Mount = (root: ShadowRoot, config: WidgetConfig) => Widget
