import type { Thought, Request } from '../walk/event.ts'
import type { BriefingScene } from './briefing.ts'

/**
 * A task that a walk requests from an actor: to select, to match a behavior, to write queries, or to reflect. A model
 * gets `system`, `user` and `answer`, the JSON schema of its answer. An actor that is not a model gets the same
 * information as structured data in `scene` and `request`. A learner never sees any part of a task.
 */
export interface Task {
  readonly system: string
  readonly user: string
  readonly answer: AnswerSchema
  readonly scene: TaskScene
  readonly request: Request
}

/** A task after the end of a conversation, which no walk requests: to pick what is worth remembering. */
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

/** The context of a task: a briefing's scene without the mood, and without the node, which the request contains. */
export type TaskScene = Omit<BriefingScene, 'node' | 'mood'> & {
  /** The state's key among the lines that the author wrote for the rehearsal actor: `state`, or `graph.state`. */
  readonly lineKey: string
  readonly thoughts: readonly Thought[]
  readonly safetyExits: readonly string[]
}

/** A JSON schema that uses only keywords that every provider's structured output supports. */
export interface AnswerSchema {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}
