import { effect } from '@preact/signals'
import type { OperatorStore } from './store.ts'

/**
 * Keeps the keyboard somewhere. A new screen begins at its heading, and the form at its field; on a phone, where the details stand in place of the
 * tree, they begin at theirs, and going back leads to the line they were opened from.
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
    // What is drawn for the new view is not there before the next frame.
    requestAnimationFrame(() => {
      if (isOtherScreen) return focusFirst(['#token', 'h1'])
      if (isSomewhere()) return
      const line = focused.peek() ?? shown.peek()?.id ?? ''
      focusFirst(['#details', `#${CSS.escape(line)}`, 'h1'])
    })
  })
  // Where a run is read again, what the keyboard was on is gone.
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
