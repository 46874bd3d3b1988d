import type { StateType } from './map-words.ts'

/** What a topology says. Null where it does not say: a piece of one is a topology too. */
export interface Topology {
  readonly newUser: string | null
  readonly returningUser: string | null
  readonly terminal: string | null
  /** Those that are described, in the order of the text, and after them those that are only led to. */
  readonly states: readonly TopologyState[]
  /** The text leaves states out: a line of its own with three dots. */
  readonly hasMore: boolean
}

export interface TopologyState {
  readonly name: string
  /** Null: `[?]`, a state that is not there. */
  readonly type: StateType | null
  readonly isDescribed: boolean
  readonly exits: readonly TopologyExit[]
  /** The text leaves exits of it out. */
  readonly hasMore: boolean
}

export interface TopologyExit {
  readonly condition: string | null
  readonly to: TopologyTarget
}

export type TopologyTarget =
  | { readonly state: string }
  | { readonly call: string; readonly type: StateType | null; readonly returnTo: string }

/** Equal for two exits that lead to the same place by the same way. */
export function targetKey(target: TopologyTarget): string {
  return 'state' in target ? target.state : `${target.call} ${target.returnTo}`
}
