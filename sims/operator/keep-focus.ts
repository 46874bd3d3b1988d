import { effect } from '@preact/signals'
import type { OperatorStore } from './store.ts'

/**
 * Focuses the heading of each new screen, or the field of the sign-in form. On a phone the details of a context take
 * the tree's place. When the details open, the details get the focus. When the details close, the context's line in the
 * tree gets the focus.
 */
export function keepFocus({ view, entry, shown, focused, contexts }: OperatorStore): void {
  let before = ''
  effect(() => {
    const { screen } = view.value
    const { stage } = entry.value
    const now = `${stage} ${screen} ${view.value.screen === 'run' ? `${view.value.run} ${view.value.context}` : ''}`
    const isFirst = before === ''
    const isOtherScreen = before.split(' ', 2).join(' ') !== `${stage} ${screen}`
    before = now
    if (isFirst) return
    // Preact renders the new view in the next frame at the earliest.
    requestAnimationFrame(() => {
      if (isOtherScreen) return focusFirst(['#token', 'h1'])
      if (isSomewhere()) return
      const line = focused.peek() ?? shown.peek()?.id ?? ''
      focusFirst(['#details', `#${CSS.escape(line)}`, 'h1'])
    })
  })
  // When a run is loaded again, the focused element disappears, so the screen's heading gets the focus.
  effect(() => {
    if (contexts.value.items.length > 0 || view.peek().screen !== 'run') return
    requestAnimationFrame(() => isSomewhere() || focusFirst(['h1']))
  })
}

function focusFirst(selectors: readonly string[]): void {
  for (const selector of selectors) {
    const element = selector === '#' ? null : document.querySelector<HTMLElement>(selector)
    if (!element?.checkVisibility()) continue
    element.focus()
    return
  }
}

function isSomewhere(): boolean {
  const { activeElement } = document
  return activeElement !== null && activeElement !== document.body && activeElement.checkVisibility()
}
