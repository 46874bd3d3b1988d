/**
 * Keeps the conversation as high as the keyboard leaves the screen, which on iOS only the visual viewport knows, and its
 * letters as large as the reader has set them: the widget measures in px, so that no website can bend it.
 */
export function fitToScreen(host: HTMLElement, panel: HTMLElement): () => void {
  const off = new AbortController()
  const { signal } = off
  const fit = () => {
    const { height = innerHeight, offsetTop = 0 } = visualViewport ?? {}
    host.style.setProperty('--height', `${height}px`)
    host.style.setProperty('--top', `${offsetTop}px`)
    const zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
    panel.style.setProperty('zoom', String(zoom))
    panel.toggleAttribute('data-large', zoom > LARGE)
  }
  visualViewport?.addEventListener('resize', fit, { signal })
  visualViewport?.addEventListener('scroll', fit, { signal })
  addEventListener('resize', fit, { signal })
  fit()
  return () => off.abort()
}

/** From here on a phone has no room for more than the widget's own parts. */
const LARGE = 1.4
