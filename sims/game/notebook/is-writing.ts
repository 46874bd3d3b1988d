/** Whether a key goes into a text, so that it means a letter and nothing else; in a shadow root too. */
export function isWriting(event: KeyboardEvent): boolean {
  if (event.isComposing) return true
  const [target] = event.composedPath()
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  if (target instanceof HTMLInputElement) return !/^(radio|checkbox|range)$/.test(target.type)
  return target instanceof HTMLElement && target.isContentEditable
}
