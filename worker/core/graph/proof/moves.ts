import type { Reason, Step, WalkEvent } from '../../walk/event.ts'
import type { Walk } from '../../walk/walk.ts'
import type { Graph, NodeId } from '../graph.ts'

/** The step function of a walker. An exploration (`explore.ts`) runs it with every input. */
export type Walker = (graph: Graph, walk: Walk, event: WalkEvent) => Step

/** One move on a path, short enough for a finding's message. */
export interface Move {
  readonly node: NodeId
  readonly event: Choice
  readonly reason: Reason | 'ignored'
}

/**
 * One input that an exploration tries. The exploration of a graph tries every input that can matter, at every
 * relationship level that a rule can tell apart.
 */
export type Choice =
  | {
      readonly type: 'exchange'
      readonly satisfied: boolean
      readonly detour: boolean
      readonly leaving: boolean
      /** The answer to a fork that the report names; null for none. */
      readonly choice: string | null
      readonly wentOn: boolean
      readonly score: number
      /** True if this exchange reaches the limit of exchanges. */
      readonly isLast: boolean
      /** True if the learner's message asks something. */
      readonly asks: boolean
    }
  | { readonly type: 'choose'; readonly choice: string; readonly score: number }
  | { readonly type: 'resume' }
  /** The learner speaks, and the walker makes a request before the reply. */
  | { readonly type: 'speak' }
  | { readonly type: 'select'; readonly exit: number | null }
  | { readonly type: 'recall'; readonly found: boolean }
  | { readonly type: 'reflect' }

/**
 * How exactly an exploration compares situations. `fine` also compares where the turn began and which queries were
 * asked. `coarse` ignores both, because they matter only in a graph whose silent nodes can form a loop.
 */
export type Grain = 'coarse' | 'fine'

/** The prefix of the queries that an exploration makes up. Every such query is new to the walk. */
export const EXPLORED = 'explored '

/** Describes an event of a path in a word or two. */
export function told(event: Choice): string {
  switch (event.type) {
    case 'choose':
      return `chooses ${event.choice}`
    case 'exchange':
      return [
        event.choice === null ? (event.satisfied ? 'satisfied' : 'unsatisfied') : `answers ${event.choice}`,
        event.detour ? 'detour' : '',
        event.wentOn ? 'and goes on' : '',
        event.leaving ? 'and leaves' : '',
        event.asks ? 'and asks' : '',
        event.isLast ? 'at the limit' : '',
      ]
        .filter((part) => part !== '')
        .join(' ')
    case 'resume':
      return 'takes the goodbye back'
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
