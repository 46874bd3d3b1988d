/** Makes a small button. */
export function button(text: string, act: () => unknown): HTMLButtonElement {
  const element = makeElement('button', { type: 'button', className: 'button small', textContent: text })
  element.addEventListener('click', () => void act())
  return element
}

/** Makes an element with properties. */
export function makeElement<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  properties: Partial<HTMLElementTagNameMap[T]>,
): HTMLElementTagNameMap[T] {
  return Object.assign(document.createElement(tag), properties)
}
