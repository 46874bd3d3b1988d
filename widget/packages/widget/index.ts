import type { Handle, HostEvents, LauncherOptions, On, Walkon as OfPage } from '../../walkon.ts'
import { makeLauncher } from '../../launcher.ts'
import { createWalkon } from '../../walkon.ts'

export type { Command } from '../../../worker/wire/messages.ts'
export type { Handle, HostEvents, HostPage, Identity, IdentitySource, LauncherOptions, On } from '../../walkon.ts'

/** The version of this package, and of the widget's files that it loads from the service. */
declare const WIDGET_VERSION: string

/** Options for `Walkon.add`. */
export interface Options extends LauncherOptions {
  /** The address of the Walkon deployment, for example `https://walkon.example`. */
  service: string
}

/**
 * The same as the global `Walkon` of a page with the script tag, but without a global. Importing it does nothing, also
 * on a server. `add` needs a browser: call it from an effect or after the page has loaded.
 */
interface WalkonOfServices extends Omit<OfPage, 'add' | 'push'> {
  /** Adds a launcher: in the page's corner, or in `element`. If there is one of that name, puts it back on the page. */
  add(options: Options, element?: Element | null): Handle
}

const inner = createWalkon(makeLauncher, '')

const walkon: WalkonOfServices = {
  ...inner,
  add: (options, element) =>
    inner.add({ ...options, service: new URL(`/v${WIDGET_VERSION}`, options.service).href }, element),
}

export { walkon as Walkon }
export type { WalkonOfServices }

/** The events by name, with the type of their details. */
export type Events = { [Name in keyof HostEvents]: (detail: HostEvents[Name]) => void }

/** Calls `handler` for each event of every launcher. */
export const on: On = inner.on
