import { type Move, told } from '../../worker/core/graph/proof/moves.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import type { Path } from '../../worker/core/graph/proof/ends.ts'

/** `25 exchanges`, and what ends them when nothing else does. */
export function lengthOf({ exchanges, isCutByLimit }: Path): string {
  const count = `${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`
  return isCutByLimit ? `${count}, where the limit ends it` : count
}

/**
 * A path, one move a line: where it stands, what happens, and what the walker makes of it. What leads nowhere, as when
 * an action is picked, is not shown.
 */
export function pathLines(title: string, path: Path, graph: Graph): readonly string[] {
  const shown = path.moves.filter(leadsOn)
  const wide = Math.max(0, ...shown.map(({ node }) => node.length))
  const moves = shown.map(
    (move, i) => `${String(i + 1).padStart(4)}  ${move.node.padEnd(wide)}  ${happens(move, graph)}`,
  )
  return [`${title}: ${lengthOf(path)}`, ...moves]
}

function leadsOn({ event, reason }: Move): boolean {
  if (event.type === 'speak') return reason !== 'ignored'
  return event.type !== 'select' || event.exit !== null || reason !== 'ignored'
}

/** An exit in its author's words; of a report, why it led on or did not. */
function happens({ node, event, reason }: Move, graph: Graph): string {
  if (event.type === 'select' && event.exit !== null) {
    const exit = graph.nodes[node]?.exits.filter(({ by }) => by === 'choice')[event.exit]
    if (exit?.by === 'choice') return `leaves by "${exit.description}"`
  }
  const isTold = reason !== 'ignored' && reason !== 'passed' && reason !== 'selected'
  return isTold ? `${told(event)}, ${reason}` : told(event)
}
