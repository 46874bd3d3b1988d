import type { Guard } from './guard.ts'
import type { NodeId } from './graph.ts'

/**
 * A way out of a node. Who picks it is the only difference between a backbone and a context graph: a guard that holds,
 * or somebody's choice among what is declared.
 */
export type Exit = GuardedExit | ChoiceExit

interface ExitBase {
  /** Unique within its node. */
  readonly id: string
  /** Null ends the conversation. */
  readonly to: NodeId | null
  /** For a call into another graph: where to go on once that graph has come to its end (S0-29). */
  readonly returnTo: NodeId | null
}

/** Taken by the walker, as the first whose condition holds once the node may be left. */
export interface GuardedExit extends ExitBase {
  readonly by: 'guard'
  /** Null always holds. */
  readonly when: Guard | null
}

/** Taken by whoever selects, who sees the description. */
export interface ChoiceExit extends ExitBase {
  readonly by: 'choice'
  readonly description: string
  /** A way out for what nobody planned for (S1-10). */
  readonly isSafety: boolean
}

export function isGuarded(exit: Exit): exit is GuardedExit {
  return exit.by === 'guard'
}

export function isChoice(exit: Exit): exit is ChoiceExit {
  return exit.by === 'choice'
}
