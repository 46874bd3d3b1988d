import type { ExitDocument, StateDocument, TargetDocument } from '../document.ts'
import { pointerTo } from '../../finding.ts'

/** A way out of a state, and where its author wrote it. */
export interface Way {
  /** JSON pointer to the `next_state`. */
  readonly at: string
  /** The exit it belongs to and where that stands; null in a state that has one way on and no conditions. */
  readonly exit: (ExitDocument & { readonly at: string }) | null
  readonly target: TargetDocument
}

/** Every way out of a state, in the author's order. */
export function waysOf(state: StateDocument): readonly Way[] {
  if ('nextStates' in state)
    return state.nextStates.map((target) => ({ at: atState(state, 'next_state'), exit: null, target }))
  return state.exits.map((exit, index) => {
    const at = atState(state, 'exit_conditions', index)
    return { at: `${at}/next_state`, exit: { ...exit, at }, target: exit.nextState }
  })
}

/** JSON pointer to a state, or to something in it. */
export function atState(state: Pick<StateDocument, 'name'>, ...keys: readonly (string | number)[]): string {
  return pointerTo('states', state.name, ...keys)
}

/** Where a way goes on in its own graph: at once, or after a call has come back. */
export function ownTarget(target: TargetDocument): string {
  return typeof target === 'string' ? target : target.returnTo
}
