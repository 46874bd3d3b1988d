import { type Graph, type NodeId, stateOfGraph } from '../graph/graph.ts'
import { LETTER_OF_KIND } from '../graph/map/map-words.ts'
import type { Reason, Trace } from './event.ts'

/** The path of one turn through the graph, and the name of its pattern. */
export interface Quantum {
  /**
   * For example `[A] -> [D] -> [R] -> [A]`: each state is written as the letter of its type (`LETTER_OF_KIND`). The
   * state to which a call leads is written with its graph's name and its own name: `[breathing.intro]`.
   */
  readonly path: string
  readonly pattern: QuantumPattern
}

/**
 * Names of the path patterns. `stay`: the colleague spoke in the state in which the turn began, and the path has no
 * other state. `composite`: no other pattern fits.
 */
export type QuantumPattern =
  | 'stay'
  | 'direct'
  | 'reflective'
  | 'decision'
  | 'memory'
  | 'complex-chain'
  | 'multi-decision'
  | 'annotated'
  | 'side-effect-chain'
  | 'deep-analysis'
  | 'marked'
  | 'external-reference'
  | 'composite'

/**
 * Names the path of a turn through a graph.
 *
 * @param trace all log entries of the turn's steps, in order.
 * @param from the node in which the turn began.
 */
export function quantumOf(trace: readonly Trace[], graph: Graph, from: NodeId): Quantum {
  const transitions = transitionsOf(trace, from)
  const tokens = [letterOf(graph, from)]
  for (const transition of transitions) {
    // `[jumpback]` already shows that the called graph ended, so the path leaves out a terminal state that said
    // nothing.
    if (transition.by === 'jumpback' && transition.isPassing && tokens.at(-1) === 'A') tokens.pop()
    tokens.push(...tokensOf(graph, transition))
  }
  return { path: tokens.map((token) => `[${token}]`).join(' -> '), pattern: patternOf(transitions, tokens) }
}

function transitionsOf(trace: readonly Trace[], from: NodeId): readonly Transition[] {
  let reader = readFrom(from)
  return trace.flatMap((entry) => {
    const read = readEntry(reader, entry)
    reader = read.reader
    return read.transition ? [read.transition] : []
  })
}

function tokensOf(graph: Graph, { to, by }: Transition): readonly string[] {
  switch (by) {
    case 'move':
      return [letterOf(graph, to)]
    case 'call':
      return [calledName(graph, to)]
    case 'jumpback':
      return ['jumpback', letterOf(graph, to)]
    case 'loop':
      return ['loop', letterOf(graph, to)]
    case 'migration':
      return ['migrated', letterOf(graph, to)]
  }
}

function letterOf(graph: Graph, id: NodeId): string {
  const node = graph.nodes[id]
  return node ? LETTER_OF_KIND[node.kind] : '?'
}

function calledName(graph: Graph, id: NodeId): string {
  const node = graph.nodes[id]
  return node ? stateOfGraph(graph, node) : id
}

function patternOf(transitions: readonly Transition[], tokens: readonly string[]): QuantumPattern {
  if (transitions.some(({ by }) => by === 'loop' || by === 'migration')) return 'composite'
  if (transitions.some(({ by }) => by === 'call' || by === 'jumpback')) return 'external-reference'
  const letters = tokens.join('')
  return PATTERNS.find(([, shape]) => shape.test(letters))?.[0] ?? 'composite'
}

const PATTERNS: readonly (readonly [QuantumPattern, RegExp])[] = [
  ['stay', /^A$/],
  ['direct', /^AA$/],
  ['reflective', /^ARA$/],
  ['decision', /^ADA$/],
  ['memory', /^ACA$/],
  ['complex-chain', /^ADRA$/],
  ['multi-decision', /^AD{2,}A$/],
  ['annotated', /^ANA$/],
  ['side-effect-chain', /^ASA$/],
  ['deep-analysis', /^ACRDA$/],
  // The second annotation (N) is optional.
  ['marked', /^ANDRN?A$/],
]

/** One move of the pointer. A trace may have two entries for one move. */
export interface Transition {
  readonly from: NodeId
  readonly to: NodeId
  readonly by: TransitionKind
  readonly reason: Reason
  /** True if nothing was said or decided between the previous move and this one. */
  readonly isPassing: boolean
}

/**
 * `loop`: the walker took the turn back to `OpenTurn.home`, because the turn would have passed too many silent nodes,
 * or one silent node twice without new memories.
 */
type TransitionKind = 'move' | 'call' | 'jumpback' | 'loop' | 'migration'

/** How far the reading of a trace has come: the values that `readEntry` needs for the next entry. */
export interface Reader {
  readonly node: NodeId
  /** The node to which the pointer returns if the silent nodes of this turn form a loop. */
  readonly home: NodeId
  /**
   * A call or return that was read, while the `moved` entry of the same move has not been read yet; null if there is
   * none.
   */
  readonly announced: Transition | null
  readonly isPassing: boolean
}

export function readFrom(node: NodeId): Reader {
  return { node, home: node, announced: null, isPassing: false }
}

/** Returns a reader for a new turn, which begins in the node that the last turn reached. */
export function atTurn(reader: Reader): Reader {
  return { node: reader.node, home: reader.node, announced: null, isPassing: false }
}

/**
 * Reads one log entry. The trace has two entries for each call and each return: its own entry and a `moved` entry. The
 * two entries make one transition.
 */
export function readEntry(
  reader: Reader,
  entry: Trace,
): { readonly reader: Reader; readonly transition: Transition | null } {
  switch (entry.type) {
    case 'moved': {
      const { announced } = reader
      if (announced && announced.from === entry.from && announced.to === entry.to) {
        return { reader: { ...reader, announced: null }, transition: null }
      }
      return go(reader, { from: entry.from, to: entry.to, by: 'move', reason: entry.reason })
    }
    case 'called':
      return announce(go(reader, { from: entry.from, to: entry.to, by: 'call', reason: 'selected' }))
    case 'jumpback':
      return announce(go(reader, { from: entry.from, to: entry.to, by: 'jumpback', reason: 'jumpback' }))
    case 'internal-loop':
      return go(reader, { from: reader.node, to: reader.home, by: 'loop', reason: 'internal-loop' })
    case 'migrated':
      return go(reader, { from: entry.from, to: entry.to, by: 'migration', reason: 'migrated' })
    case 'decision':
      return { reader: { ...reader, home: entry.decision.from, announced: null, isPassing: false }, transition: null }
    default:
      return { reader, transition: null }
  }
}

interface Read {
  readonly reader: Reader
  readonly transition: Transition
}

function go(reader: Reader, move: Omit<Transition, 'isPassing'>): Read {
  const transition = { ...move, isPassing: reader.isPassing }
  return { reader: { node: move.to, home: reader.home, announced: null, isPassing: true }, transition }
}

function announce({ reader, transition }: Read): Read {
  return { reader: { ...reader, announced: transition }, transition }
}
