import type { NodeId } from '../graph/graph.ts'
import type { Reason, Trace } from './event.ts'

/** One move of the pointer, whatever number of entries the trace has for it. */
export interface Transition {
  readonly from: NodeId
  readonly to: NodeId
  readonly by: TransitionKind
  readonly reason: Reason
  /** Nothing was said or decided between this move and the one before. */
  readonly isPassing: boolean
}

/** `loop`: a turn that went round without learning anything was taken back to where it set out. */
export type TransitionKind = 'move' | 'call' | 'jumpback' | 'loop' | 'migration'

/** Where a reader of a trace stands. */
export interface Reader {
  readonly node: NodeId
  /** Where the pointer goes back to if the turn goes round in a loop. */
  readonly home: NodeId
  /** A call or a return that the trace tells first, and whose move it tells next. */
  readonly told: Transition | null
  readonly isPassing: boolean
}

export function readFrom(node: NodeId): Reader {
  return { node, home: node, told: null, isPassing: false }
}

/** The reader at the beginning of a turn: a loop leads back to here. */
export function atTurn(reader: Reader): Reader {
  return { node: reader.node, home: reader.node, told: null, isPassing: false }
}

/** Reads one entry. A call and a return are each told twice, as themselves and as a move, and count once. */
export function readEntry(
  reader: Reader,
  entry: Trace,
): { readonly reader: Reader; readonly transition: Transition | null } {
  switch (entry.type) {
    case 'moved': {
      const { told } = reader
      if (told && told.from === entry.from && told.to === entry.to) {
        return { reader: { ...reader, told: null }, transition: null }
      }
      return go(reader, { from: entry.from, to: entry.to, by: 'move', reason: entry.reason })
    }
    case 'called':
      return told(go(reader, { from: entry.from, to: entry.to, by: 'call', reason: 'selected' }))
    case 'jumpback':
      return told(go(reader, { from: entry.from, to: entry.to, by: 'jumpback', reason: 'jumpback' }))
    case 'internal-loop':
      return go(reader, { from: reader.node, to: reader.home, by: 'loop', reason: 'internal-loop' })
    case 'migrated':
      return go(reader, { from: entry.from, to: entry.to, by: 'migration', reason: 'migrated' })
    case 'decision':
      return { reader: { ...reader, home: entry.decision.from, told: null, isPassing: false }, transition: null }
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
  return { reader: { node: move.to, home: reader.home, told: null, isPassing: true }, transition }
}

function told({ reader, transition }: Read): Read {
  return { reader: { ...reader, told: transition }, transition }
}
