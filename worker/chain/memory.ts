import type { ConversationRef, FreeData } from './context.ts'

/** A memory. Times are milliseconds since 1970. */
export interface MemoryRecord {
  readonly id: string
  readonly memorySpaceId: string
  /** The person whom the memory is about; null if the memory is about no person. */
  readonly userId: string | null
  readonly content: string
  readonly kind: MemoryKind
  /** From 0 to 100. */
  readonly importance: number
  readonly contextId: string | null
  /** The root of the workflow to which the context belongs; null if the memory has no context. */
  readonly rootId: string | null
  /** The purpose of the context; null if the memory has no context. */
  readonly workflowPurpose: string | null
  readonly conversationRef: ConversationRef | null
  readonly metadata: FreeData
  readonly createdAt: number
}

/** What a learner said, what happened, what an annotation noted, or what the tenant stored. */
export type MemoryKind = 'said' | 'event' | 'annotation' | 'note'

/**
 * A fact about a person. Of two facts with the same key, the newer fact is valid. If both have the same time, the fact
 * with more confidence is valid.
 */
export interface PersonFact {
  readonly key: string
  readonly value: string
  /** The source of the fact: `conversation <id>`, or a name that the tenant chose. */
  readonly source: string
  /** From 0 to 1. */
  readonly confidence: number
  /** The time at which the fact was true, in milliseconds since 1970. */
  readonly at: number
}
