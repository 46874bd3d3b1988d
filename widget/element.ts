import { tag } from './launcher.ts'
import type { Handle, Walkon } from './walkon.ts'

/**
 * Defines `<walkon-chat>`. One in the page's markup is a launcher of its own, which goes when the page removes the
 * element.
 */
export function defineElement(walkon: Walkon): void {
  class WalkonChat extends HTMLElement {
    #handle: Handle | undefined
    #isMarkup = false
    connectedCallback() {
      // `makeLauncher` has given the element a shadow root before it puts it on the page.
      if ((this.#isMarkup ||= !this.shadowRoot)) this.#handle ??= walkon.add(this, this)
      // A browser closes the panel of an element that the page moves.
      this.dispatchEvent(new Event('walkon-back'))
    }
    disconnectedCallback() {
      queueMicrotask(() => {
        if (!this.isConnected) this.#handle = void this.#handle?.destroy()
      })
    }
  }
  try {
    customElements.define(tag.name, WalkonChat)
  } catch (error) {
    // The page has taken the name, or has replaced `define`. Script tags and `Walkon.add` work with a plain element too.
    tag.name += '-'
    console.error('Walkon:', error)
  }
}
