import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Graph, type GraphNode, type NodeId, speaks, stateName } from '../../worker/core/graph/graph.ts'
import { type Arrow, arrowsOf, nameIn } from '../../worker/core/graph/map/mermaid.ts'
import { escaped } from '../escaped.ts'

/**
 * Writes a picture of a graph to a temporary file, and shows the file in the browser: with the command in `BROWSER`, or
 * else with the system's own command. Without a browser, the file is there all the same.
 *
 * @param walked the nodes of a walk, which the picture marks
 * @returns the file's path
 */
export function openPicture(name: string, graph: Graph, walked: readonly NodeId[]): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'walkon-graph-')), `${name.replaceAll(/[^\w@-]/g, '-')}.html`)
  writeFileSync(file, pictureOf(name, graph, walked))
  const [command = 'xdg-open', ...before] =
    (process.env['BROWSER']?.trim() || undefined)?.split(' ') ?? OPENERS[process.platform] ?? []
  const viewer = spawn(command, [...before, file], { detached: true, stdio: 'ignore' })
  viewer.once('error', () => console.error('No browser could be started. Open the file yourself.'))
  viewer.unref()
  return file
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

const [WIDTH, LEFT, HEAD, LINE, GAP] = [440, 130, 34, 20, 26]

interface Box {
  readonly node: GraphNode
  readonly arrows: readonly Arrow[]
  readonly y: number
  readonly height: number
}

/**
 * Draws a graph as a page with one picture: the nodes below each other, and in each node the ways out of it. An arrow
 * on the right leads down to a later node, an arrow on the left leads up to an earlier one.
 */
function pictureOf(name: string, graph: Graph, walked: readonly NodeId[]): string {
  const boxes = boxesOf(graph)
  const height = boxes.reduce((sum, box) => Math.max(sum, box.y + box.height), 0) + GAP
  const drawn = boxes.flatMap((box) => [drawBox(box, graph, walked), ...drawArrows(box, boxes)]).join('\n')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(name)}</title>
<style>
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; padding: 1rem }
rect { fill: Canvas; stroke: currentcolor }
.silent rect { stroke-dasharray: 4 4 }
.gate rect { stroke-width: 4 }
.walked rect { stroke: #2f6fde; stroke-width: 3 }
text { fill: currentcolor }
.title { font-weight: 600 }
path { fill: none; stroke: currentcolor; opacity: 0.55 }
.safety { opacity: 0.2 }
</style>
<h1>${escaped(name)}</h1>
<p>A thick frame is a gate, a dashed frame a node in which nobody speaks.</p>
<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH + 2 * LEFT}" height="${height}" role="img" aria-label="${escaped(name)}">
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:currentcolor;opacity:1" /></marker></defs>
${drawn}
</svg>
</html>
`
}

function boxesOf(graph: Graph): readonly Box[] {
  const arrows = arrowsOf(graph)
  let y = GAP
  return graph.order.flatMap((id) => {
    const node = graph.nodes[id]
    if (node === undefined) return []
    const own = arrows.filter(({ from }) => from === id)
    const box = { node, arrows: own, y, height: HEAD + LINE * own.length }
    y += box.height + GAP
    return [box]
  })
}

function drawBox({ node, arrows, y, height }: Box, graph: Graph, walked: readonly NodeId[]): string {
  const { id } = node
  const isGate = speaks(node) && node.isGate
  const marks = [
    ...(id === graph.entry ? ['start'] : []),
    ...(id === graph.returning && id !== graph.entry ? ['start for somebody who returns'] : []),
    ...(isGate ? ['gate'] : []),
    ...(node.kind === 'pivot' ? ['fork'] : []),
    ...(id === graph.terminal ? ['end'] : []),
  ]
  const kind = [isGate && 'gate', !speaks(node) && 'silent', walked.includes(id) && 'walked']
  const lines = arrows.map(({ to, label, returnTo }, i) => {
    const back = returnTo === null ? '' : `, then back to ${nameIn(graph, returnTo)}`
    const said = `${to === null ? 'the end' : `→ ${nameIn(graph, to)}`}${back}${label === '' ? '' : `: ${label}`}`
    return `<text x="${LEFT + 14}" y="${lineAt(y, i) + 5}"><title>${escaped(said)}</title>${escaped(cut(said))}</text>`
  })
  return `<g class="${kind.filter((each) => each !== false).join(' ')}"><rect x="${LEFT}" y="${y}" width="${WIDTH}" height="${height}" rx="8" />
<text class="title" x="${LEFT + 14}" y="${y + 22}">${escaped([stateName(node), ...marks].join(' · '))}</text>${lines.join('')}</g>`
}

function drawArrows(box: Box, boxes: readonly Box[]): readonly string[] {
  const { arrows, y } = box
  const from = boxes.indexOf(box)
  return arrows.flatMap(({ to, isSafety }, i) => {
    const at = boxes.findIndex(({ node }) => node.id === to)
    const target = boxes[at]
    if (target === undefined) return []
    const isDown = at > from
    const [x, side] = isDown ? [LEFT + WIDTH, 1] : [LEFT, -1]
    // The farther the target, the wider the arrow's curve, so that arrows do not lie on each other.
    const bend = x + side * Math.min(LEFT - 10, 24 + 14 * Math.abs(at - from))
    const [start, end] = [lineAt(y, i), target.y + 14]
    return `<path${isSafety ? ' class="safety"' : ''} d="M${x} ${start}C${bend} ${start} ${bend} ${end} ${x} ${end}" marker-end="url(#tip)" />`
  })
}

function lineAt(y: number, i: number): number {
  return y + HEAD + LINE * i + 4
}

/** The most characters of a line that fit into a box. */
const LONGEST = 54

function cut(text: string): string {
  const characters = Array.from(text)
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`
}
