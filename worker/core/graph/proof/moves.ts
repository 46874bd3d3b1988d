import type { Reason, Step, WalkEvent } from '../../walk/event.ts'
import type { Walk } from '../../walk/walk.ts'
import type { Graph, NodeId } from '../graph.ts'

/** The walker that is explored. */
export type Walker = (graph: Graph, walk: Walk, event: WalkEvent) => Step

/** One thing that happened on a path, small enough to read in a finding. */
export interface Move {
  readonly node: NodeId
  readonly event: Choice
  readonly reason: Reason | 'ignored'
}

/** What an exploration tries at each step: everything that can matter, at every relationship a rule can tell apart. */
export type Choice =
  | {
      readonly type: 'exchange'
      readonly satisfied: boolean
      readonly detour: boolean
      /** The relationship it finds. */
      readonly score: number
      /** The exchange with which the limit of exchanges is reached. */
      readonly isLast: boolean
    }
  | { readonly type: 'choose'; readonly choice: string; readonly score: number }
  /** Somebody speaks, and something has to be settled before the answer. */
  | { readonly type: 'speak' }
  | { readonly type: 'select'; readonly exit: number | null }
  | { readonly type: 'recall'; readonly found: boolean }
  | { readonly type: 'reflect' }

/**
 * How closely situations are told apart: coarsely, recalls can find something any time and what a turn began with is left
 * out, which only a loop of silent nodes reads.
 */
export type Grain = 'coarse' | 'fine'

/** Begins the queries that nobody wrote: each is new. */
export const EXPLORED = 'explored '

/** An event of a path in a word or two. */
export function told(event: Choice): string {
  switch (event.type) {
    case 'choose':
      return `chooses ${event.choice}`
    case 'exchange':
      return `${event.satisfied ? 'satisfied' : 'unsatisfied'}${event.detour ? ' detour' : ''}${event.isLast ? ' at the limit' : ''}`
    case 'speak':
      return 'hears'
    case 'select':
      return event.exit === null ? 'acts' : `takes exit ${event.exit}`
    case 'recall':
      return event.found ? 'recalls' : 'recalls nothing'
    case 'reflect':
      return 'reflects'
  }
}
