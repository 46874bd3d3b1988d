import { backboneOf } from '../worker/core/graph/backbones/backbones.ts'
import type { GraphNode } from '../worker/core/graph/graph.ts'
import { instantiate } from '../worker/core/graph/backbones/instantiate.ts'
import { wasTold } from '../worker/actor/rehearsal/acknowledge.ts'
import type { NodeLines, SpokenLine } from '../worker/core/scenario/rehearsal-lines.ts'
import type { Npc, Scenario } from '../worker/core/scenario/scenario.ts'
import type { Problem } from './problem.ts'

/** How many exchanges a conversation may spend in one node before it is brought to an end (B3-2). */
const LONGEST_STAY = 6

/** Whether the rehearsal actor has what it needs: lines for every node, enough of them, and facts that can be registered. */
export function checkSupply(scenario: Scenario): readonly Problem[] {
  return scenario.npcs.flatMap((npc, index) => {
    const path = ['npcs', index]
    return [...checkNodes(npc, path, scenario), ...checkForks(npc, path), ...checkFacts(npc, path)]
  })
}

/** Lines for each node of the colleague's own walk, and for no other: those would never be spoken. */
function checkNodes(npc: Npc, path: Problem['path'], scenario: Scenario): readonly Problem[] {
  const walked = nodesOf(scenario, npc)
  if (walked === null) return []
  const { nodes, asides } = npc.rehearsal
  const at = [...path, 'rehearsal', 'nodes']
  const missing = walked
    .filter(({ id }) => !(id in nodes))
    .map(({ id }) => ({ path: at, message: `has no lines for ${id}` }))
  const short = Object.entries(nodes).flatMap(([id, lines]) => {
    const node = walked.find((one) => one.id === id)
    if (!node) return [{ path: [...at, id], message: 'is no node that this colleague walks' }]
    return supply(node, lines, asides.idle) < LONGEST_STAY
      ? [{ path: [...at, id], message: `runs dry before ${LONGEST_STAY} exchanges` }]
      : []
  })
  return [...missing, ...short]
}

/** Null for a colleague with a context graph, and for one who can't be walked, which `check-walks.ts` says. */
function nodesOf(scenario: Scenario, npc: Npc): readonly GraphNode[] | null {
  if (typeof npc.walk === 'object') return null
  const bound = instantiate(backboneOf(scenario, npc), scenario, npc)
  return bound.ok ? Object.values(bound.graph.nodes) : null
}

/** A gate has to hold on its own lines; elsewhere the lines for idle moments help out. */
function supply(node: GraphNode, { open, stay, escalated }: NodeLines, idle: readonly string[]): number {
  const own = Math.min(1, open.length) + stay.length + escalated.length
  return node.kind === 'speak' && node.isGate ? own : own + idle.length
}

function checkForks({ pivots, rehearsal }: Npc, path: Problem['path']): readonly Problem[] {
  const questions = pivots.map(({ question }, index) => ({
    path: [...path, 'pivots', index, 'question'],
    text: question,
  }))
  const again = pivots.flatMap(({ id }) =>
    (rehearsal.nodes[forkNode(id)]?.stay ?? []).map((line, index) => ({
      path: [...path, 'rehearsal', 'nodes', forkNode(id), 'stay', index],
      text: sayOf(line),
    })),
  )
  return [...questions, ...again].flatMap(({ path: at, text }) =>
    /\?["']?\s*$/.test(text) ? [] : [{ path: at, message: 'has to end on a question' }],
  )
}

function checkFacts({ decisionFacts, rehearsal }: Npc, path: Problem['path']): readonly Problem[] {
  const at = [...path, 'rehearsal', 'acknowledgements']
  const { acknowledgements, nodes } = rehearsal
  if (acknowledgements.length !== decisionFacts.length) {
    return [{ path: at, message: `has ${acknowledgements.length} entries for ${decisionFacts.length} decision facts` }]
  }
  const untold = acknowledgements.flatMap((fact, index) =>
    wasTold(fact, [decisionFacts[index] ?? ''])
      ? []
      : [{ path: [...at, index], message: 'has a group the fact itself holds no term of' }],
  )
  const opening = nodes['DECISIVE']?.open ?? []
  const first = acknowledgements[0]
  const silent = opening.flatMap((line, index) =>
    !first || wasTold(first, [sayOf(line)])
      ? []
      : [
          {
            path: [...path, 'rehearsal', 'nodes', 'DECISIVE', 'open', index],
            message: 'does not tell the first decision fact',
          },
        ],
  )
  return [...untold, ...silent]
}

/** `p1` is asked in PIVOT_1. */
function forkNode(pivot: string): string {
  return `PIVOT_${pivot.replace(/^p/, '')}`
}

function sayOf(line: SpokenLine): string {
  return typeof line === 'string' ? line : line.say
}
