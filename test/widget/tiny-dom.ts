/**
 * A text node of the part of a DOM that the widget's own drawing needs. The DOM records every node that was ever
 * inserted.
 */
export class TinyText {
  readonly nodeType = 3
  data: string
  constructor(data: string) {
    this.data = data
  }
  appendData(more: string) {
    this.data += more
  }
  get textContent() {
    return this.data
  }
}

export class TinyElement {
  readonly nodeType = 1
  readonly localName: string
  readonly attributes = new Map<string, string>()
  childNodes: (TinyElement | TinyText)[] = []
  className = ''

  constructor(localName: string) {
    this.localName = localName
  }
  append(...nodes: (TinyElement | TinyText | string)[]) {
    this.childNodes.push(...nodes.map((node) => (typeof node === 'string' ? new TinyText(node) : node)))
  }
  replaceChildren(...nodes: (TinyElement | TinyText)[]) {
    this.childNodes = nodes
  }
  setAttribute(name: string, value: string) {
    this.attributes.set(name, value)
  }
  get lastChild() {
    return this.childNodes.at(-1) ?? null
  }
  get textContent(): string {
    return this.childNodes.map(({ textContent }) => textContent).join('')
  }
  get all(): TinyElement[] {
    return this.childNodes.flatMap((node) => (node instanceof TinyElement ? [node, ...node.all] : []))
  }
  get nodes(): (TinyElement | TinyText)[] {
    return this.childNodes.flatMap((node) => (node instanceof TinyElement ? [node, ...node.nodes] : [node]))
  }
  toString(): string {
    const attributes = [...this.attributes].map(([name, value]) => ` ${name}="${value}"`).join('')
    const inside = this.childNodes.map((node) => (node instanceof TinyElement ? String(node) : node.data)).join('')
    return `<${this.localName}${attributes}>${inside}</${this.localName}>`
  }
}

export const tinyDocument = { createElement: (localName: string) => new TinyElement(localName) }
