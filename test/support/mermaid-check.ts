/** A parsed flowchart. */
export interface Drawing {
  /** The displayed label and the shape of each node. */
  readonly nodes: ReadonlyMap<string, { readonly label: string; readonly shape: string }>
  readonly boxes: ReadonlyMap<string, { readonly title: string; readonly nodes: readonly string[] }>
  readonly links: readonly {
    readonly from: string
    readonly to: string
    readonly arrow: string
    readonly label: string
  }[]
  readonly classes: ReadonlyMap<string, readonly string[]>
  readonly styledLinks: readonly number[]
  /** The indexes of the links that are drawn in a pale colour. */
  readonly paleLinks: readonly number[]
}

/**
 * Parses a flowchart in Mermaid's notation. Knows only the part of the notation that this project writes, and rejects
 * everything else. Each line must have one of the known forms. A name must be declared, a box must be closed, and no
 * label may contain a character with a special meaning.
 *
 * @throws at the first line that breaks one of these rules
 */
export function readMermaid(text: string): Drawing {
  const [header, ...lines] = text.split('\n')
  if (header !== 'flowchart TD') throw new Error(`header: ${header}`)
  if (lines.pop() !== '') throw new Error('no newline at the end')
  const nodes = new Map<string, { label: string; shape: string }>()
  const boxes = new Map<string, { title: string; nodes: string[] }>()
  const links: { from: string; to: string; arrow: string; label: string }[] = []
  const styles = new Set<string>()
  const classes = new Map<string, string[]>()
  const styledLinks: number[] = []
  const paleLinks: number[] = []
  let box: { title: string; nodes: string[] } | null = null
  for (const line of lines) {
    const read = (form: RegExp) => form.exec(line.trim())?.slice(1) ?? null
    const known = (id: string) => {
      if (!nodes.has(id)) throw new Error(`not declared: ${id} in ${line}`)
      return id
    }
    const node = read(NODE)
    const link = read(LINK)
    const begin = read(/^subgraph (g\d+)\["([^"]+)"\]$/)
    const member = read(/^class ([\w,]+) (\w+)$/)
    const style = read(/^classDef (\w+) ([\w#:, -]+)$/)
    const linkStyle = read(/^linkStyle ([\d,]+) ([\w#:, -]+)$/)
    if (begin) {
      if (box) throw new Error(`box in a box: ${line}`)
      box = { title: shown(begin[1] ?? ''), nodes: [] }
      boxes.set(begin[0] ?? '', box)
    } else if (line.trim() === 'end') {
      if (!box) throw new Error('end of no box')
      box = null
    } else if (link) {
      const [from = '', arrow = '', label = '', to = ''] = link
      links.push({ from: known(from), to: known(to), arrow, label: shown(label) })
    } else if (node) {
      const [id = '', open = '', label = '', close = ''] = node
      if (nodes.has(id)) throw new Error(`declared twice: ${id}`)
      if (!SHAPES.includes(`${open} ${close}`)) throw new Error(`no shape: ${line}`)
      nodes.set(id, { label: label.split('<br/>').map(shown).join('|'), shape: `${open} ${close}` })
      box?.nodes.push(id)
    } else if (style) styles.add(style[0] ?? '')
    else if (member) {
      if (!styles.has(member[1] ?? '')) throw new Error(`no such class: ${line}`)
      classes.set(member[1] ?? '', (member[0] ?? '').split(',').map(known))
    } else if (linkStyle) {
      const [which = '', looks = ''] = linkStyle
      const links = looks.includes('stroke-width') ? styledLinks : paleLinks
      links.push(...which.split(',').map(Number))
    } else throw new Error(`no such line: ${line}`)
  }
  if (box) throw new Error('a box is not closed')
  if ([...styledLinks, ...paleLinks].some((index) => index >= links.length))
    throw new Error('styles a link that is not there')
  return { nodes, boxes, links, classes, styledLinks, paleLinks }
}

const NODE = /^(n\d+|start|again|finish)(\(\[|\[\(|\[\/|\{\{|\(|\{|\[|>)"([^"]+)"(\]\)|\)\]|\/\]|\}\}|\)|\}|\])$/
const LINK = /^(n\d+|start|again) (-->|-\.->)(?:\|"([^"]+)"\|)? (n\d+|finish)$/
const SHAPES = ['( )', '{{ }}', '{ }', '[( )]', '([ ])', '> ]', '[/ /]', '[ ]']

/** Returns a label as Mermaid displays it. */
function shown(label: string): string {
  const rest = label.replaceAll(/#\d+;/g, '')
  const wrong = /[<>"#;&`*~%[\]{}|\\:=$^]/.exec(rest)
  if (wrong) throw new Error(`${wrong[0]} stands bare in ${label}`)
  return label.replaceAll(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}
