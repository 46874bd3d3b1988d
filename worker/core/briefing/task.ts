import type { Thought, Request } from '../walk/event.ts'
import type { BriefingScene } from './briefing.ts'

/**
 * Inner work that a walk asks an actor for: to select, to match a behavior, to write queries, to conclude. `system`
 * and `user` are what a model gets, `answer` the JSON schema its answer has to fit; `scene` and `request` are the same
 * in structured form, for an actor that is not a model. Nothing of it is ever shown to a learner.
 */
export interface Task {
  readonly system: string
  readonly user: string
  readonly answer: AnswerSchema
  readonly scene: TaskScene
  readonly request: Request
}

/** Work after the end of a conversation, which no walk asks for: to pick what is worth remembering of it. */
export interface PickTask {
  readonly system: string
  readonly user: string
  readonly answer: AnswerSchema
  readonly request: {
    readonly type: 'remember-request'
    /** The learner's messages, oldest first. */
    readonly said: readonly string[]
  }
}

/** What surrounds the work: as in a briefing, but the node is the request's. */
export type TaskScene = Omit<BriefingScene, 'node' | 'mood'> & {
  /** How a context graph's state is named in rehearsal lines: `state`, or `graph.state`. */
  readonly lineKey: string
  /** What the actor has in mind, newest last, bounded. */
  readonly thoughts: readonly Thought[]
  /** Descriptions of those exits here that are for what nobody planned for. */
  readonly safetyExits: readonly string[]
}

/** A JSON schema, of the small part that every provider's structured output knows. */
export interface AnswerSchema {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}
