import { type Finding, inOrder, type Severity } from './finding.ts'
import type { Graph, GraphNode, NodeId } from './graph.ts'

/** Everything that can be said against a graph without walking it, in a stable order. Codes are in `docs/walker.md`. */
export function lint(graph: Graph): readonly Finding[] {
  const nodes = graph.order.flatMap((id) => graph.nodes[id] ?? [])
  return inOrder([...nodes.flatMap((node) => lintNode(graph, node)), ...lintPaths(graph)])
}

function lintNode(graph: Graph, node: GraphNode): readonly Finding[] {
  const at = `/nodes/${node.id}`
  const findings: Finding[] = []
  const report = (code: string, severity: Severity, where: string, message: string) =>
    findings.push({ code, severity, at: at + where, message })

  for (const target of targetsOf(node)) {
    if (!graph.nodes[target]) report('G001', 'error', '/advance', `Leads to ${target}, which does not exist.`)
    if (target === node.id) report('G006', 'error', '/advance', 'Leads to itself. Staying is what selfLoop is for.')
  }
  if (node.advance === null && node.id !== graph.terminal)
    report('G004', 'error', '/advance', `Ends the conversation, but ${graph.terminal} is the terminal node.`)
  if (node.id === graph.terminal && targetsOf(node).length > 0)
    report('G004', 'error', '/advance', 'The terminal node leads on. It has to end the conversation.')
  if (node.isGate && graph.policy.stallBackstop < 1)
    report('G017', 'error', '', 'A gate without a stall backstop can hold for ever. Set stallBackstop to 1 or more.')
  if (node.isGate && node.content.length === 0)
    report('G018', 'error', '/content', 'A gate with nothing to say can never be satisfied. Give it content.')
  if (node.minTurns > node.maxTurns)
    report('G019', 'error', '/minTurns', 'Asks for more turns than it allows. Lower minTurns or raise maxTurns.')
  if (node.minTurns > 1 && !node.selfLoop)
    report('G020', 'warning', '/selfLoop', 'Needs several turns and may not stay for them. Set selfLoop.')
  if (node.isGate && node.maxTurns > 0)
    report('G021', 'info', '/maxTurns', 'On a gate maxTurns never forces: it is where the wording becomes blunter.')
  if (node.kind === 'pivot') findings.push(...lintPivot(node.pivot.choices.length, graph, at))
  return findings
}

function lintPivot(choices: number, graph: Graph, at: string): readonly Finding[] {
  const findings: Finding[] = []
  if (choices < 2)
    findings.push({ code: 'G023', severity: 'error', at: `${at}/pivot`, message: 'A fork needs two choices or more.' })
  if (graph.policy.pivotPatience < 1)
    findings.push({
      code: 'G023',
      severity: 'error',
      at: '/policy/pivotPatience',
      message: 'A pivot without patience never lets go. Set pivotPatience to 1 or more.',
    })
  return findings
}

function lintPaths(graph: Graph): readonly Finding[] {
  const findings: Finding[] = []
  const reached = reachable(graph, graph.entry)
  for (const id of graph.order) {
    if (!reached.has(id))
      findings.push({
        code: 'G007',
        severity: 'error',
        at: `/nodes/${id}`,
        message: 'No exit leads here. Remove it, or lead to it.',
      })
    else if (!reachable(graph, id).has(graph.terminal))
      findings.push({
        code: 'G008',
        severity: 'error',
        at: `/nodes/${id}`,
        message: `From here ${graph.terminal} cannot be reached: a conversation would be trapped.`,
      })
  }
  return findings
}

function reachable(graph: Graph, from: NodeId): ReadonlySet<NodeId> {
  const seen = new Set<NodeId>()
  const queue = [from]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const node = graph.nodes[id]
    if (!node || seen.has(id)) continue
    seen.add(id)
    queue.push(...targetsOf(node))
  }
  return seen
}

function targetsOf(node: GraphNode): readonly NodeId[] {
  return [node.advance, node.branch?.to ?? null].filter((id) => id !== null)
}
