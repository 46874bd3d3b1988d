import type { Command } from '../worker/wire/messages.ts'

/** What the page that embeds the widget may hear, by name: `Walkon.on('command', …)`. */
export interface HostEvents {
  /** The panel was opened or closed. */
  open: { name: string }
  close: { name: string }
  /** A command of the conversation. Dispatched once a page for each `id`. */
  command: { name: string; session: string; npc: string; id: string; command: Command }
}

export type Emit = <E extends keyof HostEvents>(event: E, detail: HostEvents[E]) => void

/** Proof of who the learner is: a token that the page's server signed, or a name with its code. */
export type Identity = string | { readonly user: string; readonly hash: string }

/** What the launcher hands to `mount`. */
export interface WidgetConfig {
  /** Names this launcher on the page. */
  readonly name: string
  /** Where the service is: the origin the script came from. */
  readonly origin: string
  readonly scenario: string
  readonly npc: string
  readonly emit: Emit
  /** Who the learner is by the page's word; empty when the page says nothing. May reject: it is the page's own code. */
  readonly identity: () => Promise<Identity>
  /** What the page tells of itself right now; empty when it tells nothing. */
  readonly page: () => string
  /** The panel closed itself: by its button or by Escape. Opening it again leads back to `who`, by their whole name. */
  readonly closed: (who: string | undefined) => void
  /** A reply came while the panel was closed. */
  readonly unread: (npc: string) => void
}

/** A mounted panel. */
export interface Widget {
  open(): void
  close(): void
  destroy(): void
}

export type Mount = (root: ShadowRoot, config: WidgetConfig) => Widget
