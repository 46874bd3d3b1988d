import { parseContentSource, resolveTerm } from '../graph/backbones/content-source.ts'
import type { BoundContent, Graph, GraphNode, NodeId } from '../graph/graph.ts'
import { backboneModule, NO_STATE } from '../graph/backbones/backbone.ts'
import { fingerprint } from '../graph/hash.ts'
import { closingOf } from '../graph/backbones/instantiate.ts'
import { DEFAULT_POLICY } from '../graph/policy.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'

/**
 * One phase of a conversation on the count-based engine (`legacy.ts`): its number of exchanges, its intent, and the
 * fork shown when it begins.
 */
interface Phase {
  readonly id: NodeId
  readonly intent: string
  readonly exchanges: number
  readonly contentSource: string
  readonly pivot: string | null
}

/**
 * The phases, in order. The phases begin with exchanges 1, 2, 4 and 6. The forks are shown in exchanges 2 and 4. Every
 * phase's content includes `decision_facts`, because this engine keeps no facts back for a later phase.
 */
const PHASES: readonly Phase[] = [
  {
    id: 'PHASE_1',
    intent: 'The conversation begins. Say who you are, what is going on and how it feels to be in the middle of it.',
    exchanges: 1,
    contentSource: 'greeting + beat1 + what_they_know + decision_facts',
    pivot: null,
  },
  {
    id: 'PHASE_2',
    intent: 'The matter is on the table. Tell the learner what you know about it, one fresh point in each reply.',
    exchanges: 2,
    contentSource: 'what_they_know + decision_facts',
    pivot: 'p1',
  },
  {
    id: 'PHASE_3',
    intent: 'It comes to a point. Say what decides this, and where you stand.',
    exchanges: 2,
    contentSource: 'decision_facts + what_they_know',
    pivot: 'p2',
  },
  {
    id: 'PHASE_4',
    intent:
      'This is your last reply. Say what you could live with, hand over your document if you have one, name the next person and say goodbye.',
    exchanges: 1,
    contentSource: 'beat6 + key_reveal + decision_facts + goal.end_condition',
    pivot: null,
  },
]

/**
 * The plan of the whole conversation, for the system prompt. Only this engine needs it, because its prompts for single
 * exchanges do not say what comes next.
 */
const ARC = `The conversation has six exchanges in four phases, and each message names the phase.
1 (exchange 1): say who you are and what is at stake, and how it feels.
2 (exchanges 2 and 3): tell what you know, one point at a time, and learn how the two of you will work together.
3 (exchanges 4 and 5): say what decides this, with its figures, see whether it reaches them, and ask where they stand.
4 (exchange 6): say what you could live with, hand over your document if you have one, name the next person, and say goodbye.
Answer their questions whenever they come. If they take their leave earlier, hold nobody: say the one thing they must not leave without, hand over, say goodbye, and set "is_conversation_complete".`

const MODULE = { ...backboneModule({ graph: 'four_phases', version: 1, terminal: 'PHASE_4' }), description: ARC }

/**
 * Builds the graph that the count-based engine walks with one colleague: four phases in a row, each with a fixed number
 * of exchanges. This graph has the same format as every other graph, so a session stores it in the same way. A phase
 * that has no content or no fork still stays in the graph, because only the number of exchanges says when a phase
 * begins and ends.
 */
export function legacyGraphFor(scenario: Scenario, npc: Npc): Graph {
  const nodes = PHASES.map((phase, i) => toNode(phase, PHASES[i + 1]?.id ?? null, scenario, npc))
  const unsigned: Omit<Graph, 'hash'> = {
    ir: 2,
    id: `legacy/${scenario.id}/${npc.id}`,
    version: scenario.version,
    entry: 'PHASE_1',
    returning: 'PHASE_1',
    terminal: MODULE.terminal,
    policy: {
      ...DEFAULT_POLICY,
      pivotPatience: 1,
      exchangeLimit: PHASES.reduce((sum, phase) => sum + phase.exchanges, 0),
    },
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    order: nodes.map(({ id }) => id),
    modules: { [MODULE.id]: MODULE },
    behaviors: [],
    migrations: [],
    closing: closingOf(scenario, npc),
  }
  return { ...unsigned, hash: fingerprint(unsigned) }
}

function toNode(phase: Phase, next: NodeId | null, scenario: Scenario, npc: Npc): GraphNode {
  const base = {
    id: phase.id,
    module: MODULE.id,
    intent: phase.intent,
    satisfyWhen: null,
    content: contentOf(phase.contentSource, scenario, npc),
    minTurns: phase.exchanges,
    maxTurns: phase.exchanges,
    isGate: false,
    selfLoop: phase.exchanges > 1,
    exits: [{ id: 'advance', by: 'guard', when: null, to: next, returnTo: null }],
    overlay: null,
    ...NO_STATE,
  } as const
  const pivot = npc.pivots.find(({ id }) => id === phase.pivot)
  return pivot ? { ...base, kind: 'pivot', pivot } : { ...base, kind: 'speak' }
}

function contentOf(source: string, scenario: Scenario, npc: Npc): readonly BoundContent[] {
  const resolved = (parseContentSource(source) ?? []).map((term) => resolveTerm(term, npc, scenario))
  return resolved.flatMap((found) => ('content' in found ? [found.content] : []))
}
