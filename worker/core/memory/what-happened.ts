import { cap } from '../reply/characters.ts'
import { type Graph, speaks } from '../graph/graph.ts'
import { firstName, type Npc, type Scenario } from '../scenario/scenario.ts'
import type { Walk } from '../walk/walk.ts'
import type { NewMemory } from './remembered.ts'

/** A conversation that has come to its end. */
export interface Ended {
  readonly scenario: Scenario
  readonly npc: Npc
  readonly graph: Graph
  readonly walk: Walk
}

const MOST_FACTS = 8
const CHARACTERS = 400

/**
 * What the walk knows to have happened: how it ended, which deciding facts were understood, what was picked at a fork and
 * what that did, which document was handed over. None of it is anybody's word for it: a fact counts where its gate was
 * satisfied.
 */
export function whatHappened(ended: Ended): readonly NewMemory[] {
  return [outcome(ended), ...understood(ended), ...picked(ended), ...handedOver(ended)].map((memory) => ({
    ...memory,
    content: cap(memory.content.replace(/\s+/g, ' ').trim(), CHARACTERS),
  }))
}

function outcome({ scenario, npc, graph, walk }: Ended): NewMemory {
  const { title } = graph.closing.objective
  const how = walk.end?.completion === 'earned' ? 'It came to its goal' : 'It was cut short before its goal'
  return event(`They talked with ${npc.name} (${npc.role}) in "${scenario.title}". ${how}: "${title}".`, 70)
}

function understood({ graph, walk }: Ended): readonly NewMemory[] {
  const nodes = Object.values(graph.nodes).filter((node) => speaks(node) && walk.satisfied.includes(node.id))
  const contents = nodes.flatMap((node) => (speaks(node) ? node.content : []))
  const facts = contents.flatMap(({ source, lines }) => (source === 'decision_facts' ? lines : []))
  return [...new Set(facts)].slice(0, MOST_FACTS).map((fact) => event(`They understood: ${fact}`, 60))
}

function picked({ npc, graph, walk }: Ended): readonly NewMemory[] {
  return Object.entries(walk.pivots).flatMap(([id, state]) => {
    const node = graph.nodes[id]
    if (state.state !== 'chosen' || node?.kind !== 'pivot') return []
    const choice = node.pivot.choices.find((each) => each.id === state.choice)
    if (!choice) return []
    const asked = `Asked by ${firstName(npc.name)} "${node.pivot.question}", they chose "${choice.text}".`
    return [event(`${asked} ${choice.effect}`, 60)]
  })
}

function handedOver({ npc, graph, walk }: Ended): readonly NewMemory[] {
  const { document } = graph.closing
  if (document === null || walk.end === null) return []
  return [event(`${firstName(npc.name)} handed them "${document.title}".`, 40)]
}

function event(content: string, importance: number): NewMemory {
  return { kind: 'event', content, importance }
}
