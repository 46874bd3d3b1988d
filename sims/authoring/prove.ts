import type { Instantiated } from '../../worker/core/graph/backbones/instantiate.ts'
import { link } from '../../worker/core/graph/document/link.ts'
import { pointerTo, type Finding } from '../../worker/core/graph/finding.ts'
import { graphFor } from '../../worker/core/graph/graph-for.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import type { Path } from '../../worker/core/graph/proof/ends.ts'
import { type Move, told } from '../../worker/core/graph/proof/moves.ts'
import { verifyGraph, type GraphVerification } from '../../worker/core/graph/proof/verify.ts'
import { amountOf, type FileFinding, inFile, isSound } from './finding.ts'
import type { GraphFile, ScenarioFile } from './open-file.ts'

/** One graph of a file, with all its findings. */
export interface GraphProof {
  readonly name: string
  /** The linked or bound graph; null if an error in the file prevents building it. */
  readonly graph: Graph | null
  /** What the verification proved about the graph; null if the graph has an error. */
  readonly proof: GraphVerification | null
  readonly findings: readonly FileFinding[]
}

/** Links or binds every graph of a file, and verifies each graph. */
export function prove(source: GraphFile | ScenarioFile): readonly GraphProof[] {
  if (source.kind === 'graph') {
    const { document, library, file, positionOf } = source
    const linked = link(document, { library, scenario: null, npc: null })
    return [proved(`${document.id}@${document.version}`, linked, (some) => inFile(some, file, positionOf))]
  }
  const { scenario, library, file, positionOf } = source
  return scenario.npcs.map((npc, index) => {
    // No file contains the bound graph. So a finding in the bound graph gets the position of the colleague in the
    // scenario's file.
    const at = positionOf(pointerTo('npcs', index))
    return proved(npc.id, graphFor(scenario, npc, library), (some) => inFile(some, file, () => at))
  })
}

function proved(
  name: string,
  bound: Instantiated,
  placed: (findings: readonly Finding[]) => readonly FileFinding[],
): GraphProof {
  if (!bound.ok) return { name, graph: null, proof: null, findings: placed(bound.findings) }
  const proof = verifyGraph(bound.graph)
  const findings = placed([...bound.findings, ...proof.findings])
  return { name, graph: bound.graph, proof: isSound(findings) ? proof : null, findings }
}

/**
 * Formats the length of a path through a graph, such as `25 exchanges`. Adds a remark if the path ends only because the
 * conversation has reached its limit of exchanges.
 */
export function lengthOf({ exchanges, isCutByLimit }: Path): string {
  const count = amountOf(exchanges, 'exchange')
  return isCutByLimit ? `${count}, where the limit ends it` : count
}

/**
 * Formats a path with one move on each line: the node, the event, and the walker's result. Omits moves that stay in the
 * same node, such as picking an action.
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

/**
 * Describes what happened in a move. A chosen exit is described in its author's words, and a report by the reason of
 * the walker's decision.
 */
function happens({ node, event, reason }: Move, graph: Graph): string {
  if (event.type === 'select' && event.exit !== null) {
    const exit = graph.nodes[node]?.exits.filter(({ by }) => by === 'choice')[event.exit]
    if (exit?.by === 'choice') return `leaves by "${exit.description}"`
  }
  const isTold = reason !== 'ignored' && reason !== 'passed' && reason !== 'selected'
  return isTold ? `${told(event)}, ${reason}` : told(event)
}
