import { backboneModule, NO_STATE } from '../graph/backbones/backbone-parts.ts'
import type { GuardedExit } from '../graph/exit.ts'
import type { Graph, GraphNode, ModuleId } from '../graph/graph.ts'
import { DEFAULT_POLICY } from '../graph/policy.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'
import { newTurn } from './new-turn.ts'
import type { GraphV1, NodeV1, NpcV1, ScenarioV1, WalkV1 } from './stored-v1.ts'
import type { OpenTurn, Walk } from './walk.ts'

// What was stored once is read for ever: a conversation goes on with the decisions it would have had. Each function
// gives back what it was given when that has today's shape.

/**
 * Reads a stored walk.
 *
 * @throws when it is of a shape this code does not know: one that a later version wrote.
 */
export function upgradeWalk(stored: Walk | WalkV1): Walk {
  switch (stored.v) {
    case 2:
      return stored
    case 1:
      return walkOf(stored)
    default:
      throw unreadable('walk')
  }
}

/**
 * Reads a stored graph. It keeps the hash it was stored with: that is the one its walk is pinned to.
 *
 * @throws when it is of a shape this code does not know.
 */
export function upgradeGraph(stored: Graph | GraphV1): Graph {
  if (!('ir' in stored)) return graphOf(stored)
  if (stored.ir === 2) return stored
  throw unreadable('graph')
}

/** Reads a stored scenario, colleague by colleague. */
export function upgradeScenario(stored: Scenario | ScenarioV1): Scenario {
  const npcs: readonly (Npc | NpcV1)[] = stored.npcs
  const read = npcs.map(npcOf)
  return read.every((npc, i) => npc === npcs[i]) ? (stored as Scenario) : { ...stored, npcs: read }
}

function walkOf(stored: WalkV1): Walk {
  const rested: Walk = {
    ...stored,
    v: 2,
    stack: [],
    thoughts: [],
    queries: [],
    engaged: [],
    behavior: null,
    activations: 0,
    // Not kept then: what was earned was told by the gates alone, and still is.
    isCutShort: false,
    open: null,
  }
  return stored.open ? { ...rested, open: openOf(rested, stored.open) } : rested
}

/** Opening a turn changed nothing else, so what stood before it is what stands. */
function openOf(before: Walk, { turnId, overlay }: NonNullable<WalkV1['open']>): OpenTurn {
  return { ...newTurn(before, turnId), overlay }
}

function graphOf(stored: GraphV1): Graph {
  const [backbone = stored.id] = stored.id.split('/')
  const module = backboneModule({ graph: backbone, version: 1, terminal: stored.terminal })
  return {
    ...stored,
    ir: 2,
    returning: stored.entry,
    policy: { ...stored.policy, exchangeLimit: null, inside: DEFAULT_POLICY.inside },
    nodes: Object.fromEntries(Object.entries(stored.nodes).map(([id, node]) => [id, nodeOf(node, module.id)])),
    modules: { [module.id]: module },
    behaviors: [],
    migrations: [],
  }
}

function nodeOf({ advance, branch, ...node }: NodeV1, module: ModuleId): GraphNode {
  const onward: GuardedExit = { id: 'advance', by: 'guard', when: null, to: advance, returnTo: null }
  const aside: GuardedExit | null = branch && {
    id: 'branch',
    by: 'guard',
    when: branch.when,
    to: branch.to,
    returnTo: null,
  }
  return {
    ...node,
    module,
    exits: aside ? [aside, onward] : [onward],
    ...NO_STATE,
  }
}

function npcOf(stored: Npc | NpcV1): Npc {
  if ('walk' in stored) return stored
  return { ...stored, walk: 'tier', depth: [], challenges: [], rehearsal: { ...stored.rehearsal, states: {} } }
}

function unreadable(what: string): Error {
  return new Error(`the stored ${what} is of a shape that this version does not know`)
}
